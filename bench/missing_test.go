package bench_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestMissing(t *testing.T) {
	x, y := lines("A", 1, "x")+lines("B", 1, "x"), lines("A", 1, "y")
	for _, c := range []struct {
		name     string
		old, new string
		units    []string
		want     []string
		lost     bool
		why      string
	}{
		{"lines", x, lines("A", 1, "x") + lines("C", 1, "x"), nil, []string{
			"lines only in a.txt, and not in b.txt: B", "lines only in b.txt, and not in a.txt: C",
		}, true, ""},
		{"what is new", lines("A", 1, "x"), x + y, nil, []string{
			"lines only in b.txt, and not in a.txt: B", "units only in b.txt, and not in a.txt: y",
		}, false, "it is no loss"},
		{"a unit", x + y, x, nil, []string{"units only in a.txt, and not in b.txt: y"}, true, ""},
		{"a unit of a line", x + y, x + lines("B", 1, "y"), nil, []string{
			"only in a.txt, and not in b.txt: A in y", "only in b.txt, and not in a.txt: B in y",
		}, true, "both have the line, and both the unit"},
		{"a class of errors", x + lines("A", 1, "busy/op") + lines("B", 1, "unknown_full/op"), x,
			nil, nil, false, "no such error is no loss"},
		{"no class of errors", x + lines("A", 1, "fsyncs/op"), x, nil,
			[]string{"units only in a.txt, and not in b.txt: fsyncs/op"}, true, ""},
		{"too few values", x + y + "BenchmarkB-2 1 5 y\n", x + y, nil, nil, false,
			"by one value nobody could have told"},
		{"few are left", x + y, x + "BenchmarkA-2 1 5 y\n", nil, nil, false, "few are not none"},
		{"a unit that nobody asked for", x + y, x, []string{"x"}, nil, false, ""},
		{"a unit that was asked for", x + y, x, []string{"x", "y"},
			[]string{"units only in a.txt, and not in b.txt: y"}, true, ""},
		{"a unit in nanoseconds", x + lines("A", 1, "p50-ns/op"), x, []string{"p50-ns/op"},
			[]string{"lines only in a.txt, and not in b.txt: A",
				"units only in a.txt, and not in b.txt: p50-sec/op"}, true, "of these units alone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			notes, lost := results(t, "", c.old, c.new).Missing(c.units...)
			require.Empty(t, cmp.Diff(c.want, notes), c.why)
			require.Equal(t, c.lost, lost, c.why)
		})
	}
	notes, _ := results(t, "rate", lines("A", 1, "x")+lines("A/rate=9", 1, "y")).Missing()
	require.Contains(t, notes, "units only in (none), and not in 9: x")
}
