package report

import (
	"fmt"
	"strconv"

	"memrace/bench"
)

const (
	opsPerSec  = "ops/sec"
	errorsPer  = "errors/op"
	fewestMost = "fewest/most"
)

// throughput shows how much each store does, by how many clients.
func (l *lineup) throughput() section {
	s := section{ID: "throughput", Name: "Throughput", Lead: []string{
		"Operations a second that took effect and returned within the measured time: the median " +
			"of the rounds. More is better.",
		"The whisker, and ±: in 95 of 100 cases the true median is in it."}}
	s.Lead = append(s.Lead, few(l.measured, opsPerSec)...)
	for _, group := range l.wholes(opsPerSec) {
		g := chartGroup{Name: group[0].load.group().String()}
		x := linear("operations a second", highest(group), short)
		for _, panel := range l.sides(group) {
			g.Charts = append(g.Charts, l.bars(panel, x))
		}
		s.add(g)
	}
	return s
}

// highest are the throughputs of a group, with their intervals.
func highest(group []*measured) (s span) {
	for _, m := range group {
		e := m.estimate(opsPerSec)
		s.add(e.Median)
		if e.Interval() {
			s.add(e.Low, e.High)
		}
	}
	return s
}

// bars is a chart of stores side by side.
func (l *lineup) bars(panel []*measured, x axis) *chart {
	c := newChart(withClients(panel[0]), fmt.Sprintf("throughput, %s: a bar for each store",
		panel[0].inFull()))
	c.Figures.Head = []string{"store", "ops/s", "from", "to", "rounds", "errors"}
	var bars []*chartBar
	for _, m := range panel {
		name, e := l.label(m), m.estimate(opsPerSec)
		text := inUnit(opsPerSec)(e.Median) + " " + e.Spread()
		if errors := m.estimate(errorsPer); errors.Median > 0 {
			text = "✗ " + percent(errors) + " errors, " + text
		}
		bars = append(bars, &chartBar{Class: l.curve(m).class(), Name: name, Figure: text,
			Text: name + ": " + text, estimate: e})
		cells := intervalCells(e, inUnit(opsPerSec))
		c.Figures.Rows = append(c.Figures.Rows,
			append(append([]string{name}, cells...), percent(m.estimate(errorsPer))))
	}
	c.addBars(bars, x)
	return c
}

// percent returns the median of a part as a percentage; a dash if there is none.
func percent(part bench.Estimate) string {
	if part.N == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3g%%", 100*part.Median)
}

// scaling shows throughput against the number of clients.
func (l *lineup) scaling() section {
	s := section{ID: "clients", Name: "Throughput against clients", Lead: []string{
		"The same numbers by how many clients call at once, the whiskers too. Both axes are " +
			"logarithmic."}}
	var g chartGroup
	for _, group := range l.wholes(opsPerSec) {
		if clients := clientsOf(group); len(clients) > 1 {
			for _, row := range l.rows(group) {
				g.Charts = append(g.Charts, l.against(row, clients, throughputOf(group)))
			}
		}
	}
	s.add(g)
	return s
}

// fairness shows how many operations the worst-off client had beside the best-off one.
func (l *lineup) fairness() section {
	s := section{ID: "fairness", Name: "Fairness", Lead: []string{
		"How many operations the worst-off client had beside the best-off one, the median of the " +
			"rounds: 1 is fair, and at 0 some client never had its turn."}}
	var g chartGroup
	for _, group := range l.wholes(fewestMost) {
		if clients := clientsOf(group); len(clients) > 0 {
			for _, row := range l.rows(group) {
				g.Charts = append(g.Charts, l.against(row, clients, quantity{"fairness", fewestMost,
					plain, linear(fewestMost, span{high: 1}, plain)}))
			}
		}
	}
	s.add(g)
	return s
}

// plain returns a number that needs no unit.
func plain(n float64) string { return strconv.FormatFloat(n, 'g', 3, 64) }

// quantity is what a chart shows: in which unit of the files, and how it is written and drawn.
type quantity struct {
	name, unit string
	text       func(float64) string
	axis       axis
}

// throughputOf is the throughput of a group, on an axis of factors.
func throughputOf(group []*measured) quantity {
	return quantity{"throughput", opsPerSec, inUnit(opsPerSec),
		logarithmic("operations a second", highest(group), short)}
}

// against is a chart of a quantity of each store by the number of clients.
func (l *lineup) against(row []*measured, clients []int, q quantity) *chart {
	name := withSync(row[0])
	c := newChart(l.of(row[0], name), q.name+" against clients, "+name+": a curve for each store")
	c.Figures.Head = []string{"store", "clients", q.unit, "from", "to", "rounds"}
	c.addLegend(l.names(row))
	c.setAxes(counts("clients", clients), q.axis, chartArea)
	for _, curve := range l.curves(row) {
		s := l.curve(curve[0])
		var points []point
		for _, m := range curve {
			e := m.estimate(q.unit)
			if m.clients > 0 {
				points = append(points, newPoint(float64(m.clients), e, fmt.Sprintf("%s: %s %s",
					count(m.clients, "client"), q.text(e.Median), e.Spread())))
			}
			c.Figures.Rows = append(c.Figures.Rows, append([]string{s.label,
				fmt.Sprint(m.clients)}, intervalCells(e, q.text)...))
		}
		c.addCurve(s, points)
	}
	return c
}
