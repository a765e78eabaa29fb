package report_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"memrace/bench"
	"memrace/report"
)

// small is a file of benchmarks as memrace bench writes them, of two rounds.
const small = `machine: a machine
fs: ext4
fsync-p50-ns: 200368
journal-mode: wal

BenchmarkUpsert/store=wal/clients=1-2 9 1000 ops/sec 500 p50-ns/op 0 errors/op
BenchmarkUpsert/store=pool/clients=1-2 9 100 ops/sec 5e3 p50-ns/op .25 errors/op .25 busy/op 3 B/op
BenchmarkUpsert/store=wal/clients=8-2 9 2000 ops/sec 800 p50-ns/op 0 errors/op 0.5 fewest/most
BenchmarkUpsert/store=wal/clients=1-2 9 1200 ops/sec 700 p50-ns/op 0 errors/op
`

// measuredPage is the page of files of benchmarks.
func measuredPage(t require.TestingT, texts ...string) string {
	var p report.Page
	for i, text := range texts {
		require.NoError(t, p.AddBenchmarks([]byte(text), fmt.Sprintf("file%d.txt", i)))
	}
	var b strings.Builder
	require.NoError(t, p.Write(&b))
	return b.String()
}

// sections are the ids of the sections of a page.
func sections(t *testing.T, page string) (ids []string) {
	t.Helper()
	for _, e := range parse(t, page) {
		if e.name == "section" {
			ids = append(ids, e.attrs["id"])
		}
	}
	return ids
}

func TestSectionsAreThereWhereThereAreData(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		why        string
	}{
		{"all", small,
			[]string{"machine", "throughput", "clients", "latency", "fairness", "errors", "cost"},
			""},
		{"one number of clients", "BenchmarkGet/store=a/clients=8 1 5 ops/sec\n",
			[]string{"machine", "throughput"}, "there is nothing to hold it against"},
		{"latency alone", "BenchmarkGet/store=a/clients=8 1 5 p50-ns/op\n",
			[]string{"machine", "latency"}, ""},
		{"costs", "BenchmarkGet/store=a/clients=8 1 5 allocs/op 3 fsyncs/op\n",
			[]string{"machine", "cost"}, ""},
		{"no clients", "BenchmarkGet/store=a 1 5 ops/sec 1 fewest/most\n",
			[]string{"machine", "throughput"}, "without a number there is no place on an axis"},
		{"kinds of a mix", "BenchmarkGet/mix=get:1,upsert:1/store=a/clients=8 1 5 ops/sec\n",
			[]string{"machine"}, "one kind is not what the store did in all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := measuredPage(t, c.text)
			require.Empty(t, cmp.Diff(c.want, sections(t, page)), c.why)
			for _, id := range c.want {
				require.Contains(t, page, `<a href="#`+id+`">`, "the contents lead there")
			}
		})
	}
}

func TestBadBenchmarks(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "x.txt:1: there is no line that begins with Benchmark"},
		{"prose", "Dear diary,\n", "x.txt:1: there is no line that begins with Benchmark"},
		{"syntax", "BenchmarkGet/store=a x 5 ops/sec\n", "x.txt:1: "},
		{"no store", "BenchmarkSort-8 1 5 ns/op\n", "x.txt: no name has a part store="},
		{"no number", "\nBenchmarkGet/store=a 1 NaN ops/sec\n", "x.txt:2: NaN ops/sec cannot be"},
		{"endless", "BenchmarkGet/store=a 1 Inf ops/sec\n", "x.txt:1: +Inf ops/sec cannot be"},
		{"below nothing", "BenchmarkGet/store=a 1 -5 p50-ns/op\n", "x.txt:1: -5 p50-ns/op cannot"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := new(report.Page).AddBenchmarks([]byte(c.text), "x.txt")
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
	var p report.Page
	require.NoError(t, p.AddBenchmarks([]byte(small), "x.txt"))
	require.ErrorContains(t, p.AddBenchmarks([]byte(small), "x.txt"), "x.txt is named twice",
		"or its values would count twice")
}

func TestBenchmarksGolden(t *testing.T) {
	page := style.ReplaceAllString(measuredPage(t, small), "<style/>")
	parse(t, page)
	golden := filepath.Join("testdata", "benchmarks.html")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(page), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err, "go test ./report -update writes it")
	require.Empty(t, cmp.Diff(string(want), page))
}

// rowsOf are the cells of the tables of figures, row by row.
func rowsOf(t require.TestingT, page string) (rows [][]string) {
	_, rest, found := strings.Cut(page, `<table class="figures">`)
	for found {
		var table string
		table, rest, _ = strings.Cut(rest, "</table>")
		for _, row := range strings.Split(table, "<tr>")[2:] {
			var cells []string
			for _, cell := range strings.Split(row, "<td>")[1:] {
				cells = append(cells, cell[:strings.Index(cell, "</td>")])
			}
			rows = append(rows, cells)
		}
		_, rest, found = strings.Cut(rest, `<table class="figures">`)
	}
	require.NotEmpty(t, rows)
	return rows
}

