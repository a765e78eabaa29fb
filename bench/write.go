package bench

import (
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// unit is one of those of the lines, and which values of it are better.
type unit struct{ name, better string }

var units = []unit{
	{"ns/op", "lower"}, {"ops/sec", "higher"},
	{"p50-ns/op", "lower"}, {"p90-ns/op", "lower"}, {"p99-ns/op", "lower"},
	{"p99.9-ns/op", "lower"}, {"max-ns/op", "lower"},
	{"errors/op", "lower"}, {"fewest/most", "higher"}, {"cpu-ns/op", "lower"},
	{"B/op", "lower"}, {"allocs/op", "lower"}, {"fsyncs/op", "lower"},
	{"written-B/op", "lower"}, {"commits/op", "lower"}, {"wal-B", "lower"},
	{"reached/due", "higher"}, {"queued/due", "lower"}, {"late-p99-ns", "lower"},
}

// Percentiles are those that a line has, where there are enough operations; 100 is the longest.
func Percentiles() []float64 { return []float64{50, 90, 99, 99.9, 100} }

// Write writes turns in Go's benchmark format, below a header. Each turn is a line for each kind of
// operation, and if there are several one for all of them, which is called Mixed. What
// cannot be told, for want of operations or of somebody to ask, is left out. ns/op is the mean of
// the latencies.
func Write(w io.Writer, header []Setting, turns []*Turn) error {
	var text strings.Builder
	for _, u := range append(slices.Clip(units), errorUnits(turns)...) {
		fmt.Fprintf(&text, "Unit %s better=%s\n", u.name, u.better)
	}
	for _, s := range header {
		fmt.Fprintf(&text, "%s: %s\n", s.Name, strings.Join(strings.Fields(s.Value), " "))
	}
	text.WriteByte('\n')
	for _, t := range turns {
		for _, l := range t.lines() {
			text.WriteString(l)
		}
	}
	if _, err := io.WriteString(w, text.String()); err != nil {
		return fmt.Errorf("write benchmarks: %w", err)
	}
	return nil
}

// errorUnits are those of the errors that there were.
func errorUnits(turns []*Turn) (found []unit) {
	classes := map[string]int{}
	for _, t := range turns {
		maps.Copy(classes, t.All().Errors)
	}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		found = append(found, unit{namePart(class) + "/op", "lower"})
	}
	return found
}

// lines are what a turn looks like in a file.
func (t *Turn) lines() (lines []string) {
	for i, p := range t.parts() {
		values := t.kindValues(p.Kind)
		if i == 0 {
			values = append(values, t.values()...)
		}
		lines = append(lines, line("Benchmark"+p.name+processors(), p.OK, values))
	}
	return lines
}

// part is operations of a turn that have a line to themselves.
type part struct {
	// name is that of the line, without what goes before and behind all names.
	name string
	*Kind
	// kinds are the indices in Kinds of those that it adds up.
	kinds []int
}

// parts returns all operations, and behind them those of each kind if there are several.
func (t *Turn) parts() (parts []part) {
	if len(t.Kinds) == 1 {
		return []part{{t.name(t.Kinds[0].Act.String(), ""), t.Kinds[0], []int{0}}}
	}
	mix := "/mix=" + strings.ReplaceAll(t.Load.Mix.String(), "=", ":")
	parts = []part{{name: t.name("mixed", mix), Kind: t.All()}}
	for i, k := range t.Kinds {
		parts[0].kinds = append(parts[0].kinds, i)
		parts = append(parts, part{t.name(k.Act.String(), mix), k, []int{i}})
	}
	return parts
}

// name is the name of a line without what goes before and behind all names.
func (t *Turn) name(operation, mix string) string {
	name := strings.ToUpper(operation[:1]) + operation[1:] + mix
	for _, part := range []struct {
		name, value string
		shown       bool
	}{
		{"store", t.Subject.Store, true}, {"driver", t.Subject.Driver, true},
		{"sync", t.Subject.Sync, t.Subject.SyncNamed},
	} {
		if part.shown && part.value != "" {
			name += fmt.Sprintf("/%s=%s", part.name, namePart(part.value))
		}
	}
	name += fmt.Sprintf("/clients=%d", t.Load.Clients)
	if t.Load.Rate > 0 {
		name += fmt.Sprintf("/rate=%d", t.Load.Rate)
	}
	return name
}

// processors is what stands behind the name of every line.
func processors() string {
	if n := runtime.GOMAXPROCS(0); n > 1 {
		return fmt.Sprintf("-%d", n)
	}
	return ""
}

func line(name string, n int, values []value) string {
	text := fmt.Sprintf("%s\t%d", name, n)
	for _, v := range values {
		text += fmt.Sprintf("\t%s %s", v.text(), v.unit)
	}
	return text + "\n"
}

// namePart is a text as a part of a line's name, which ends at a blank and has slashes between
// its parts.
func namePart(text string) string {
	text = strings.Join(strings.Fields(text), "_")
	return strings.ReplaceAll(text, "/", ":")
}

// value is a number of a line and its unit.
type value struct {
	number float64
	unit   string
}

// text has four digits at least, and none after the point that a large number has no use for.
func (v value) text() string {
	decimals := 0
	for limit := 1000.0; decimals < 6 && math.Abs(v.number) < limit; limit /= 10 {
		decimals++
	}
	text := strconv.FormatFloat(v.number, 'f', decimals, 64)
	if decimals == 0 {
		return text
	}
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// kindValues are those that each kind of operation has.
func (t *Turn) kindValues(k *Kind) (values []value) {
	add := func(number float64, unit string) { values = append(values, value{number, unit}) }
	if k.OK > 0 {
		add(float64(k.Took)/float64(k.OK), "ns/op")
	}
	add(float64(k.Done)/t.For.Seconds(), "ops/sec")
	for _, p := range Percentiles() {
		name := fmt.Sprintf("p%v-ns/op", p)
		if p == 100 {
			name = "max-ns/op"
		}
		if d := k.Latency(p); d > 0 {
			add(float64(d), name)
		}
	}
	tried := max(1, k.OK+k.Failed())
	add(float64(k.Failed())/float64(tried), "errors/op")
	for _, class := range slices.Sorted(maps.Keys(k.Errors)) {
		add(float64(k.Errors[class])/float64(tried), namePart(class)+"/op")
	}
	return values
}

// values are those that a turn has as a whole.
func (t *Turn) values() (values []value) {
	add := func(number float64, unit string) { values = append(values, value{number, unit}) }
	if t.Load.Clients > 1 && t.Most > 0 {
		add(float64(t.Fewest)/float64(t.Most), "fewest/most")
	}
	for _, c := range []struct {
		number float64
		unit   string
	}{{float64(t.CPU), "cpu-ns/op"}, {float64(t.Bytes), "B/op"},
		{float64(t.Objects), "allocs/op"}, {float64(t.Fsyncs), "fsyncs/op"},
		{float64(t.Written), "written-B/op"}, {float64(t.Commits), "commits/op"}} {
		if each, told := t.PerOp(c.number); told && each > 0 {
			add(each, c.unit)
		}
	}
	if t.WAL > 0 {
		add(float64(t.WAL), "wal-B")
	}
	if t.Queue != nil {
		add(t.PerSecond()/float64(t.Load.Rate), "reached/due")
		due := float64(t.Load.Rate) * t.For.Seconds()
		add(float64(t.Queue.End)/due, "queued/due")
		if t.Queue.Late > 0 {
			add(float64(t.Queue.Late), "late-p99-ns")
		}
	}
	return values
}
