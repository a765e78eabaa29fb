package report_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"memrace/report"
)

var legend = regexp.MustCompile(`class="dot" d="[^"]*"/><text x="(\d+)" y="\d+">(.*?)</text>`)

// However many stores, each curve of a chart has a class of its own, and every store is on one.
func TestManyStoresAreToldApart(t *testing.T) {
	var text strings.Builder
	for i := range 30 {
		for _, driver := range []string{"one", "two"} {
			fmt.Fprintf(&text, "BenchmarkGet/store=s%d/driver=%s/clients=8 1 5 p50-ns/op "+
				"6 ops/sec\n", i, driver)
		}
	}
	bars, page, _ := strings.Cut(measuredPage(t, text.String()), `<section id="latency">`)
	var drawn []int
	for _, chart := range strings.Split(bars, "<svg")[1:] {
		drawn = append(drawn, strings.Count(chart, `class="fill"`))
	}
	require.Equal(t, []int{40, 20}, drawn, "bars have their names beside them")
	charts := strings.Split(page, "<svg")[1:]
	require.Len(t, charts, 8, "for each driver there are 8, 8, 8 and 6")
	curves := 0
	for _, chart := range charts {
		var classes []string
		for _, g := range strings.Split(chart, `<g class="`)[1:] {
			if !strings.Contains(g, "<text") { // one of the legend
				classes = append(classes, g[:strings.Index(g, `"`)])
			}
		}
		curves += len(classes)
		slices.Sort(classes)
		require.Equal(t, classes, slices.Compact(slices.Clone(classes)))
		for _, entry := range legend.FindAllStringSubmatch(chart, -1) {
			require.LessOrEqual(t, number(t, entry[1])+float64(report.TextWidth(entry[2])), 380.0)
		}
	}
	require.Equal(t, 60, curves)
}

// Ten thousand lines make a page that a browser opens, and what is not on it is said.
func TestManyLines(t *testing.T) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "BenchmarkGet/store=s%d/clients=%d-2 1 %d ops/sec 5 p50-ns/op "+
			"9 p99-ns/op 0.5 fewest/most 1 allocs/op\n", i%50, 1+i%100, 1000+i)
	}
	page := measuredPage(t, text.String())
	require.Less(t, len(page), 10<<20)
	require.Contains(t, page, "more charts are left out")
	require.LessOrEqual(t, strings.Count(page, "<svg"), 4*72)
}

// Whatever the numbers: each has a place in the charts, and the page is one.
func TestAnyNumbersMakeAPage(t *testing.T) {
	units := []string{"ops/sec", "p50-ns/op", "p99-ns/op", "p99.9-ns/op", "max-ns/op", "errors/op",
		"fewest/most", "cpu-ns/op", "wal-B", "furlongs"}
	rapid.Check(t, func(rt *rapid.T) {
		number := rapid.OneOf(rapid.SampledFrom([]float64{0, 5e-324, 1e-9, 1, 1e20}),
			rapid.Float64Range(0, 1e20))
		var text strings.Builder
		for range rapid.IntRange(1, 20).Draw(rt, "lines") {
			fmt.Fprintf(&text, "Benchmark%s/store=%s%s",
				rapid.SampledFrom([]string{"Get", "Mixed/mix=get:1,upsert:1", "Mixed",
					"Get/mix=get:1,upsert:1", "Get/x=1/y"}).Draw(rt, "name"),
				rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "store"),
				rapid.SampledFrom([]string{"", "/clients=0", "/clients=1", "/clients=8-2",
					"/clients=-3", "/clients=x", "/clients=8/rate=5",
					"/clients=9223372036854775807"}).Draw(rt, "clients"))
			text.WriteString(" 1")
			distinct := rapid.SliceOfDistinct(rapid.SampledFrom(units), rapid.ID)
			for _, unit := range distinct.Draw(rt, "units") {
				fmt.Fprintf(&text, " %v %s", number.Draw(rt, unit), unit)
			}
			text.WriteString(" 1 ns/op\n")
		}
		page := measuredPage(rt, text.String())
		parse(t, page)
		_, body, _ := strings.Cut(page, "</style>")
		for _, wrong := range []string{"NaN", "Inf", "%!", `d=""`} {
			require.NotContains(rt, body, wrong)
		}
	})
}
