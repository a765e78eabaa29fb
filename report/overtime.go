package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"memrace/bench"
)

// overTime shows when operations took long.
func (l *lineup) overTime() section {
	s := section{ID: "time", Name: "Latency over time", Lead: []string{
		"When the operations were called that took so long: the measured time of all rounds, one " +
			"after the other, with a line between them. Each round has a fresh database.",
		"A dot is the longest of an interval. A step of the 99th percentile is as wide as it " +
			"takes to have 1,000 operations, and one of the median to have 20."}}
	known := slices.DeleteFunc(l.wholesOverTime(), func(m *measured) bool { return m.took == nil })
	for _, group := range split(known, func(m *measured) load { return m.load }) {
		clients := clientsOf(group)
		g := chartGroup{Name: withSync(group[0]), MoreName: "with fewer clients"}
		y := logarithmic("latency", extremes(group), human)
		for _, m := range group {
			if c := l.timeline(m, y); len(clients) == 0 || m.clients == clients[len(clients)-1] {
				g.Charts = append(g.Charts, c)
			} else {
				g.More = append(g.More, c)
			}
		}
		s.add(g)
	}
	return s
}

// wholesOverTime are those of which it is known that operations took effect, and not one kind
// of a mix.
func (l *lineup) wholesOverTime() []*measured { return l.having("p50-ns/op", load.whole) }

// extremes are the shortest median and the longest latency of all intervals.
func extremes(group []*measured) (s span) {
	for _, m := range group {
		for _, r := range m.rounds {
			for _, i := range r.Intervals {
				if i.Took.TotalCount() > 0 {
					s.add(float64(i.Took.ValueAtPercentile(50)), float64(i.Took.Max()))
				}
			}
		}
	}
	return s
}

// What a chart over time has in it, in the order of its legend.
var timelines = []series{
	{label: "longest", role: "longest"},
	{label: "99th percentile", role: "p99"},
	{label: "median", role: "median"},
}

// timeline is a chart of what one store took, when.
func (l *lineup) timeline(m *measured, y axis) *chart {
	title := l.label(m)
	if m.clients > 0 {
		title += ", " + count(m.clients, "client")
	}
	c := newChart(title, fmt.Sprintf("latency over time, %s, %s", m.inFull(), l.label(m)))
	c.Figures.Head = []string{"round", "p50", "p99", "longest", "called at"}
	c.addLegend(timelines)
	slices.SortStableFunc(m.rounds, func(a, b bench.Latencies) int {
		return cmp.Compare(a.Round, b.Round)
	})
	var whole time.Duration
	for _, r := range m.rounds {
		whole += length(r)
	}
	c.setAxes(linear("measured time", span{high: float64(whole)}, since), y, chartArea)
	c.X.high = max(float64(whole), 1)
	c.X.Ticks = slices.DeleteFunc(c.X.Ticks, func(t axisTick) bool { return t.number > c.X.high })
	c.X.put(c.Left, c.Right)
	c.addTimelines(m.rounds)
	return c
}

// since is a time since the beginning.
func since(ns float64) string {
	if ns == 0 {
		return "0"
	}
	return human(ns)
}

// length is how long a round was measured.
func length(r bench.Latencies) (end time.Duration) {
	for _, i := range r.Intervals {
		end = max(end, i.From+i.For)
	}
	return end
}

func (c *chart) addTimelines(rounds []bench.Latencies) {
	var longest, tail, median strings.Builder
	var begin time.Duration
	for i, r := range rounds {
		if i > 0 {
			c.Guides = append(c.Guides, c.X.at(float64(begin)))
		}
		c.dots(&longest, r, begin)
		c.steps(&tail, r, begin, 99, 1000)
		c.steps(&median, r, begin, 50, 20)
		c.Figures.Rows = append(c.Figures.Rows, roundCells(i, r))
		begin += length(r)
	}
	c.Curves = []*curve{{Class: "median", Line: median.String()},
		{Class: "p99", Line: tail.String()}, {Class: "longest", Line: longest.String()}}
}

// dots draws the longest of each interval.
func (c *chart) dots(path *strings.Builder, r bench.Latencies, begin time.Duration) {
	for _, i := range r.Intervals {
		if i.Took.TotalCount() > 0 {
			fmt.Fprintf(path, "M%v %vh0", c.X.at(float64(begin+i.From+i.For/2)),
				c.Y.at(float64(i.Took.Max())))
		}
	}
}

// steps draws a percentile of each interval, or of several that together have enough operations.
func (c *chart) steps(
	path *strings.Builder, r bench.Latencies, begin time.Duration, percentile float64, enough int64,
) {
	took := newHistogram()
	first := true
	for _, i := range r.Intervals {
		i.Took.MergeInto(took)
		if took.TotalCount() < enough {
			continue
		}
		y := c.Y.at(float64(took.ValueAtQuantile(percentile)))
		if first {
			fmt.Fprintf(path, "M%v %v", c.X.at(float64(begin)), y)
			first = false
		} else {
			fmt.Fprintf(path, "V%v", y)
		}
		fmt.Fprintf(path, "H%v", c.X.at(float64(begin+i.From+i.For)))
		took.Reset()
	}
}

// roundCells are what a round comes to in a table.
func roundCells(i int, r bench.Latencies) []string {
	took, at, longest := newHistogram(), time.Duration(0), int64(-1)
	for _, interval := range r.Intervals {
		interval.Took.MergeInto(took)
		if n := interval.Took; n.TotalCount() > 0 && n.Max() > longest {
			at, longest = interval.From, n.Max()
		}
	}
	if longest < 0 {
		return []string{fmt.Sprint(i + 1), "-", "-", "-", "-"}
	}
	cells := []string{fmt.Sprint(i + 1), human(float64(took.ValueAtQuantile(50))), "-",
		human(float64(longest)), since(float64(at))}
	if took.TotalCount() >= 1000 {
		cells[2] = human(float64(took.ValueAtQuantile(99)))
	}
	return cells
}
