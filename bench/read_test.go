package bench_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
)

// What is kept apart in one file is compared with the same in another, and with nothing else.
func TestWhatAFileKeepsApart(t *testing.T) {
	packages := "pkg: x/a\n" + lines("A", 1, "u") + "pkg: x/b\n" + lines("A", 2, "u")
	processors := strings.ReplaceAll(lines("A", 1, "u"), "A-2", "A") + lines("A", 2, "u")
	for _, c := range []struct {
		name     string
		old, new string
		want     []string
		values   int // of the last line of the new file
		why      string
	}{
		{"packages", packages, packages, []string{"x/a.A", "x/b.A"}, 10, "benchstat does so too"},
		{"a package", "pkg: x/a\n" + lines("A", 1, "u"), "pkg: x/b\n" + lines("A", 1, "u"),
			[]string{"A"}, 10, "it was renamed"},
		{"processors", processors, processors, []string{"A", "A-2"}, 10, "go test -cpu 1,2"},
		{"one of them", processors, lines("A", 2, "u"), []string{"A", "A-2"}, 10, "A-2 is A-2"},
		{"rounds", lines("A", 1, "u"), lines("A", 1, "u") + lines("A", 1, "u"), []string{"A"}, 20,
			"nothing differs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tables, err := results(t, "", c.old, c.new).Tables()
			require.NoError(t, err)
			var got []string
			for _, row := range tables[0].Rows {
				got = append(got, row.Name)
			}
			require.Empty(t, cmp.Diff(c.want, got), c.why)
			last := tables[0].Rows[len(tables[0].Rows)-1]
			require.Equal(t, c.values, last.Estimates[1].N)
		})
	}
	tables, err := results(t, "gomaxprocs", processors).Tables()
	require.NoError(t, err)
	require.Len(t, tables[0].Rows, 1, "what the columns are by is in no name")
	require.Equal(t, []string{"(none)", "2"}, tables[0].Columns)
}

func TestWarnings(t *testing.T) {
	of := func(settings string) string { return settings + lines("A", 1, "ns/op") }
	for _, c := range []struct {
		name     string
		old, new string
		want     []string
	}{
		{"alike", of("machine: x\n"), of("machine: x\n"), nil},
		{"commits", of("commit: 1\n"), of("commit: 2\n"), nil},
		{"Go", of("go: 1\n"), of("go: 2\n"),
			[]string{"go differs:\n  a.txt: go: 1\n  b.txt: go: 2"}},
		{"SQLite", of("sqlite-version: 1\nsynchronous: 1\n"), of("synchronous: 2\n"), []string{
			"sqlite-version differs:\n  a.txt: sqlite-version: 1\n" +
				"  b.txt: sqlite-version: (not there)",
			"synchronous differs:\n  a.txt: synchronous: 1\n  b.txt: synchronous: 2"}},
		{"within a file", of("fs: x\n") + of("fs: y\n") + of("fs: z\n"), of("fs: x\n"),
			[]string{"fs differs:\n  a.txt: fs: x\n  a.txt:13: fs: y"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Empty(t, cmp.Diff(c.want, results(t, "", c.old, c.new).Warnings()))
		})
	}
}

func TestBadFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "bad.txt:1: there is no line that begins with Benchmark"},
		{"something else", "hello\n", "bad.txt:1: there is no line"},
		{"no number", "fs: x\nBenchmarkA 10 many ns/op\n", "bad.txt:2: "},
		{"no unit", "\n\nBenchmarkA 10 5\n", "bad.txt:3: missing units"},
		{"cut short", lines("A", 1, "x") + "BenchmarkA 10\n", "bad.txt:11: missing measurements"},
		{"no number", "\nBenchmarkA 10 NaN ops/sec\n", "bad.txt:2: NaN ops/sec cannot be used"},
		{"endless", "BenchmarkA 10 5 x -Inf p50-ns/op\n", "bad.txt:1: -Inf p50-ns/op cannot be"},
		{"cut within a line", lines("A", 1, "x") + "BenchmarkA 10 5 op",
			"bad.txt:11: the file is truncated"},
		{"cut before any line", "BenchmarkA 10 5 op", "bad.txt:1: the file is truncated"},
		{"cut within what follows", lines("A", 1, "x") + "PA", "bad.txt:11: the file is trunc"},
		{"a unit", "Unit ns/op better\nBenchmarkA 10 5 ns/op\n", "bad.txt:1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := bench.NewResults("")
			require.NoError(t, err)
			require.ErrorContains(t, r.Read(strings.NewReader(c.text), "bad.txt"), c.want)
		})
	}
	r, err := bench.NewResults("")
	require.NoError(t, err)
	require.ErrorContains(t, r.ReadFile("testdata/none.txt"), "none.txt")
	_, err = bench.NewResults("store@(")
	require.ErrorContains(t, err, "columns by")
}

// Under another name, too: its values would count twice.
func TestOneFileTwice(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a.txt"), filepath.Join(dir, "link.txt")
	require.NoError(t, os.WriteFile(path, []byte(lines("A", 1, "x")), 0o666))
	require.NoError(t, os.Symlink(path, link))
	r := results(t, "")
	require.NoError(t, r.ReadFile(path))
	require.ErrorContains(t, r.ReadFile(path), "are one file; name it once")
	require.ErrorContains(t, r.ReadFile(link), path+" and "+link+" are one file")
}
