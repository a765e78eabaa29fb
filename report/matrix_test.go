package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/report"
	"memrace/stress/check"
	"memrace/stress/history"
)

const mutantsHead = "# made by hand\n\n" +
	"mutant kind profile ops caught-by required measured also\n"

// matrixOf are the cells of the matrix below a section, the class in front of each that has one.
func matrixOf(t *testing.T, page, id string) (rows [][]string) {
	t.Helper()
	_, rest, found := strings.Cut(page, `<section id="`+id+`">`)
	require.True(t, found)
	table, _, _ := strings.Cut(rest, "</table>")
	for _, row := range strings.Split(table, "<tr><th>")[2:] {
		name, rest, _ := strings.Cut(row, "</th>")
		cells := []string{name}
		for _, cell := range strings.Split(rest, "<td")[1:] {
			cell = strings.TrimPrefix(strings.TrimPrefix(cell, ` class="`), ">")
			cell, _, _ = strings.Cut(cell, "</td>")
			cells = append(cells, strings.Replace(cell, `">`, ": ", 1))
		}
		rows = append(rows, cells)
	}
	return rows
}

func TestMutants(t *testing.T) {
	text := mutantsHead +
		"leaky K13 uniform 400 isolation 20/20 20/20 linearizability 3, final 20\n" +
		"lucky - hot 600 linearizability 19/20 18/20 -\n" +
		"never K01 hot 600 progress 0/20 0/20 -\n"
	require.True(t, report.IsMutants(text))
	var p report.Page
	require.NoError(t, p.AddMutants(text, "x.txt"))
	page := pageOf(t, &p)
	require.Contains(t, page, "<title>memrace: 1 of 3 mutants caught</title>")
	require.Empty(t, cmp.Diff([][]string{
		{"leaky", "", "caught: 20/20", "", "", "also: 3", "", "also: 20", "K13, uniform, 400"},
		{"lucky", "", "", "", "", "missed: ✗ 18/20", "", "", "-, hot, 600"},
		{"never", "missed: ✗ 0/20", "", "", "", "", "", "", "K01, hot, 600"},
	}, matrixOf(t, page, "mutants")))
}

// The table that the project keeps is one that can be read.
func TestMutantsOfTheProject(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "results", "mutants.txt"))
	require.NoError(t, err)
	require.True(t, report.IsMutants(string(text)))
	var p report.Page
	require.NoError(t, p.AddMutants(string(text), "mutants.txt"))
	page := pageOf(t, &p)
	want := 0
	for line := range strings.Lines(string(text)) {
		if line[0] != '#' && strings.Contains(line, "/") {
			want++
		}
	}
	require.Greater(t, want, 20)
	require.Len(t, matrixOf(t, page, "mutants"), want)
}

func TestBadMutants(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"none", mutantsHead, "x.txt: there is no mutant in it"},
		{"short", mutantsHead + "leaky K13 uniform\n", "x.txt:4: 3 columns, want 8"},
		{"no runs", mutantsHead + "a - hot 6 final 1/1 many -\n", "x.txt:4: want runs as in 20/20"},
		{"of none", mutantsHead + "a - hot 6 final 1/1 0/0 -\n", "x.txt:4: want runs as in 20/20"},
		{"unknown property", mutantsHead + "a - hot 6 beauty 1/1 1/1 -\n",
			`x.txt:4: unknown property "beauty"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.True(t, report.IsMutants(c.text))
			require.ErrorContains(t, new(report.Page).AddMutants(c.text, "x.txt"), c.want)
		})
	}
	for _, text := range []string{"", "# only\n", small, "mutant kind\n"} {
		require.False(t, report.IsMutants(text))
	}
}

// Of all runs of a store the worst state of each property stands in the matrix.
func TestVerdictsOfStores(t *testing.T) {
	run := func(store string, states ...check.State) report.Run {
		h := &history.History{Meta: []history.Meta{{Name: "store", Value: store}}}
		r := report.Run{History: h, State: check.Holds}
		for i, s := range states {
			r.Verdicts = append(r.Verdicts,
				check.Verdict{Property: check.Properties()[i], State: s})
		}
		return r
	}
	one := run("a", check.Holds, check.Violated, check.Skipped)
	page := pageOf(t, new(report.Page), one, run("b", check.Undecided),
		run("a", check.Undecided, check.Holds, check.Skipped), report.Run{Name: "not made"})
	require.Empty(t, cmp.Diff([][]string{
		{"a", "state undecided: ? undecided", "state violated: ✗ violated",
			"state skipped: skipped", "-", "-", "-", "-", "2"},
		{"b", "state undecided: ? undecided", "-", "-", "-", "-", "-", "-", "1"},
	}, matrixOf(t, page, "verdicts")))
	require.NotContains(t, pageOf(t, new(report.Page), one), `id="verdicts"`,
		"the verdicts of one run say the same")
	var p report.Page
	require.NoError(t, p.AddBenchmarks([]byte(small), "x.txt"))
	require.Contains(t, pageOf(t, &p, one, report.Run{Name: "not made"}),
		"<title>memrace: 1 of 2 runs holds, 1 of 2 runs skipped, 2 stores measured</title>")
}
