package report_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/report"
)

// took is an interval of a millisecond in which so many operations took that long each.
func took(t *testing.T, at int, counts map[time.Duration]int64) bench.Interval {
	t.Helper()
	h := hdrhistogram.NewPacked(1, int64(time.Hour), 2)
	for long, n := range counts {
		require.NoError(t, h.RecordValues(int64(long), n))
	}
	return bench.Interval{From: time.Duration(at) * time.Millisecond, For: time.Millisecond,
		Took: h}
}

const us = time.Microsecond

// overTime is the page of a store with two rounds, the second before the first: in all 990
// operations of 10 µs, ten of 1 ms, one of 50 ms, and an interval without any.
func overTime(t *testing.T) string {
	t.Helper()
	var p report.Page
	require.NoError(t, p.AddBenchmarks([]byte(
		"BenchmarkGet/store=a/clients=8-2 1 7 p50-ns/op 50000000 max-ns/op\n"), "x.txt"))
	require.NoError(t, p.AddLatencies([]bench.Latencies{
		{Name: "Get/store=a/clients=8", Round: 1, Intervals: []bench.Interval{
			took(t, 0, map[time.Duration]int64{10 * us: 400, 50_000 * us: 1}),
			took(t, 1, nil)}},
		{Name: "Get/store=a/clients=8", Intervals: []bench.Interval{
			took(t, 0, map[time.Duration]int64{10 * us: 290, 1000 * us: 10}),
			took(t, 1, map[time.Duration]int64{10 * us: 300})}},
	}, "x.txt"))
	return pageOf(t, &p)
}

func TestLatenciesOverTime(t *testing.T) {
	page := overTime(t)
	require.Empty(t, cmp.Diff([]string{"machine", "latency", "time"}, sections(t, page)))
	rows := rowsOf(t, page)
	require.Empty(t, cmp.Diff([][]string{
		{"a", "10 µs", "10 µs", "1 ms", "-", "50 ms"},
		{"1", "10 µs", "-", "1 ms", "0"},
		{"2", "10 µs", "-", "50.1 ms", "0"},
	}, rows), "a percentile that nobody can tell is left out, and rounds are in their order")
	require.Equal(t, 1, strings.Count(page, `class="between"`), "a line between two rounds")
}

var (
	curveOf = regexp.MustCompile(`<g class="(longest|p99|median)">\s*<path class="line" d="(.*?)"`)
	between = regexp.MustCompile(`class="between" d="M([\d.]+) `)
)

// timelines are the curves of the charts of a page, each with its commands apart.
func timelines(page string) map[string][]string {
	curves := map[string][]string{}
	for _, m := range curveOf.FindAllStringSubmatch(page, -1) {
		curves[m[1]] = append(curves[m[1]], strings.Fields(
			strings.NewReplacer("M", " M", "H", " H", "V", " V", "h0", "").Replace(m[2]))...)
	}
	return curves
}

// The area of the chart is from 59.5 to 364, which is two rounds of two milliseconds; the axis of
// latency has 10 µs to 100 ms.
func TestDotsAndSteps(t *testing.T) {
	page := overTime(t)
	guide := between.FindStringSubmatch(page)
	require.NotNil(t, guide)
	middle := number(t, guide[1])
	curves := timelines(page)
	require.Len(t, curves["longest"], 6, "three intervals have operations: x and y of each")
	var xs []float64
	for i := 0; i < 6; i += 2 {
		xs = append(xs, number(t, curves["longest"][i][1:]))
	}
	quarter := xs[1] - xs[0]
	require.InDelta(t, middle-1.5*quarter, xs[0], 0.2, "in the middle of its interval")
	require.InDelta(t, middle-0.5*quarter, xs[1], 0.2)
	require.InDelta(t, middle+0.5*quarter, xs[2], 0.2, "the second begins where the first ends")
	require.Empty(t, curves["p99"], "no round has 1,000 operations")
	steps := curves["median"]
	require.Len(t, steps, 8, "a step for each interval: two joined, and one apart")
	for i, x := range map[int]float64{0: -2, 2: -1, 4: 0, 5: 0, 7: 1} {
		require.InDelta(t, middle+x*quarter, number(t, steps[i][1:]), 0.2)
	}
}

