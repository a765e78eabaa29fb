package report

import (
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"memrace/bench"
)

// AddLatencies takes in the latencies over time of the lines of a file of benchmarks, which was
// added before. It is an error if one is of no line.
func (p *Page) AddLatencies(all []bench.Latencies, path string) error {
	for _, l := range all {
		m := p.benchmarks.at[nameIn{path, l.Name}]
		if m == nil {
			return fmt.Errorf("there are latencies of %s, but no such line in %s", l.Name, path)
		}
		m.rounds = append(m.rounds, l)
		if m.took == nil {
			m.took = newHistogram()
		}
		for _, i := range l.Intervals {
			i.Took.MergeInto(m.took)
		}
	}
	return nil
}

// newHistogram returns one of the range that those of package bench have, so that nothing is
// dropped when they are merged.
func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, int64(time.Hour), 2)
}

// latencyUnits are those of a file, by percentile.
var latencyUnits = []struct {
	percentile float64
	unit       string
}{{50, "p50-ns/op"}, {90, "p90-ns/op"}, {99, "p99-ns/op"}, {99.9, "p99.9-ns/op"}}

const longestUnit = "max-ns/op"

// latency shows how long operations took.
func (l *lineup) latency() section {
	s := section{ID: "latency", Name: "Latency", Lead: []string{
		"How long operations took that took effect. At 99 on the lower axis: one in 100 took " +
			"longer than that. Less is better.",
		"A percentile is shown where ten operations or more took longer: a 99th takes 1,000 of " +
			"them, a 99.9th 10,000. Without a rate latency is service time: while a store " +
			"stalls nobody calls.",
	}}
	s.Lead = append(s.Lead, l.sources()...)
	kinds := split(l.having("p50-ns/op", load.kind), (*measured).mixed)
	for _, group := range l.wholes("p50-ns/op") {
		g := chartGroup{Name: group[0].load.group().String(), Charts: l.tails(group),
			MoreName: "each kind of operation by itself"}
		for _, some := range kinds {
			if group[0].mix != "" && some[0].mixed() == group[0].mixed() {
				g.More = append(g.More, l.tails(some)...)
			}
		}
		s.add(g)
	}
	return s
}

// tails are the charts of a group, all of them with the same axes.
func (l *lineup) tails(group []*measured) (charts []*chart) {
	x, y := nines(group), logarithmic("latency", latencies(group), human)
	for _, panel := range l.panels(group) {
		title := withClients(panel[0])
		if !panel[0].whole() {
			title = load{operation: panel[0].operation}.String() + ", " + title
		}
		charts = append(charts, l.tail(panel, title, x, y))
	}
	return charts
}

// mixed is the load without the kind of operation and what a group has side by side.
func (m *measured) mixed() load {
	all := m.load.group()
	all.operation = ""
	return all
}

// sources say where the latencies are from.
func (l *lineup) sources() (notes []string) {
	log, file := false, false
	for _, m := range l.measured {
		log = log || len(m.rounds) > 0
		file = file || len(m.rounds) == 0
	}
	if log {
		notes = append(notes, "Curves are of all rounds together, exact to 1 in 100.")
	}
	if file {
		notes = append(notes, "Curves of straight lines have no more to go by than the "+
			"percentiles in the file: medians of the rounds, with their intervals.")
	}
	return notes
}

// nines is an axis of the percentiles that a group has: equal distances are equal factors of how
// many operations took longer.
func nines(group []*measured) axis {
	a := axis{Name: "percentile of the operations, %", low: percentiles[0], high: 90,
		place: place}
	for _, m := range group {
		for _, p := range m.tail() {
			a.high = max(a.high, p.x)
		}
	}
	for _, p := range percentiles {
		if p <= a.high {
			a.tick(p, fmt.Sprint(p))
		}
	}
	return a
}

// latencies are those that a group has.
func latencies(group []*measured) (s span) {
	for _, m := range group {
		for _, p := range m.tail() {
			s.add(p.y)
			if p.high > 0 {
				s.add(p.low, p.high)
			}
		}
	}
	return s
}

// percentiles are those that an axis of them names.
var percentiles = []float64{50, 90, 99, 99.9, 99.99, 99.999}

// tail is a chart of percentiles.
func (l *lineup) tail(panel []*measured, title string, x, y axis) *chart {
	c := newChart(l.of(panel[0], title), fmt.Sprintf("latency by percentile, %s: a curve for each "+
		"store", panel[0].inFull()))
	c.Figures.Head = []string{"store"}
	for _, u := range latencyUnits {
		c.Figures.Head = append(c.Figures.Head, fmt.Sprintf("p%v", u.percentile))
	}
	c.Figures.Head = append(c.Figures.Head, "longest")
	c.addLegend(l.names(panel))
	c.setAxes(x, y, chartArea)
	for _, m := range panel {
		c.addCurve(l.curve(m), m.tail())
		c.Figures.Rows = append(c.Figures.Rows, append([]string{l.curve(m).label}, m.told()...))
	}
	return c
}

// told are the percentiles of a table, and the longest.
func (m *measured) told() (cells []string) {
	for _, u := range latencyUnits {
		cells = append(cells, m.within(u.percentile))
	}
	var longest span
	longest.add(m.values[longestUnit]...)
	if !longest.any {
		return append(cells, "-")
	}
	return append(cells, human(longest.high))
}

// within is the latency that a percentile has on its curve; a dash if it is not there.
func (m *measured) within(percentile float64) string {
	for _, p := range m.tail() {
		if p.x == percentile {
			return human(p.y)
		}
	}
	return "-"
}

// tail is the curve of the percentiles: of all rounds together where the latencies are known, and
// else the medians of what each round says.
func (m *measured) tail() []point {
	if m.points == nil && m.took != nil {
		m.points = percentilesOf(m.took)
	}
	if m.points == nil {
		m.points = m.medians()
	}
	return m.points
}

// medians are those of the percentiles that the lines have.
func (m *measured) medians() (points []point) {
	for _, u := range latencyUnits {
		e := m.estimate(u.unit)
		if e.N > 0 {
			points = append(points, newPoint(u.percentile, e, fmt.Sprintf("p%v: %s %s",
				u.percentile, human(e.Median), e.Spread())))
		}
	}
	return points
}

// percentilesOf are those that there are enough operations for, at equal distances on the axis.
// Those that the axis names have a mark, and the median needs no more than one operation.
func percentilesOf(took *hdrhistogram.Histogram) (points []point) {
	const perDecade = 20
	last := place(100 * (1 - bench.Beyond/float64(took.TotalCount())))
	at := func(p float64, text string) {
		points = append(points, point{x: p, y: float64(took.ValueAtQuantile(p)), text: text})
	}
	for i, p := range percentiles {
		if took.TotalCount() == 0 || i > 0 && place(p) > last+1e-9 {
			return points
		}
		at(p, fmt.Sprintf("p%v", p)+": "+human(float64(took.ValueAtQuantile(p))))
		if i+1 == len(percentiles) {
			return points
		}
		steps := math.Round((place(percentiles[i+1]) - place(p)) * perDecade)
		for step := 1.0; step < steps; step++ {
			nines := place(p) + step/perDecade
			if nines > last {
				return points
			}
			at(100*(1-math.Pow(10, -nines)), "")
		}
	}
	return points
}

// place is where a percentile is on an axis of them: how many nines it has.
func place(percentile float64) float64 { return -math.Log10(1 - percentile/100) }
