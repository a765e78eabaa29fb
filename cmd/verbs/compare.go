package verbs

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"memrace/bench"
)

// compareFlags is what the command line says about the comparison.
type compareFlags struct {
	col       string
	units     []string
	failAbove string
}

func newCompare() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare OLD NEW | --col store FILE...",
		Short: "tell what changed between two files of benchmarks, or between stores in one",
		Long: `compare reads files in Go's benchmark format, those of memrace bench as well as those
of go test -bench, and shows medians, intervals that have the true median in them in 95 of 100
cases, and what changed significantly (p < 0.05 in the U test of Mann and Whitney).

With --col it compares the values of a part of the names, such as store or store,sync, with the
one that comes first.

Exit status: 0; 1 if --fail-above found something significantly worse; 2 wrong usage, or a file
that is no good; 3 if --fail-above found too little to tell by, or NEW lacks what OLD has.`,
		Example: `  memrace compare old.txt new.txt
  memrace compare --col store,sync --unit ops/sec new.txt
  memrace compare old.txt new.txt --unit ops/sec --unit p99-ns/op --fail-above 10%`,
		Args: paths("OLD and NEW, or --col store and a file"),
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c, args, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.col, "col", "", "compare the values of `parts` of names, as store,sync")
	flags.StringArrayVar(&f.units, "unit", nil,
		"compare only this `unit`, as ops/sec; may be repeated (default all)")
	flags.StringVar(&f.failAbove, "fail-above", "",
		"exit with 1 if something is significantly worse by more than this `part`, as 10%")
	return cmd
}

// run compares.
func (f *compareFlags) run(cmd *cobra.Command, paths []string, out, errOut io.Writer) error {
	limit, err := f.limit(cmd)
	if err != nil {
		return err
	}
	results, err := f.read(cmd, paths)
	if err != nil {
		return err
	}
	for _, w := range results.Warnings() {
		fmt.Fprintf(errOut, "memrace: warning: %s\n", visibleLines(w))
	}
	tables, err := results.Tables(f.units...)
	if err != nil {
		return err
	}
	blind, err := blindness(tables, limit)
	if err != nil {
		return err
	}
	var found verdict
	for _, t := range tables {
		fmt.Fprintf(out, "%s%s\n%s\n\n", visible(t.Unit), direction(t.Better),
			f.draw(t, limit, &found))
	}
	notes, lost := results.Missing(f.units...)
	for _, n := range append(notes, blind...) {
		fmt.Fprintln(out, visible(n))
	}
	found.lost = lost
	return found.write(out, limit)
}

// limit returns what --fail-above says as a part of one; infinite if it says nothing.
func (f *compareFlags) limit(cmd *cobra.Command) (float64, error) {
	if !cmd.Flags().Changed("fail-above") {
		return math.Inf(1), nil
	}
	text, percent := strings.CutSuffix(f.failAbove, "%")
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !percent || !(n >= 0) || math.IsInf(n, 0) {
		return 0, fmt.Errorf("--fail-above %q: want a percentage, as in 10%%", f.failAbove)
	}
	return n / 100, nil
}

// blindness says in which units nothing can be worse by more than the limit. It is an error if that
// is so in all of them.
func blindness(tables []bench.Table, limit float64) (notes []string, err error) {
	if math.IsInf(limit, 1) {
		return nil, nil
	}
	for _, t := range tables {
		why := ""
		switch {
		case t.Better == 0:
			why = "no line such as \"Unit " + t.Unit + " better=lower\" says what is better"
		case t.Better > 0 && limit >= 1:
			why = "higher is better, and nothing falls by more than 100%"
		default:
			continue
		}
		notes = append(notes, fmt.Sprintf("--fail-above %.4g%% finds nothing in %s: %s", 100*limit,
			t.Unit, why))
	}
	if len(notes) == len(tables) {
		return nil, errors.New(strings.Join(notes, "; "))
	}
	return notes, nil
}