// A step of the 99th percentile is as wide as it takes to have 1,000 operations, and counts none
// twice.
func TestStepsOfATail(t *testing.T) {
	var p report.Page
	require.NoError(t, p.AddBenchmarks([]byte("BenchmarkGet/store=a/clients=8 1 7 p50-ns/op\n"+
		"BenchmarkGet/store=a/clients=2 1 7 p50-ns/op\n"), "x.txt"))
	slow := map[time.Duration]int64{10 * us: 400, 1000 * us: 100}
	fast := map[time.Duration]int64{10 * us: 500}
	require.NoError(t, p.AddLatencies([]bench.Latencies{
		{Name: "Get/store=a/clients=2", Intervals: []bench.Interval{took(t, 0, fast)}},
		{Name: "Get/store=a/clients=8", Intervals: []bench.Interval{took(t, 0, slow),
			took(t, 1, slow), took(t, 2, fast), took(t, 3, fast), took(t, 4, fast)}},
	}, "x.txt"))
	page := pageOf(t, &p)
	_, page, _ = strings.Cut(page, `<section id="time">`)
	require.Empty(t, cmp.Diff([]string{"## Latency over time", "### get", "a, 8 clients", "+",
		"a, 2 clients"}, titles(page)),
		"fewer clients are folded away")
	tail := timelines(page)["p99"]
	require.Len(t, tail, 5, "two steps of two intervals, and no more")
	a := []float64{number(t, tail[0][1:]), number(t, tail[2][1:]), number(t, tail[4][1:])}
	require.InDelta(t, a[1]-a[0], a[2]-a[1], 0.2, "each as wide as the other")
	require.Greater(t, number(t, tail[3][1:]), number(t, tail[1]), "the second is faster")
}

// A curve goes as far as ten operations lie beyond it, and no further.
func TestCurvesEndWhereTheyCannotBeTold(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want []string
		why  string
	}{
		{1, []string{"p50"}, "a median needs no more than one"},
		{99, []string{"p50"}, ""},
		{100, []string{"p50", "p90"}, "ten of them took longer"},
		{999, []string{"p50", "p90"}, ""},
		{1000, []string{"p50", "p90", "p99"}, ""},
		{100_000, []string{"p50", "p90", "p99", "p99.9", "p99.99"}, ""},
		{100_000_000, []string{"p50", "p90", "p99", "p99.9", "p99.99", "p99.999"}, "the last"},
	} {
		t.Run(fmt.Sprint(c.n), func(t *testing.T) {
			h := hdrhistogram.New(1, int64(time.Hour), 2)
			require.NoError(t, h.RecordValues(100, c.n))
			var marks []string
			for _, p := range report.PercentilesOf(h) {
				if name, _, is := strings.Cut(p.Text(), ":"); is {
					marks = append(marks, name)
				}
			}
			require.Empty(t, cmp.Diff(c.want, marks), c.why)
		})
	}
}

// Each point of a curve is what the histogram says, the percentiles rise, and none stands twice.
func TestCurvesAreThoseOfTheHistogram(t *testing.T) {
	h := hdrhistogram.New(1, int64(time.Hour), 2)
	for i := range int64(20_000) {
		require.NoError(t, h.RecordValue(1+i*i))
	}
	last := 0.0
	var xs []float64
	for _, p := range report.PercentilesOf(h) {
		x, y := p.Place()
		require.Greater(t, x, last)
		require.InDelta(t, h.ValueAtQuantile(x), y, 0)
		require.GreaterOrEqual(t, 20_000*(1-x/100), 10-1e-6)
		last = x
		xs = append(xs, x)
	}
	require.Greater(t, len(xs), 50, "it is a curve")
	require.True(t, slices.Contains(xs, 99.9))
}

func TestLatenciesOfNoLine(t *testing.T) {
	var p report.Page
	require.NoError(t, p.AddBenchmarks([]byte("BenchmarkGet/store=a 1 7 p50-ns/op\n"), "x.txt"))
	for _, c := range []struct{ name, path string }{{"Get/store=b", "x.txt"},
		{"Get/store=a", "y.txt"}} {
		err := p.AddLatencies([]bench.Latencies{{Name: c.name}}, c.path)
		require.EqualError(t, err,
			fmt.Sprintf("there are latencies of %s, but no such line in %s", c.name, c.path))
	}
}
