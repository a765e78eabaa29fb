package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"
)

// Table is what results say in one unit.
type Table struct {
	// Unit is the unit, in seconds where the files have nanoseconds.
	Unit string
	// Better is 1 if higher values are better, -1 if lower ones are, and 0 if nobody says.
	Better int
	// Columns are the names of the columns. All others are compared with the first.
	Columns []string
	Rows    []Row
}

// Row is a line of a table: what was measured, and an Estimate for each column, with an N of 0
// where there is none.
type Row struct {
	Name      string
	Estimates []Estimate
}

// Change is how one estimate differs from another.
type Change struct {
	// Part is by how much the median has changed, as a part of the one before; infinite if that was
	// nothing.
	Part float64
	// P is how likely such a difference is if nothing has changed (the U test of Mann and Whitney).
	P float64
	// Significant is true if P is below 0.05, Decidable if so many values could have made it so.
	Significant, Decidable bool
}

// Units are those that the results have, in the order in which they came.
func (r *Results) Units() (units []string) {
	for _, l := range r.lines {
		if !slices.Contains(units, l.unit) {
			units = append(units, l.unit)
		}
	}
	return units
}

// Tables returns a table for each of the units, or for every unit there is if none is named. It is
// an error if no two columns have a line and a unit in common, and if nothing has a unit.
func (r *Results) Tables(units ...string) ([]Table, error) {
	if len(r.columns) < 2 {
		return nil, r.lonely()
	}
	if len(units) == 0 {
		units = r.Units()
	}
	var tables []Table
	common := false
	for _, unit := range units {
		t := r.table(tidy(unit))
		if len(t.Rows) == 0 {
			return nil, fmt.Errorf("nothing is in %s; the units are %s", unit,
				strings.Join(r.Units(), ", "))
		}
		common = common || slices.ContainsFunc(t.Rows, Row.compared)
		tables = append(tables, t)
	}
	if !common {
		return nil, fmt.Errorf("there is nothing to compare: %s; other parts of the names may go "+
			"with the columns, as in --col store,driver,sync", r.apart())
	}
	return tables, nil
}

// lonely says why there is but one column.
func (r *Results) lonely() error {
	if only := columnName(r.columns[0]); only != none {
		return fmt.Errorf("there is nothing to compare: there is only %s", only)
	}
	return fmt.Errorf("there is nothing to compare: no name has such a part; one is %s",
		r.shown(r.lines[0]))
}

func (r *Results) table(unit string) Table {
	t := Table{Unit: unit, Better: r.units.GetBetter(unit)}
	for _, column := range r.columns {
		t.Columns = append(t.Columns, columnName(column))
	}
	for _, lines := range r.rows(unit) {
		row := Row{Name: r.shown(lines[0])}
		for _, column := range r.columns {
			var values []float64
			for _, l := range lines {
				values = append(values, r.values[place{l, column}]...)
			}
			row.Estimates = append(row.Estimates, NewEstimate(values))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// rows are the lines of a unit, those together that are shown under one name.
func (r *Results) rows(unit string) (rows [][]entry) {
	at := map[string]int{}
	for _, l := range r.lines {
		if l.unit != unit {
			continue
		}
		i, known := at[r.shown(l)]
		if !known {
			i = len(rows)
			at[r.shown(l)] = i
			rows = append(rows, nil)
		}
		rows[i] = append(rows[i], l)
	}
	return rows
}

// none is the name of the column of lines that have no such part.
const none = "(none)"

func columnName(c benchproc.Key) string {
	if name := c.StringValues(); strings.TrimSpace(name) != "" {
		return name
	}
	return none
}

// compared reports whether a row has something to compare with the first column.
func (r Row) compared() bool {
	return r.Estimates[0].N > 0 &&
		slices.ContainsFunc(r.Estimates[1:], func(e Estimate) bool { return e.N > 0 })
}

// Change returns how e differs from the estimate that was before. Both need at least one value.
func (e Estimate) Change(before Estimate) Change {
	compared := benchmath.AssumeNothing.Compare(before.sample, e.sample)
	c := Change{P: compared.P, Significant: compared.P < compared.Alpha,
		Decidable: leastP(before.N, e.N) < compared.Alpha}
	switch {
	case before.Median != 0:
		c.Part = (e.Median - before.Median) / math.Abs(before.Median)
	case e.Median != 0:
		c.Part = math.Copysign(math.Inf(1), e.Median)
	}
	return c
}

// leastP is the least P that the U test can have with so many values: both orders in which all of
// one come before all of the others, out of all orders.
func leastP(n, m int) float64 {
	orders := 1.0
	for i := range m {
		orders *= float64(n+i+1) / float64(i+1)
	}
	return 2 / orders
}

// Worse returns by which part of the value before it is worse, in a unit of which better says what
// is better; 0 if it is not.
func (c Change) Worse(better int) float64 {
	return max(0, -float64(better)*c.Part)
}

// Number returns a value as people write it: 1.234k.
func (t Table) Number(value float64) string {
	return benchunit.Scale(value, benchunit.ClassOf(t.Unit))
}
