package report

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memrace/stress/check"
)

// matrix is a table of states or counts: a line for each store, a column for each property.
type matrix struct {
	Head []string
	Rows []matrixRow
	// First and Last are the headings of what stands before and behind the properties.
	First, Last string
}

type matrixRow struct {
	Name, Note string
	Cells      []matrixCell
}

// matrixCell is a text, and the class that it is shown in.
type matrixCell struct{ Class, Text string }

// signs stand before the states, so that a colour is not all that tells them apart.
var signs = map[check.State]string{check.Holds: "✓ ", check.Violated: "✗ ",
	check.Undecided: "? "}

// verdicts is the worst state of each property in all runs of each store; nil if there is but one
// run, the verdicts of which say the same.
func (p *Page) verdicts() *matrix {
	if len(p.judged) < 2 {
		return nil
	}
	table := &matrix{First: "store", Last: "runs"}
	for _, property := range check.Properties() {
		table.Head = append(table.Head, string(property))
	}
	var stores []string
	runs, worst := map[string]int{}, map[string]map[check.Property]check.State{}
	for _, r := range p.judged {
		if runs[r.store] == 0 {
			stores = append(stores, r.store)
			worst[r.store] = map[check.Property]check.State{}
		}
		runs[r.store]++
		for _, v := range r.verdicts {
			worst[r.store][v.Property] = max(worst[r.store][v.Property], v.State)
		}
	}
	for _, store := range stores {
		row := matrixRow{Name: store, Note: strconv.Itoa(runs[store])}
		for _, property := range check.Properties() {
			cell := matrixCell{Text: "-"}
			if state, judged := worst[store][property]; judged {
				cell = matrixCell{"state " + state.String(), signs[state] + state.String()}
			}
			row.Cells = append(row.Cells, cell)
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// mutantColumns begin the line above the mutants, in results/mutants.txt and its like.
var mutantColumns = []string{"mutant", "kind", "profile", "ops", "caught-by", "required",
	"measured", "also"}

// IsMutants reports whether a text is a table of mutants, as results/mutants.txt is.
func IsMutants(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return slices.Equal(strings.Fields(line), mutantColumns)
		}
	}
	return false
}

// AddMutants takes in a table of mutants from a file of that path. An error names the line that is
// wrong.
func (p *Page) AddMutants(text, path string) error {
	if p.mutants == nil {
		p.mutants = &matrix{First: "mutant", Last: "kind, profile, operations"}
		for _, property := range check.Properties() {
			p.mutants.Head = append(p.mutants.Head, string(property))
		}
	}
	number, before := 0, len(p.mutants.Rows)
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' || slices.Equal(fields, mutantColumns) {
			continue
		}
		row, err := newMutantRow(fields)
		if err != nil {
			return fmt.Errorf("read mutants: %s:%d: %w", path, number, err)
		}
		p.mutants.Rows = append(p.mutants.Rows, row)
		if slices.ContainsFunc(row.Cells, func(c matrixCell) bool { return c.Class == "missed" }) {
			p.missed++
		}
	}
	if len(p.mutants.Rows) == before {
		return fmt.Errorf("read mutants: %s: there is no mutant in it", path)
	}
	return nil
}

// newMutantRow reads a line of the table.
func newMutantRow(fields []string) (row matrixRow, err error) {
	if len(fields) < len(mutantColumns) {
		return row, fmt.Errorf("%d columns, want %d", len(fields), len(mutantColumns))
	}
	name, kind, profile, ops := fields[0], fields[1], fields[2], fields[3]
	caughtBy, required, measured, also := fields[4], fields[5], fields[6], fields[7:]
	cells := map[string]matrixCell{}
	for i := 0; i+1 < len(also); i += 2 {
		cells[also[i]] = matrixCell{"also", strings.TrimSuffix(also[i+1], ",")}
	}
	caught, runs, ok := parts(measured)
	needed, _, well := parts(required)
	if !ok || !well || runs == 0 {
		return row, errors.New("want runs as in 20/20")
	}
	cells[caughtBy] = matrixCell{"caught", measured}
	if caught < max(1, needed) {
		cells[caughtBy] = matrixCell{"missed", "✗ " + measured}
	}
	row = matrixRow{Name: name, Note: fmt.Sprintf("%s, %s, %s", kind, profile, ops)}
	for _, property := range check.Properties() {
		row.Cells = append(row.Cells, cells[string(property)])
		delete(cells, string(property))
	}
	for name := range cells {
		return row, fmt.Errorf("unknown property %q", name)
	}
	return row, nil
}

// parts reads "19/20".
func parts(text string) (part, of int, ok bool) {
	first, second, _ := strings.Cut(text, "/")
	part, err := strconv.Atoi(first)
	of, failed := strconv.Atoi(second)
	return part, of, errors.Join(err, failed) == nil
}
