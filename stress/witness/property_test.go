package witness_test

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memrace/stress/history"
	"memrace/stress/witness"
)

// tagged draws a history in which no two operations show the same value, so that a bar tells
// which operation it is. Clients may overlap with themselves, and stamps often tie.
func tagged(t *rapid.T) *history.History {
	h := &history.History{Slots: []history.Slot{{Session: "s", Key: "k"}, {Session: "s", Key: "l"}},
		Values: []history.Value{0}}
	span := rapid.SampledFrom([]int64{3, 20, 1e6, 1e12}).Draw(t, "span")
	clients := []history.Client{0, 1, 2, 70000, history.Final, history.Dumped, history.Reopened}
	for i := range rapid.IntRange(1, 9).Draw(t, "operations") {
		call := rapid.Int64Range(0, span).Draw(t, "call")
		op := history.Op{
			Call:    call,
			Return:  call + rapid.Int64Range(0, span).Draw(t, "length"),
			Client:  rapid.SampledFrom(clients).Draw(t, "client"),
			Slot:    uint32(rapid.IntRange(0, 1).Draw(t, "slot")),
			Value:   history.ValueID(i + 1),
			Outcome: history.Outcome(rapid.IntRange(0, 2).Draw(t, "outcome")),
		}
		if op.Outcome == history.OK && rapid.Bool().Draw(t, "get") {
			op.Kind = history.Get
		}
		h.Values = append(h.Values, history.TagValue(7, uint32(i)))
		h.Ops = append(h.Ops, op)
	}
	return h
}

// place is where something is in a drawing: a panel, and a column in it.
type place struct{ panel, column int }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.panel, q.panel), cmp.Compare(p.column, q.column))
}

// drawn is where a bar is, as read from the drawing. One that is cut off ends in no column of
// its panel that could be read.
type drawn struct {
	from, to place
	open     bool
	cut      bool
}

var (
	barOrPoint = regexp.MustCompile(`\|-+ [^|>]*?v7\.(\d+)[^|>]*(\||\.\.\.>|$)|\| [^|]*?v7\.(\d+)`)
	never      = place{math.MaxInt, 0}
)

// bars reads every bar that begins in a drawing, by the operation that it names.
func bars(t *rapid.T, drawing string) map[int]drawn {
	found := map[int]drawn{}
	panels, _ := lanesOf(drawing)
	for n, lines := range panels {
		for _, line := range lines {
			for at := 0; ; {
				m := barOrPoint.FindStringSubmatchIndex(line[at:])
				if m == nil {
					break
				}
				i, d, end := bar(line[at:], m, place{n, at})
				if _, twice := found[i]; twice {
					t.Fatalf("operation %d is drawn twice:\n%s", i, drawing)
				}
				found[i] = d
				at += end
			}
		}
	}
	return found
}

// bar makes sense of a match; end is where the next one may begin: a bar's end may be the
// beginning of the next.
func bar(line string, m []int, origin place) (i int, d drawn, end int) {
	d.from = place{origin.panel, origin.column + m[0]}
	d.to = place{origin.panel, origin.column + m[1] - 1}
	if m[6] >= 0 {
		d.to = d.from
		fmt.Sscan(line[m[6]:m[7]], &i)
		return i, d, m[1]
	}
	fmt.Sscan(line[m[2]:m[3]], &i)
	switch line[m[4]:m[5]] {
	case "...>":
		d.open, d.to = true, never
	case "":
		d.cut = true
	}
	return i, d, m[1] - 1
}

func returns(op history.Op) int64 {
	if op.Outcome == history.Unknown {
		return math.MaxInt64
	}
	return op.Return
}

// A drawing never lies about the order: columns compare exactly as stamps do.
func TestDrawKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := tagged(t)
		width := rapid.SampledFrom([]int{0, 40, 72, 100, 10_000}).Draw(t, "width")
		drawing := witness.Draw(h, everything(h), width)
		found := bars(t, drawing)
		if len(found) != len(h.Ops) {
			t.Fatalf("%d bars of %d operations:\n%s", len(found), len(h.Ops), drawing)
		}
		for i, a := range h.Ops {
			requireEnd(t, a, found[i], width, drawing)
			for j, b := range h.Ops {
				if found[i].from.compare(found[j].from) != cmp.Compare(a.Call, b.Call) {
					t.Fatalf("calls of %d and %d:\n%s", i, j, drawing)
				}
				before := found[i].to.compare(found[j].from) < 0
				if !found[i].cut && before != (returns(a) < b.Call) {
					t.Fatalf("return of %d, call of %d:\n%s", i, j, drawing)
				}
			}
		}
	})
}

