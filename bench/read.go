package bench

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"
)

// Results are lines of files in Go's benchmark format, put into columns. The zero Results has none;
// NewResults says what the columns are.
type Results struct {
	units          benchfmt.UnitMetadataMap
	column, row    *benchproc.Projection
	name, unit     *benchproc.Field
	values         map[place][]float64
	columns, lines []benchproc.Key        // in the order in which they came
	known          map[benchproc.Key]bool // of lines
	files          []file
}

// place is where a value stands: row and column.
type place struct{ row, column benchproc.Key }

// file is a file that was read, and what its first line was below.
type file struct {
	path     string
	settings map[string]string
}

// NewResults returns results that have a column for each value of what by names: parts of the names
// of lines, as in "store" or "store,sync", or "" for the files that lines are from.
func NewResults(by string) (*Results, error) {
	projection := ".file"
	if by != "" {
		var parts []string
		for part := range strings.SplitSeq(by, ",") {
			parts = append(parts, "/"+strings.TrimPrefix(part, "/"))
		}
		projection = strings.Join(parts, ",")
	}
	r := &Results{units: benchfmt.UnitMetadataMap{}, values: map[place][]float64{},
		known: map[benchproc.Key]bool{}}
	filter, err := benchproc.NewFilter("*")
	if err != nil {
		return nil, err
	}
	var parser benchproc.ProjectionParser
	if r.column, err = parser.Parse(projection, filter); err != nil {
		return nil, fmt.Errorf("columns by %q: %w", by, err)
	}
	// How many processors there were is a matter of the machine, and no part of what was measured.
	if _, err = parser.Parse("/gomaxprocs", filter); err != nil {
		return nil, fmt.Errorf("columns by %q: %w", by, err)
	}
	if r.row, r.unit, err = parser.ParseWithUnit(".fullname", filter); err != nil {
		return nil, err
	}
	r.name = r.row.Fields()[0]
	return r, nil
}

// ReadFile reads a file. An error names the line that is wrong.
func (r *Results) ReadFile(path string) error {
	in, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read benchmarks: %w", err)
	}
	return errors.Join(r.Read(in, path), in.Close())
}

// Read reads what a file of that name has in it.
func (r *Results) Read(in io.Reader, path string) error {
	reader := benchfmt.NewReader(in, path)
	found := 0
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return fmt.Errorf("read benchmarks: %w", record)
		case *benchfmt.Result:
			if found++; found == 1 {
				r.files = append(r.files, newFile(path, record))
			}
			record.SetConfig(".file", path)
			r.add(record)
		}
	}
	if err := reader.Err(); err != nil {
		return fmt.Errorf("read benchmarks: %w", err)
	}
	if found == 0 {
		return fmt.Errorf("read benchmarks: %s:1: there is no line that begins with Benchmark",
			path)
	}
	for key, unit := range reader.Units() {
		r.units[key] = unit
	}
	return nil
}

func newFile(path string, first *benchfmt.Result) file {
	f := file{path: path, settings: map[string]string{}}
	for _, c := range first.Config {
		f.settings[c.Key] = string(c.Value)
	}
	return f
}

func (r *Results) add(line *benchfmt.Result) {
	column := r.column.Project(line)
	if !slices.Contains(r.columns, column) {
		r.columns = append(r.columns, column)
	}
	for i, v := range line.Values {
		line.Values[i].Unit = tidy(v.Unit) // benchfmt leaves nothing at all in nanoseconds
	}
	for i, row := range r.row.ProjectValues(line) {
		if !r.known[row] {
			r.known[row] = true
			r.lines = append(r.lines, row)
		}
		at := place{row, column}
		r.values[at] = append(r.values[at], line.Values[i].Value)
	}
}

// warned are the settings of a file that make all of its numbers others.
var warned = []string{"machine", "cpu", "goos", "goarch", "fs", "race-detector", "turn",
	"faults"}

// Warnings say what of the files makes them hard to compare: each with the two lines that differ.
func (r *Results) Warnings() (warnings []string) {
	for i := 1; i < len(r.files); i++ {
		first, other := r.files[0], r.files[i]
		for _, name := range warned {
			if a, b := first.settings[name], other.settings[name]; a != b {
				warnings = append(warnings, fmt.Sprintf("%s differs:\n  %s: %s: %s\n  %s: %s: %s",
					name, first.path, name, orNone(a), other.path, name, orNone(b)))
			}
		}
	}
	return warnings
}

func orNone(value string) string {
	if value == "" {
		return "(not there)"
	}
	return value
}

// tidy is a unit as results have it: sec rather than ns.
func tidy(unit string) string {
	_, unit = benchunit.Tidy(1, unit)
	return unit
}