// The figures on the page are those that memrace compare prints, and bars and whiskers are as long
// as the figures say.
func TestFiguresAreThoseOfTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		stores := []string{"a", "b", "c"}
		values := map[string][]float64{}
		for _, store := range stores {
			values[store] = rapid.SliceOfN(rapid.Float64Range(1, 1e6), 1, 12).Draw(t, store)
			for _, v := range values[store] {
				fmt.Fprintf(&text, "BenchmarkGet/store=%s/clients=8-2 1 %v ops/sec\n", store, v)
			}
		}
		page := measuredPage(t, text.String())
		estimates, axis := map[string]bench.Estimate{}, report.NewSpan()
		for store, v := range values {
			e := bench.NewEstimate(v)
			estimates[store] = e
			if axis.Add(e.Median); e.Interval() {
				axis.Add(e.High)
			}
		}
		x := report.Linear("", axis, report.Plain)
		x.Put(0, 364, 380)
		widths := numbersBehind(page, `class="fill" d="M0 `, "h")
		lows := numbersBehind(page, `class="whisker" d="`, "M")
		highs := numbersBehind(page, `class="whisker" d="`, "H")
		format := bench.Table{Unit: "ops/sec"}.Number
		for i, row := range rowsOf(t, page) {
			e := estimates[stores[i]]
			want := []string{stores[i], format(e.Median), "?", "?", strconv.Itoa(e.N), "-"}
			require.InDelta(t, x.At(e.Median), widths[i], 0.06, "drawn to a tenth of a pixel")
			if e.Interval() {
				want[2], want[3] = format(e.Low), format(e.High)
				require.InDelta(t, x.At(e.Low), lows[0], 0.06)
				require.InDelta(t, x.At(e.High), highs[0], 0.06)
				lows, highs = lows[1:], highs[1:]
			}
			require.Empty(t, cmp.Diff(want, row))
			require.Contains(t, page, format(e.Median)+" "+e.Spread())
		}
		require.Empty(t, lows, "there are no more whiskers")
	})
}

// numbersBehind are the numbers that stand behind a command of each path of a kind.
func numbersBehind(page, kind, command string) (numbers []float64) {
	for _, path := range strings.Split(page, kind)[1:] {
		path = path[:strings.Index(path, `"`)]
		_, rest, _ := strings.Cut(path, command)
		digits := strings.TrimLeft(rest, "0123456789.")
		number, _ := strconv.ParseFloat(strings.TrimSuffix(rest, digits), 64) // or 0, which is none
		numbers = append(numbers, number)
	}
	return numbers
}

func TestOneRoundHasNoInterval(t *testing.T) {
	for _, c := range []struct {
		name   string
		rounds int
		want   string
	}{
		{"one", 1, "of one round no interval is possible; memrace bench --rounds 10 makes ten"},
		{"five", 5, "of 5 rounds no interval is possible; it takes six"},
		{"six", 6, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := measuredPage(t, strings.Repeat("BenchmarkGet/store=a 1 5 ops/sec\n", c.rounds))
			require.Contains(t, page, c.want)
			require.Equal(t, c.want != "", strings.Contains(page, "±?"))
			require.Equal(t, c.want == "", strings.Contains(page, `class="whisker"`))
		})
	}
}

func TestErrorsAreSeen(t *testing.T) {
	page := measuredPage(t, small)
	require.Contains(t, page, "✗ 25% errors, 100.0 ±?", "a store with errors is not merely slow")
	require.Contains(t, rowsOf(t, page),
		[]string{"pool", "upsert, 1 client", "25%", "25%", "busy 25%"})
	require.NotContains(t, page, "None: every call took effect")
	quiet := measuredPage(t, "BenchmarkGet/store=a/clients=8 1 5 ops/sec 0 errors/op\n")
	require.Contains(t, quiet, "None: every call took effect, in all that was done (1 benchmark)")
}

// Files are told from each other, and what makes them hard to compare is said.
func TestSeveralFiles(t *testing.T) {
	other := strings.ReplaceAll(small, "a machine", "another")
	page := measuredPage(t, small, other)
	require.Contains(t, page, "machine differs:")
	require.Contains(t, page, "<p>file1.txt: machine: another</p>")
	require.Contains(t, page, "wal, file1.txt")
	require.NotContains(t, measuredPage(t, small), "file0.txt")
	require.NotContains(t, measuredPage(t, small, small), "differs")
}

// What differs within a file in more than its name is not pooled.
func TestLinesAreKeptApart(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		why        string
	}{
		{"rounds", "BenchmarkGet/store=a-2 1 5 ops/sec\nBenchmarkGet/store=a-2 1 7 ops/sec\n",
			[]string{"get"}, "one load"},
		{"processors", "BenchmarkGet/store=a 1 5 ops/sec\nBenchmarkGet/store=a-2 1 7 ops/sec\n",
			[]string{"get, GOMAXPROCS=1", "get, GOMAXPROCS=2"}, "go test -cpu 1,2"},
		{"packages", "pkg: x/a\nBenchmarkGet/store=a-2 1 5 ops/sec\n" +
			"pkg: x/b\nBenchmarkGet/store=a-2 1 7 ops/sec\n",
			[]string{"get, package x/a", "get, package x/b"}, "go test x/..."},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := measuredPage(t, c.text)
			var got []string
			for _, m := range regexp.MustCompile("<h3>(.*?)</h3>").FindAllStringSubmatch(page, -1) {
				got = append(got, m[1])
			}
			require.Empty(t, cmp.Diff(c.want, got), c.why)
		})
	}
	var p report.Page
	require.NoError(t, p.AddBenchmarks(
		[]byte("BenchmarkGet/store=a 1 5 ops/sec\nBenchmarkGet/store=a-2 1 7 ops/sec\n"), "x.txt"))
	require.ErrorContains(t, p.AddLatencies([]bench.Latencies{{Name: "Get/store=a"}}, "x.txt"),
		"no such line", "nobody knows of which of both they are")
}
