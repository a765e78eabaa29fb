package report_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
)

var (
	upright = regexp.MustCompile(`<text class="tick end" x="[\d.]+" y="([\d.]+)">(.*?)</text>`)
	level   = regexp.MustCompile(`<path class="grid" d="M([\d.]+) [\d.]+V`)
	dots    = regexp.MustCompile(`class="dot" d="M([\d.]+) ([\d.]+)m[^"]*"><title>`)
	whisker = regexp.MustCompile(`M([\d.]+) ([\d.]+)V([\d.]+)m`)
)

// number reads a number that a pattern found.
func number(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return n
}

// Points and whiskers stand where the ticks beside them say that they do.
func TestPointsStandWhereTheAxesSay(t *testing.T) {
	var text strings.Builder
	values := map[int][]float64{1: {100, 200, 300, 400, 500, 600, 900}, 64: {30e3, 40e3, 50e3,
		60e3, 70e3, 80e3, 90e3}, 8: {1000, 2000, 3000, 4000, 5000, 6000, 7000}}
	for _, clients := range []int{8, 64, 1} {
		for _, v := range values[clients] {
			fmt.Fprintf(&text, "BenchmarkGet/store=a/clients=%d 1 %v ops/sec\n", clients, v)
		}
	}
	page := measuredPage(t, text.String())
	chart := page[strings.LastIndex(page, "<svg"):]
	at := map[string]float64{}
	for _, tick := range upright.FindAllStringSubmatch(chart, -1) {
		at[tick[2]] = number(t, tick[1]) - 4 // from the base line of the text to its middle
	}
	y := func(value float64) float64 {
		return at["1k"] + (at["10k"]-at["1k"])*math.Log10(value/1000)
	}
	columns := level.FindAllStringSubmatch(chart, -1)
	points := dots.FindAllStringSubmatch(chart, -1)
	whiskers := whisker.FindAllStringSubmatch(chart, -1)
	require.Len(t, points, 3)
	for i, clients := range []int{1, 8, 64} {
		e := bench.NewEstimate(values[clients])
		x := number(t, columns[i][1])
		require.InDelta(t, x, number(t, points[i][1]), 0.1)
		require.InDelta(t, y(e.Median), number(t, points[i][2]), 0.3)
		require.InDelta(t, x, number(t, whiskers[i][1]), 0.1)
		require.InDelta(t, y(e.Low), number(t, whiskers[i][2]), 0.3)
		require.InDelta(t, y(e.High), number(t, whiskers[i][3]), 0.3)
	}
}

var title = regexp.MustCompile(
	`<text class="title".*?>(.*?)</text>|<h([23])>(.*?)</h|<(summary)>[ew]`)

// titles are the headings of a page and of its charts, with a "+" before those that are folded
// away.
func titles(page string) (list []string) {
	for _, m := range title.FindAllStringSubmatch(page, -1) {
		switch {
		case m[1] != "":
			list = append(list, m[1])
		case m[2] != "":
			list = append(list, strings.Repeat("#", int(m[2][0]-'0'))+" "+m[3])
		default:
			list = append(list, "+")
		}
	}
	return list
}

// Charts of a load stand together, those of one level of synchronous beside each other, and the
// kinds of a mix below it.
func TestOrderOfCharts(t *testing.T) {
	var text strings.Builder
	for _, mix := range []string{"get:1,upsert:1", "get:2,upsert:1"} {
		for _, operation := range []string{"Mixed", "Get", "Upsert"} {
			for _, clients := range []int{1, 8} {
				for _, sync := range []string{"full", "off"} {
					fmt.Fprintf(&text, "Benchmark%s/mix=%s/store=a/sync=%s/clients=%d 1 5 "+
						"p50-ns/op\n", operation, mix, sync, clients)
				}
			}
		}
	}
	four := func(before string) []string {
		return []string{before + "1 client, synchronous full", before + "1 client, synchronous off",
			before + "8 clients, synchronous full", before + "8 clients, synchronous off"}
	}
	var want []string
	for _, mix := range []string{"get=1,upsert=1", "get=2,upsert=1"} {
		want = append(want, "### mixed: "+mix, "1 client, synchronous full",
			"8 clients, synchronous full", "1 client, synchronous off",
			"8 clients, synchronous off", "+")
		want = append(append(want, four("get, ")...), four("upsert, ")...)
	}
	_, page, _ := strings.Cut(measuredPage(t, text.String()), `id="latency"`)
	require.Empty(t, cmp.Diff(append([]string{"## Latency"}, want...), titles(page)))
}

// Without a log the percentiles are the medians of what the rounds say, and the longest is that of
// all.
func TestPercentilesOfAFile(t *testing.T) {
	text := "BenchmarkGet/store=a/clients=8 1 10 p50-ns/op 20 p90-ns/op 30 p99-ns/op " +
		"40 p99.9-ns/op 70 max-ns/op\n"
	page := measuredPage(t, text+strings.ReplaceAll(text, "0 ", "4 ")+
		"BenchmarkGet/store=b/clients=8 1 10 p50-ns/op\nBenchmarkSort 1 5 ns/op\n")
	require.Empty(t, cmp.Diff([][]string{
		{"a", "12 ns", "22 ns", "32 ns", "42 ns", "74 ns"},
		{"b", "10 ns", "-", "-", "-", "-"},
	}, rowsOf(t, page)))
	require.Contains(t, page, "Lines without a store in their names, which are not shown: 1.")
}

// What an operation costs is in a unit that suits it, and nothing is in thousandths.
func TestCosts(t *testing.T) {
	page := measuredPage(t, "BenchmarkGet/store=a/clients=8 1 16900 cpu-ns/op 0.0045 fsyncs/op "+
		"4110 written-B/op 2097152 wal-B\nBenchmarkGet/store=b/clients=8 1 4.5 allocs/op\n")
	require.Contains(t, page, "<th>store</th><th>load</th><th>cpu</th><th>allocs</th>"+
		"<th>fsyncs</th><th>written, B</th><th>log, B</th>")
	require.Empty(t, cmp.Diff([][]string{
		{"a", "get, 8 clients", "16.9 µs", "-", "0.0045", "4.014Ki", "2.000Mi"},
		{"b", "get, 8 clients", "-", "4.5", "-", "-", "-"},
	}, rowsOf(t, page)))
}
