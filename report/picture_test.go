package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/report"
)

func TestPictures(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		why        string
	}{
		{"several numbers of clients", small, []string{
			"throughput against clients, upsert: a curve for each store",
			"latency by percentile, upsert, 8 clients: a curve for each store"}, "the most"},
		{"one number", "BenchmarkGet/store=a/clients=2 1 5 ops/sec 7 p50-ns/op\n", []string{
			"throughput, get, 2 clients: a bar for each store",
			"latency by percentile, get, 2 clients: a curve for each store"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p report.Page
			require.NoError(t, p.AddBenchmarks([]byte(c.text), "x.txt"))
			pictures, err := p.Pictures()
			require.NoError(t, err)
			var names, got []string
			for _, picture := range pictures {
				names = append(names, picture.Name)
				all := parse(t, string(picture.SVG))
				require.Equal(t, "http://www.w3.org/2000/svg", all[0].attrs["xmlns"],
					"or it is no picture in a browser")
				got = append(got, all[0].attrs["aria-label"])
				require.Contains(t, string(picture.SVG), "prefers-color-scheme: dark")
				require.Equal(t, 1, strings.Count(string(picture.SVG), "http"),
					"it asks for nothing from elsewhere")
			}
			require.Empty(t, cmp.Diff(report.PictureNames(), names))
			require.Empty(t, cmp.Diff(c.want, got), c.why)
		})
	}
}

// The table for a document says what the rounds come to, of the most clients alone.
func TestFigures(t *testing.T) {
	const text = `BenchmarkUpsert/store=a/clients=8/sync=full 1 5 ops/sec 7 p99-ns/op
BenchmarkUpsert/store=a/clients=64/sync=full 1 1000 ops/sec 2000000 p99-ns/op 1 fsyncs/op
BenchmarkUpsert/store=a/clients=64/sync=full 1 3000 ops/sec 4000000 p99-ns/op 1 fsyncs/op
BenchmarkUpsert/store=b|c/clients=64/sync=full 1 70000 ops/sec
BenchmarkUpsert/store=a/clients=64/sync=normal 1 9 ops/sec
BenchmarkGet/store=a/clients=64/sync=full 1 9 ops/sec
`
	var p report.Page
	require.NoError(t, p.AddBenchmarks([]byte(text), "x.txt"))
	got, err := p.Figures()
	require.NoError(t, err)
	const want = `
| upsert, 64 clients | ops/s | p50 | p90 | p99 | fsyncs/op | fewest/most |
| --- | --- | --- | --- | --- | --- | --- |
| 'a' full | 2.000k ±? | - | - | 3 ms | 1 | - |
| 'b\|c' full | 70.00k ±? | - | - | - | - | - |
`
	require.Empty(t, cmp.Diff(strings.ReplaceAll(want[1:], "'", "`"), got))
	_, err = new(report.Page).Figures()
	require.ErrorContains(t, err, "nothing is measured in ops/sec")
}

// What the table says of latency the picture says too: of all rounds together where there is a log,
// and else the medians of the rounds.
func TestFiguresAreThoseOfThePicture(t *testing.T) {
	const text = `BenchmarkGet/store=a/clients=8 1 5 ops/sec 10000 p50-ns/op 2000000 p99-ns/op
BenchmarkGet/store=a/clients=8 1 5 ops/sec 10000 p50-ns/op 4000000 p99-ns/op
`
	log := []bench.Latencies{{Name: "Get/store=a/clients=8", Intervals: []bench.Interval{
		took(t, 0, map[time.Duration]int64{20 * us: 9000, 8000 * us: 1000})}}}
	for _, c := range []struct {
		name     string
		log      []bench.Latencies
		p50, p99 string
	}{{"the file alone", nil, "10 µs", "3 ms"}, {"with the log", log, "20.1 µs", "8.03 ms"}} {
		t.Run(c.name, func(t *testing.T) {
			var p report.Page
			require.NoError(t, p.AddBenchmarks([]byte(text), "x.txt"))
			require.NoError(t, p.AddLatencies(c.log, "x.txt"))
			figures, err := p.Figures()
			require.NoError(t, err)
			require.Contains(t, figures, "±? | "+c.p50+" |")
			require.Contains(t, figures, "| "+c.p99+" | - | - |")
			pictures, err := p.Pictures()
			require.NoError(t, err)
			require.Contains(t, string(pictures[1].SVG), ">a, p50: "+c.p50)
			require.Contains(t, string(pictures[1].SVG), ">a, p99: "+c.p99)
		})
	}
}

func TestNoPictures(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no throughput", "BenchmarkGet/store=a 1 7 p50-ns/op\n", "nothing is measured in ops/sec"},
		{"no latency", "BenchmarkGet/store=a/clients=2 1 7 ops/sec\n",
			"there are no latencies of get, 2 clients"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p report.Page
			require.NoError(t, p.AddBenchmarks([]byte(c.text), "x.txt"))
			_, err := p.Pictures()
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := new(report.Page).Pictures()
	require.ErrorContains(t, err, "nothing is measured", "there is no file at all")
}
