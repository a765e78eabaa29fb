package bench

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
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
	units        benchfmt.UnitMetadataMap
	column, name *benchproc.Projection
	values       map[place][]float64
	columns      []benchproc.Key // in the order in which they came, as are lines
	lines        []entry
	known        map[entry]bool // of lines
	files        []file
	within       []string // warnings of what differs within a file
	// byProcessors and byPackage are true if some file has lines that differ in nothing else.
	byProcessors, byPackage bool
}

// entry is what values are of. How many processors there were, with the hyphen, and the package are
// apart from the name, since they may differ from file to file where the benchmark is the same.
type entry struct{ name, processors, pkg, unit string }

// place is where a value stands: row and column.
type place struct {
	row    entry
	column benchproc.Key
}

// file is a file that was read, and what its first line was below.
type file struct {
	path     string
	info     os.FileInfo // nil if the text is from elsewhere
	settings map[string]string
	mixed    map[string]bool // settings that other lines are below differently
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
		known: map[entry]bool{}}
	filter, err := benchproc.NewFilter("*")
	if err != nil {
		return nil, err
	}
	var parser benchproc.ProjectionParser
	if r.column, err = parser.Parse(projection, filter); err != nil {
		return nil, fmt.Errorf("columns by %q: %w", by, err)
	}
	// This takes it out of the names; lines have it apart.
	if _, err = parser.Parse("/gomaxprocs", filter); err != nil {
		return nil, fmt.Errorf("columns by %q: %w", by, err)
	}
	if r.name, err = parser.Parse(".fullname", filter); err != nil {
		return nil, err
	}
	return r, nil
}

// ReadFile reads a file. An error names the line that is wrong. A file that was read before, under
// whatever name, is refused: its values would count twice.
func (r *Results) ReadFile(path string) error {
	in, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read benchmarks: %w", err)
	}
	info, err := in.Stat()
	if err == nil {
		err = r.unread(info, path)
	}
	if err == nil {
		err = r.Read(in, path)
	}
	if err := errors.Join(err, in.Close()); err != nil {
		return err
	}
	r.files[len(r.files)-1].info = info
	return nil
}

// unread refuses a file that was read before.
func (r *Results) unread(info os.FileInfo, path string) error {
	for _, f := range r.files {
		if f.info != nil && os.SameFile(f.info, info) {
			return fmt.Errorf("read benchmarks: %s and %s are one file; name it once", f.path, path)
		}
	}
	return nil
}

// Read reads what a file of that name has in it, up to its end.
func (r *Results) Read(in io.Reader, path string) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read benchmarks: %s: %w", path, err)
	}
	end := bytes.LastIndexByte(text, '\n') + 1
	found, err := r.readLines(text[:end], path)
	switch {
	case err != nil:
		return fmt.Errorf("read benchmarks: %w", err)
	case end < len(text) && (found || bytes.HasPrefix(text[end:], []byte("Benchmark"))):
		return fmt.Errorf("read benchmarks: %s:%d: the file is truncated: its last line has no end",
			path, 1+bytes.Count(text, []byte("\n")))
	case !found:
		return fmt.Errorf("read benchmarks: %s:1: there is no line that begins with Benchmark",
			path)
	}
	return nil
}

// readLines reads whole lines, and reports whether any is a benchmark.
func (r *Results) readLines(text []byte, path string) (found bool, err error) {
	reader := benchfmt.NewReader(bytes.NewReader(text), path)
	alike := map[place]entry{} // by the name and the column alone: the first of them
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return found, record
		case *benchfmt.Result:
			if err := finite(record); err != nil {
				return found, err
			}
			if !found {
				r.files = append(r.files, newFile(path, record))
			}
			found = true
			r.compareSettings(record)
			record.SetConfig(".file", path)
			r.add(record, alike)
		}
	}
	for key, unit := range reader.Units() {
		r.units[key] = unit
	}
	return found, reader.Err()
}

// finite refuses values that nothing can be told of.
func finite(line *benchfmt.Result) error {
	for _, v := range line.Values {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			path, number := line.Pos()
			return fmt.Errorf("%s:%d: %v %s cannot be used", path, number, v.Value,
				cmp.Or(v.OrigUnit, v.Unit))
		}
	}
	return nil
}

func newFile(path string, first *benchfmt.Result) file {
	f := file{path: path, settings: map[string]string{}, mixed: map[string]bool{}}
	for _, c := range first.Config {
		f.settings[c.Key] = string(c.Value)
	}
	return f
}

// add takes in a line of a file, in which the lines that are alike came before.
func (r *Results) add(record *benchfmt.Result, alike map[place]entry) {
	column := r.column.Project(record)
	if !slices.Contains(r.columns, column) {
		r.columns = append(r.columns, column)
	}
	e := entry{name: r.name.Project(record).Get(r.name.Fields()[0]), pkg: record.GetConfig("pkg")}
	if _, parts := record.Name.Parts(); len(parts) > 0 && parts[len(parts)-1][0] == '-' {
		e.processors = string(parts[len(parts)-1])
	}
	at := place{entry{name: e.name}, column}
	first, known := alike[at]
	if !known {
		alike[at] = e
		first = e
	}
	r.byProcessors = r.byProcessors || e.processors != first.processors
	r.byPackage = r.byPackage || e.pkg != first.pkg
	for _, v := range record.Values {
		e.unit = tidy(v.Unit) // benchfmt leaves nothing at all in nanoseconds
		if !r.known[e] {
			r.known[e] = true
			r.lines = append(r.lines, e)
		}
		r.values[place{e, column}] = append(r.values[place{e, column}], v.Value)
	}
}

// shown is the name of a line, with what it takes to tell it from others.
func (r *Results) shown(e entry) string {
	if r.byProcessors {
		e.name += e.processors
	}
	if r.byPackage && e.pkg != "" {
		e.name = e.pkg + "." + e.name
	}
	return e.name
}

// warned are the settings of a file that make all of its numbers others.
var warned = []string{"machine", "cpu", "goos", "goarch", "fs", "go", "sqlite-version",
	"synchronous", "race-detector", "turn", "faults"}

// Warnings say what of the files makes them hard to compare: each with the two lines that differ.
func (r *Results) Warnings() []string {
	warnings := slices.Clone(r.within)
	for i := 1; i < len(r.files); i++ {
		first, other := r.files[0], r.files[i]
		for _, name := range warned {
			if a, b := first.settings[name], other.settings[name]; a != b {
				warnings = append(warnings, differs(name, first.path, a, other.path, b))
			}
		}
	}
	return warnings
}

// compareSettings keeps a warning of what differs from the first line of the file.
func (r *Results) compareSettings(record *benchfmt.Result) {
	f := r.files[len(r.files)-1]
	_, number := record.Pos()
	for _, name := range warned {
		a, b := f.settings[name], record.GetConfig(name)
		if a != b && !f.mixed[name] {
			f.mixed[name] = true
			r.within = append(r.within, differs(name, f.path, a,
				fmt.Sprintf("%s:%d", f.path, number), b))
		}
	}
}

func differs(name, first, a, other, b string) string {
	return fmt.Sprintf("%s differs:\n  %s: %s: %s\n  %s: %s: %s", name, first, name, orNone(a),
		other, name, orNone(b))
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