func (f *compareFlags) read(cmd *cobra.Command, paths []string) (*bench.Results, error) {
	switch {
	case cmd.Flags().Changed("col") && f.col == "":
		return nil, errors.New(`--col "": name a part of the names, as store`)
	case f.col == "" && len(paths) != 2:
		return nil, fmt.Errorf("%d files to compare: want OLD and NEW, or --col store", len(paths))
	case f.col == "" && paths[0] == paths[1]:
		return nil, fmt.Errorf("OLD and NEW are both %s; name two files, or --col store", paths[0])
	}
	results, err := bench.NewResults(f.col)
	if err != nil {
		return nil, fmt.Errorf("--col: %w", err)
	}
	for _, path := range paths {
		err := unlessInterrupted(cmd.Context(), "reading "+path, func() error {
			return results.ReadFile(path)
		})
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

func direction(better int) string {
	switch {
	case better > 0:
		return ", higher is better"
	case better < 0:
		return ", lower is better"
	}
	return ""
}

// verdict is what was found in all tables.
type verdict struct {
	compared, decidable int
	few                 int // estimates without an interval
	single              bool
	worse               []string
	lost                bool
}

// draw draws a table and counts what is in it.
func (f *compareFlags) draw(t bench.Table, limit float64, found *verdict) string {
	drawn := newTable(table.Row{"benchmark", f.heading(), "median", "±", "n", "change", "p"},
		"median", "±", "n", "change", "p")
	for _, row := range t.Rows {
		name := visible(row.Name)
		for i, e := range row.Estimates {
			if e.N == 0 {
				continue
			}
			found.count(e)
			cells := table.Row{name, visible(t.Columns[i]), t.Number(e.Median), e.Spread(), e.N}
			if i > 0 && row.Estimates[0].N > 0 {
				change := e.Change(row.Estimates[0])
				cells = append(cells, changeCell(change, t.Better), fmt.Sprintf("%.3f", change.P))
				found.judge(change, t, limit, row.Name+" in "+t.Columns[i])
			}
			drawn.AppendRow(cells)
			name = ""
		}
	}
	return drawn.Render()
}

func (f *compareFlags) heading() string {
	if f.col == "" {
		return "file"
	}
	return f.col
}

// changeCell is a change and whether it is for the better; ~ if it may be chance.
func changeCell(c bench.Change, better int) string {
	if !c.Significant {
		return "~"
	}
	text := fmt.Sprintf("%+.1f%%", 100*c.Part)
	if math.IsInf(c.Part, 0) {
		text = "from 0"
	}
	switch {
	case c.Worse(better) > 0:
		return text + " worse"
	case c.Part != 0 && better != 0:
		return text + " better"
	}
	return text
}

func (v *verdict) count(e bench.Estimate) {
	if !e.Interval() {
		v.few++
		v.single = v.single || e.N == 1
	}
}

func (v *verdict) judge(c bench.Change, t bench.Table, limit float64, name string) {
	v.compared++
	if c.Decidable {
		v.decidable++
	}
	if by := c.Worse(t.Better); c.Significant && by > limit {
		how := fmt.Sprintf("worse by %.1f%%", 100*by)
		if math.IsInf(by, 1) {
			how = "worse, from 0"
		}
		v.worse = append(v.worse, fmt.Sprintf("%s: %s is %s", name, t.Unit, how))
	}
}

// write says below the tables what they leave open, and returns the exit status.
func (v *verdict) write(out io.Writer, limit float64) error {
	if v.few > 0 {
		fmt.Fprintf(out, "±?: no interval is possible, since there are fewer than 6 values "+
			"(%d times)\n", v.few)
	}
	if v.single {
		fmt.Fprintln(out, "of one value neither an interval nor a significance is possible; "+
			"memrace bench --rounds 10 makes ten")
	}
	if open := v.compared - v.decidable; open > 0 {
		fmt.Fprintf(out, "%d of %d comparisons have too few values for any significance\n", open,
			v.compared)
	}
	if math.IsInf(limit, 1) {
		return nil
	}
	for _, w := range v.worse {
		fmt.Fprintf(out, "worse by more than %.4g%%: %s\n", 100*limit, visible(w))
	}
	switch {
	case len(v.worse) > 0:
		return exit(statusViolated)
	case v.lost:
		fmt.Fprintln(out, "undecided: something is lost, as is said above; --unit says what counts")
		return exit(statusUndecided)
	case v.decidable == 0:
		fmt.Fprintln(out, "undecided: there is too little to tell by")
		return exit(statusUndecided)
	}
	fmt.Fprintf(out, "nothing is significantly worse by more than %.4g%%\n", 100*limit)
	return nil
}

// visibleLines is visible for several lines.
func visibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n")
}
