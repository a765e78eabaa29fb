package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// FiguresName is the name of the file that what Figures returns is for.
const FiguresName = "figures.md"

// columns are those of a table for a document: units, or percentiles of the latency.
var columns = []struct {
	name, unit string
	percentile float64
}{
	{"ops/s", opsPerSec, 0}, {"p50", "", 50}, {"p90", "", 90}, {"p99", "", 99},
	{"fsyncs/op", "fsyncs/op", 0}, {fewestMost, fewestMost, 0},
}

// Figures returns a table in Markdown of what Pictures show: the stores with the most clients, of
// the first mix, at the first level of synchronous. It is an error if there is nothing to show.
func (p *Page) Figures() (string, error) {
	l := newLineup(&p.benchmarks)
	groups := l.wholes(opsPerSec)
	if len(groups) == 0 {
		return "", errors.New("list figures: nothing is measured in ops/sec")
	}
	shown := l.rows(groups[0])[0]
	most := slices.MaxFunc(shown, func(a, b *measured) int {
		return cmp.Compare(a.clients, b.clients)
	}).clients
	var b strings.Builder
	row := func(cells ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	row(append([]string{shown[0].load.group().String() + ", " + count(most, "client")},
		names()...)...)
	row(slices.Repeat([]string{"---"}, 1+len(columns))...)
	for _, m := range shown {
		if m.clients == most {
			row(append([]string{m.inSync(l.label(m))}, m.cells()...)...)
		}
	}
	return b.String(), nil
}

func names() (all []string) {
	for _, c := range columns {
		all = append(all, c.name)
	}
	return all
}

// inSync is a store with its level of synchronous, if that is named.
func (m *measured) inSync(label string) string {
	label = strings.ReplaceAll(label, "|", `\|`) // which would end a cell
	return strings.TrimSuffix(fmt.Sprintf("`%s` %s", label, m.sync), " ")
}

// cells are the medians of the rounds, of throughput its spread too, and of latency what the
// picture shows.
func (m *measured) cells() (all []string) {
	for _, c := range columns {
		e := m.estimate(c.unit)
		switch {
		case c.percentile > 0:
			all = append(all, m.within(c.percentile))
		case e.N == 0:
			all = append(all, "-")
		case c.unit == opsPerSec:
			all = append(all, inUnit(c.unit)(e.Median)+" "+e.Spread())
		default:
			all = append(all, fmt.Sprintf("%.2g", e.Median))
		}
	}
	return all
}