// requireEnd wants an open end for an unknown outcome and for no other, and a cut only where
// there are several panels.
func requireEnd(t *rapid.T, op history.Op, d drawn, width int, drawing string) {
	unknown := op.Outcome == history.Unknown
	if d.open != unknown && !d.cut || d.cut && width == 10_000 {
		t.Fatalf("end of %v:\n%s", op, drawing)
	}
}

// The axes have one tick for each stamp, lines fit, and guides and ends stand on ticks only.
func TestDrawAxis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := tagged(t)
		width := rapid.IntRange(66, 200).Draw(t, "width")
		drawing := witness.Draw(h, everything(h), width)
		stamps := map[int64]bool{}
		for _, op := range h.Ops {
			stamps[op.Call] = true
			if op.Outcome != history.Unknown {
				stamps[op.Return] = true
			}
		}
		panels, axes := lanesOf(drawing)
		ticks := 0
		for n, axis := range axes {
			ticks += strings.Count(axis, "+")
			for _, line := range panels[n] {
				requireTicks(t, axis, line, drawing)
			}
		}
		if ticks != len(stamps) {
			t.Fatalf("%d ticks for %d stamps:\n%s", ticks, len(stamps), drawing)
		}
		for _, line := range strings.Split(drawing, "\n") {
			if len(line) > width || strings.TrimRight(line, " ") != line {
				t.Fatalf("%q has %d columns or ends in blanks", line, len(line))
			}
		}
	})
}

func requireTicks(t *rapid.T, axis, line, drawing string) {
	for x, c := range line {
		label := x+1 < len(line) && line[x+1] == ' ' && x > 0 && line[x-1] != ' '
		if (c == '|' || c == ':' && !label) && (x >= len(axis) || axis[x] != '+') {
			t.Fatalf("%c in column %d without a tick:\n%s", c, x, drawing)
		}
	}
}

// Whatever sessions, keys, values and sentences hold, nothing but printable ASCII comes out; and
// the lines of a story, pasted into a test, are the operations again.
func TestTellHostile(t *testing.T) {
	bytes := rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })
	long := rapid.Just(strings.Repeat("\x1b[2J\u202e", 999))
	hostile := rapid.OneOf(rapid.String(), bytes, long)
	rapid.Check(t, func(t *rapid.T) {
		h := tagged(t)
		for i := range h.Slots {
			h.Slots[i].Session = hostile.Draw(t, "session")
			h.Slots[i].Key = hostile.Draw(t, "key")
		}
		for i := range h.Ops { // a file has no writes by those that only read
			h.Ops[i].Client %= 1000
		}
		h.Foreign = []string{hostile.Draw(t, "foreign")}
		h.Values[1] = history.ForeignValue(0)
		c := witness.Case{Anomaly: hostile.Draw(t, "anomaly"), Ops: everything(h),
			Sentence: hostile.Draw(t, "sentence")}
		s := witness.Tell(h, c, rapid.IntRange(-1, 300).Draw(t, "width"))
		for _, r := range s.String() + strings.Join(s.Lines, "\n") + s.Headline + s.Sentence {
			if (r < ' ' || r > '~') && r != '\n' {
				t.Fatalf("%q in %q", r, s)
			}
		}
		for i, line := range s.Lines {
			requireSameOperation(t, h, i, line)
		}
	})
}

func requireSameOperation(t *rapid.T, h *history.History, i int, line string) {
	back, err := history.ParseString(line)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	if diff := gocmp.Diff(h.Slots[h.Ops[i].Slot], back.Slots[0]); diff != "" {
		t.Fatalf("slot (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(h.Line(i), back.Line(0)); diff != "" {
		t.Fatalf("operation (-want +got):\n%s", diff)
	}
}
