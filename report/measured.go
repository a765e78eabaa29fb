package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"
	"golang.org/x/perf/benchfmt"

	"memrace/bench"
)

// benchmarks is what files of benchmarks say. The zero benchmarks have none.
type benchmarks struct {
	results  *bench.Results // for what it refuses and warns of
	files    []benchFile
	measured []*measured          // in the order of their first lines
	at       map[nameIn]*measured // those that are the only ones of their name
}

// benchFile is a file and the settings that stand in it.
type benchFile struct {
	Path string
	// Others is how many lines are of no store, and are not shown.
	Others int

	settings []benchfmt.Config
}

// nameIn is a name, without the number of processors, in a file.
type nameIn struct{ path, name string }

// measured is one load on one store by so many clients: the lines of one name in one file, on so
// many processors, from one package.
type measured struct {
	load
	store, driver, file, name string
	processors, pkg           string // as the lines have it: "-2", or ""
	clients                   int
	values                    map[string][]float64 // by unit, a value for each round

	// rounds are the latencies over time, took those of all rounds; nil if they are unknown.
	rounds []bench.Latencies
	took   *hdrhistogram.Histogram
	points []point // what tail returns; nil if it was not called yet
}

// load is what was done to stores, apart from by how many clients. All texts are those of names.
type load struct{ operation, mix, sync, rate, rest string }

// AddBenchmarks takes in what a file of that path has in it: lines in Go's benchmark format with
// the stores in their names, such as memrace bench writes. An error names the line that is wrong;
// the page is of no use then.
func (p *Page) AddBenchmarks(text []byte, path string) (err error) {
	b := &p.benchmarks
	if b.results == nil {
		if b.results, err = bench.NewResults(""); err != nil {
			return err
		}
		b.at = map[nameIn]*measured{}
	}
	if slices.ContainsFunc(b.files, func(f benchFile) bool { return f.Path == path }) {
		return fmt.Errorf("read benchmarks: %s is named twice", path)
	}
	if err := b.results.Read(bytes.NewReader(text), path); err != nil {
		return err
	}
	file, added, err := read(text, path)
	if err != nil {
		return err
	}
	if len(added) == 0 {
		return fmt.Errorf("read benchmarks: %s: no name has a part store=, as those of memrace "+
			"bench have", path)
	}
	b.files = append(b.files, file)
	b.measured = append(b.measured, added...)
	for _, same := range split(added, func(m *measured) string { return m.name }) {
		if len(same) == 1 {
			b.at[nameIn{path, same[0].name}] = same[0]
		}
		tellApart(same)
	}
	return nil
}

// read takes in the lines of a file that is known to have no others than those of the format.
func read(text []byte, path string) (file benchFile, all []*measured, err error) {
	file.Path = path
	reader := benchfmt.NewReader(bytes.NewReader(text), path)
	type line struct{ name, pkg string }
	at := map[line]*measured{}
	for reader.Scan() {
		record, is := reader.Result().(*benchfmt.Result)
		if !is {
			continue // what a unit is
		}
		if file.settings == nil {
			file.settings = record.Clone().Config
		}
		l := line{string(record.Name), record.GetConfig("pkg")}
		m := at[l]
		if m == nil {
			m = newMeasured(record.Name, path, l.pkg)
			at[l] = m
			if m.store != "" {
				all = append(all, m)
			}
		}
		if m.store == "" {
			file.Others++
		} else if err := m.add(record); err != nil {
			return file, nil, err
		}
	}
	return file, all, reader.Err()
}

// tellApart adds to loads of one name in what they differ.
func tellApart(same []*measured) {
	processors := split(same, func(m *measured) string { return m.processors })
	packages := split(same, func(m *measured) string { return m.pkg })
	for _, m := range same {
		if len(processors) > 1 {
			m.rest += ", GOMAXPROCS=" + cmp.Or(strings.TrimPrefix(m.processors, "-"), "1")
		}
		if len(packages) > 1 {
			m.rest += ", package " + cmp.Or(m.pkg, "unknown")
		}
	}
}

// Warnings say what of the benchmarks makes their files hard to compare.
func (p *Page) Warnings() []string {
	if p.benchmarks.results == nil {
		return nil
	}
	return p.benchmarks.results.Warnings()
}

// most is the largest value that is drawn: a thousand years in nanoseconds, or so.
const most = 1e20

// add takes in the values of a line.
func (m *measured) add(line *benchfmt.Result) error {
	for _, v := range line.Values {
		unit, value := v.Unit, v.Value
		if v.OrigUnit != "" {
			unit, value = v.OrigUnit, v.OrigValue // in nanoseconds, as it is in the file
		}
		if !(0 <= value && value <= most) { // nor is it what is no number
			file, number := line.Pos()
			return fmt.Errorf("read benchmarks: %s:%d: %v %s cannot be drawn", file, number, value,
				unit)
		}
		m.values[unit] = append(m.values[unit], value)
	}
	return nil
}

func newMeasured(name benchfmt.Name, path, pkg string) *measured {
	m := &measured{file: path, name: string(name), pkg: pkg, values: map[string][]float64{}}
	base, parts := name.Parts()
	m.operation = string(base)
	if n := len(parts); n > 0 && parts[n-1][0] == '-' {
		m.processors = string(parts[n-1])
		m.name = strings.TrimSuffix(m.name, m.processors)
		parts = parts[:n-1]
	}
	fields := map[string]*string{"store": &m.store, "driver": &m.driver, "mix": &m.mix,
		"sync": &m.sync, "rate": &m.rate}
	for _, part := range parts {
		text := strings.TrimPrefix(string(part), "/")
		key, value, _ := strings.Cut(text, "=")
		switch field := fields[key]; {
		case field != nil:
			*field = value
		case key == "clients":
			m.clients, _ = strconv.Atoi(value) // what is no number is no client
		default:
			m.rest += ", " + text
		}
	}
	return m
}

// whole reports whether the operations are all that there were, and not one kind of a mix.
func (l load) whole() bool { return l.mix == "" || l.operation == "Mixed" }

// kind reports whether they are one kind of a mix.
func (l load) kind() bool { return !l.whole() }

// group is the load but for what a group of charts has side by side.
func (l load) group() load {
	l.sync = ""
	return l
}

// String names a load as people do: "upsert", or "get of upsert=45,get=50,delete=5".
func (l load) String() string {
	text := strings.ToLower(l.operation)
	mix := strings.ReplaceAll(l.mix, ":", "=")
	switch {
	case mix != "" && l.whole():
		text += ": " + mix
	case mix != "":
		text += " of " + mix
	}
	if l.rate != "" {
		text += ", " + l.rate + " due in a second"
	}
	return text + l.rest
}

// estimate is what the rounds say of a unit.
func (m *measured) estimate(unit string) bench.Estimate {
	return bench.NewEstimate(m.values[unit])
}
