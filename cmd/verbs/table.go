package verbs

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"memrace/stress/check"
)

// headings are the properties as the table names them.
var headings = map[check.Property]string{
	check.Uniqueness: "unique", check.Linearizability: "linear", check.FinalValue: "final",
}

func newTable(head table.Row, numbers ...string) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.Options{SeparateHeader: true}
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(head)
	var configs []table.ColumnConfig
	for _, name := range numbers {
		configs = append(configs, table.ColumnConfig{
			Name: name, Align: text.AlignRight, AlignHeader: text.AlignRight,
		})
	}
	t.SetColumnConfigs(configs)
	return t
}

// table draws a line for each store.
func (rep *report) table() string {
	head := table.Row{"store", "runs", "ops", "ops/s", "p50", "p99", "errors"}
	shown := rep.shownProperties()
	for _, p := range shown {
		name := headings[p]
		if name == "" {
			name = string(p)
		}
		head = append(head, name)
	}
	t := newTable(head, "runs", "ops", "ops/s", "p50", "p99", "errors")
	for _, row := range rep.rows {
		s := &row.summary
		cells := table.Row{row.store, runsCell(row), s.Operations, perSecond(s.PerSecond()),
			latencyCell(s.Latency(50)), latencyCell(s.Latency(99)), s.Operations - s.OK}
		for _, p := range shown {
			cells = append(cells, row.cell(p))
		}
		t.AppendRow(cells)
	}
	return t.Render()
}

// runsCell counts the runs, and says how many of them were not made.
func runsCell(row *storeRow) string {
	if row.skipped == 0 {
		return strconv.Itoa(row.runs)
	}
	return fmt.Sprintf("%d, %d skipped", row.runs, row.skipped)
}

// shownProperties are all but those that no run had to do with.
func (rep *report) shownProperties() []check.Property {
	return slices.DeleteFunc(check.Properties(), func(p check.Property) bool {
		return p == check.Snapshot && !slices.ContainsFunc(rep.rows, func(row *storeRow) bool {
			return row.judged[p]
		})
	})
}

// cell is the state of a property, or that no run had to do with it.
func (row *storeRow) cell(p check.Property) string {
	if !row.judged[p] && row.skipped < row.runs {
		return "-"
	}
	return stateCell(row.states[p])
}

// stateCell is a state as the table shows it: what is no "holds" has to catch the eye.
func stateCell(s check.State) string {
	switch s {
	case check.Holds:
		return "holds"
	case check.Violated:
		return "VIOLATED"
	case check.Undecided:
		return "undecided"
	}
	return "skipped"
}

func perSecond(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }

// latencyCell rounds a time to three digits.
func latencyCell(d time.Duration) string {
	switch {
	case d == 0:
		return "-"
	case d < time.Millisecond:
		return fmt.Sprintf("%.3gµs", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3gms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.3gs", d.Seconds())
}
