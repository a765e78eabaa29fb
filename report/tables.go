package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"memrace/bench"
)

// errors lists what failed, by class.
func (l *lineup) errors() section {
	s := section{ID: "errors", Name: "Errors", Lead: []string{
		"Calls that did not, or may not have, taken effect, beside all calls: the median of the " +
			"rounds, and the most of any round. They are in no throughput and no latency."}}
	all := l.having(errorsPer, load.whole)
	if len(all) == 0 {
		return s
	}
	table := figures{Head: []string{"store", "load", "errors", "most", "by class"}}
	for _, m := range all {
		var seen span
		if seen.add(m.values[errorsPer]...); seen.high > 0 {
			table.Rows = append(table.Rows, []string{l.label(m), m.inFull(),
				percent(m.estimate(errorsPer)),
				percent(bench.NewEstimate([]float64{seen.high})), m.classes()})
		}
	}
	if len(table.Rows) == 0 {
		s.Lead = []string{fmt.Sprintf("None: every call took effect, in all that was done (%s).",
			count(len(all), "benchmark"))}
	}
	s.Tables = append(s.Tables, table)
	return s
}

// inFull names the load, the clients and what else there is.
func (m *measured) inFull() string {
	if clients := withClients(m); clients != m.load.String() {
		return m.load.String() + ", " + clients
	}
	return m.load.String()
}

// measure is a unit, and what it is called and means.
type measure struct{ unit, name, meaning string }

// measures are the units that are no errors, with what each is.
var measures = []measure{
	{"cpu-ns/op", "cpu", "processor time of the process, the clients included"},
	{"allocs/op", "allocs", "what Go allocated, in number"},
	{"B/op", "allocated, B", "what Go allocated"},
	{"fsyncs/op", "fsyncs", "flushes of files to the disk"},
	{"written-B/op", "written, B", "what was given to be written to database, journal and log"},
	{"commits/op", "commits", "transactions that were committed"},
	{"wal-B", "log, B", "how large the write-ahead log is at the end of a turn, as a whole"},
	{"reached/due", "reached", "with a rate: what returned in time, beside what was due"},
	{"queued/due", "queued", "with a rate: what waited at the end, beside what was due"},
	{"late-p99-ns", "late", "with a rate: by how much the measurement was late, 99th percentile"},
}

// classes are the errors by class, the median of each.
func (m *measured) classes() string {
	var parts []string
	for _, unit := range slices.Sorted(maps.Keys(m.values)) {
		class, is := strings.CutSuffix(unit, "/op")
		known := slices.ContainsFunc(measures, func(u measure) bool { return u.unit == unit })
		if !is || known || class == "errors" || strings.HasSuffix(class, "ns") {
			continue
		}
		parts = append(parts, class+" "+percent(m.estimate(unit)))
	}
	return strings.Join(parts, ", ")
}

// cost says what an operation costs.
func (l *lineup) cost() section {
	s := section{ID: "cost", Name: "What an operation costs", Lead: []string{
		"For each operation that took effect: the median of the rounds. Less is better."}}
	table := figures{Head: []string{"store", "load"}}
	var units, meanings []string
	for _, u := range measures {
		if len(l.having(u.unit, load.whole)) > 0 {
			table.Head = append(table.Head, u.name)
			units = append(units, u.unit)
			meanings = append(meanings, u.name+": "+u.meaning)
		}
	}
	if len(units) == 0 {
		return s
	}
	s.Lead = append(s.Lead, strings.Join(meanings, "; ")+".")
	for _, m := range l.measured {
		if !m.load.whole() {
			continue
		}
		row := []string{l.label(m), m.inFull()}
		for _, unit := range units {
			row = append(row, m.cell(unit))
		}
		table.Rows = append(table.Rows, row)
	}
	s.Tables = append(s.Tables, table)
	return s
}

// cell is the median of a unit; a dash where there is none.
func (m *measured) cell(unit string) string {
	e := m.estimate(unit)
	switch {
	case e.N == 0:
		return "-"
	case strings.Contains(unit, "-ns"):
		return human(e.Median)
	case strings.Contains(unit, "B"):
		return inUnit(unit)(e.Median)
	}
	return plain(e.Median)
}
