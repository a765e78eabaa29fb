package report

import (
	"cmp"
	"fmt"
	"strings"

	"memrace/bench"
)

// section is a part of a page that has charts or tables. One without either is not shown.
type section struct {
	ID, Name string
	// Lead explains the numbers, a line for each.
	Lead   []string
	Groups []chartGroup
	Tables []figures
	// Left is how many charts were left out, since there are too many to look at.
	Left int
}

// chartGroup is what stands side by side. More are charts that are shown to those who ask.
type chartGroup struct {
	Name         string
	Charts, More []*chart
	MoreName     string
}

// maxCharts is how many charts a section has.
const maxCharts = 72

// add takes in a group, as far as there is room for its charts.
func (s *section) add(g chartGroup) {
	room := maxCharts
	for _, other := range s.Groups {
		room -= len(other.Charts) + len(other.More)
	}
	s.Left += len(g.Charts) + len(g.More)
	g.Charts = g.Charts[:min(room, len(g.Charts))]
	g.More = g.More[:min(room-len(g.Charts), len(g.More))]
	s.Left -= len(g.Charts) + len(g.More)
	if len(g.Charts)+len(g.More) > 0 {
		s.Groups = append(s.Groups, g)
	}
}

// sections are those that there are data for.
func (b *benchmarks) sections() (shown []section) {
	l := newLineup(b)
	for _, s := range []section{l.throughput(), l.scaling(), l.latency(), l.overTime(),
		l.fairness(), l.errors(), l.cost()} {
		if len(s.Groups)+len(s.Tables) > 0 {
			shown = append(shown, s)
		}
	}
	return shown
}

// inUnit returns a number in a unit as memrace compare prints it.
func inUnit(unit string) func(float64) string { return bench.Table{Unit: unit}.Number }

// short returns a number of a tick: 5k rather than 5.000k.
func short(n float64) string {
	text := inUnit("")(n)
	end := strings.TrimLeft(text, "0123456789.")
	digits := strings.TrimSuffix(text, end)
	if strings.Contains(digits, ".") {
		digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	}
	return cmp.Or(digits, "0") + end
}

// intervalCells are the cells of a table that say what rounds have come to.
func intervalCells(e bench.Estimate, text func(float64) string) []string {
	if e.N == 0 {
		return []string{"-", "", "", "0"}
	}
	from, to := "?", "?"
	if e.Interval() {
		from, to = text(e.Low), text(e.High)
	}
	return []string{text(e.Median), from, to, fmt.Sprint(e.N)}
}

// few explains what is missing where there are not enough rounds; nothing if there are.
func few(all []*measured, unit string) (notes []string) {
	least := 0
	for _, m := range all {
		if n := len(m.values[unit]); n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	switch {
	case least == 0 || bench.NewEstimate(make([]float64, least)).Interval():
		return nil
	case least == 1:
		return []string{"±?: of one round no interval is possible; memrace bench --rounds 10 " +
			"makes ten."}
	}
	return []string{fmt.Sprintf("±?: of %d rounds no interval is possible; it takes six.", least)}
}
