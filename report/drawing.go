package report

import (
	"slices"
	"strings"

	"memrace/stress"
	"memrace/stress/history"
	"memrace/stress/witness"
)

// drawing is a timeline of a few operations. All lengths are pixels.
type drawing struct {
	Class         string
	Width, Height int
	Unit          string
	Rows          []*row
	Arrows        []arrow
	Ticks, Breaks []tick
	// AxisX and AxisEnd are where the axis begins and ends, the others how far down it, the text
	// of its ticks and that of its breaks are.
	AxisX, AxisEnd       int
	AxisY, TickY, BreakY int
	// Notes explain what the drawing has in it.
	Notes []string

	scale
}

// row is a line of a drawing: operations of one client, one after the other.
type row struct {
	// Name is the client's; empty in a row that goes on with the operations of the one above.
	Name     string
	X, Right int // where the lane begins and ends
	MiddleY  int
	TextY    int // of the name and of what stands in a bar
	Bars     []*bar

	labels []int // where each line of labels above the bars is free from
}

// bar is one call.
type bar struct {
	X, Y, Width, Height int
	// Path is the outline.
	Path           string
	Class          string
	Label          string
	LabelX, LabelY int
	// Inside is true if the label stands in the bar.
	Inside bool
	// Line is that of the history file, or its lines.
	Line string

	line  int // of the label among the lines of labels above the bars, the lowest first
	call  int // its place among the calls of the story
	ended bool
}

// size is a width that is drawn for, and how many characters a name or a value may take there.
type size struct {
	class       string
	width, name int
}

// sizes are those of a wide window and of a telephone; the page shows the one that fits.
var sizes = []size{{"wide", 940, 24}, {"narrow", 350, 10}}

const (
	// maxBars is how many calls are drawn; more would be no drawing.
	maxBars = 60

	barHeight   = 22
	labelHeight = 16
	rowGap      = 14
	openRoom    = 34 // for the bar of an operation without an end
	accusedSign = "✗ "
)

// draw draws a story in both sizes; nil if there is nothing to draw.
func draw(h *history.History, s stress.Story) (drawings []*drawing) {
	calls := witness.Calls(h, s.Ops)
	if len(calls) == 0 || len(calls) > maxBars {
		return nil
	}
	for _, size := range sizes {
		drawings = append(drawings, drawFor(h, calls, s.Accused, size))
	}
	return drawings
}

func drawFor(h *history.History, calls [][]int, accused int, z size) *drawing {
	ops := make([]int, len(calls)) // the first of each call: all begin and end together
	for place, call := range calls {
		ops[place] = call[0]
	}
	d := &drawing{Class: z.class, Width: z.width, AxisEnd: z.width - 8, Rows: seat(h, ops)}
	d.AxisX = d.nameLanes()
	room := 0
	if ended(h, ops, history.Unknown) {
		room = openRoom
	}
	d.scale = newScale(stampsOf(h, ops), d.AxisX, d.AxisEnd-room)
	bars := d.drawBars(h, calls, accused, z.name)
	d.placeRows()
	for _, e := range forced(h, ops) {
		d.Arrows = append(d.Arrows, newArrow(bars[e.from], bars[e.to]))
	}
	d.drawAxis()
	d.explain(h, ops)
	return d
}

// nameLanes returns how much room the names take at the left.
func (d *drawing) nameLanes() int {
	widest := textWidth("time")
	for _, r := range d.Rows {
		widest = max(widest, textWidth(r.Name))
	}
	return widest + 14
}

// drawBars makes a bar of each call and returns them in the order of the story.
func (d *drawing) drawBars(h *history.History, calls [][]int, accused, name int) []*bar {
	labels := newLabels(h, slices.Concat(calls...), name)
	most := d.AxisEnd*100/charWidth - len(accusedSign)
	bars := make([]*bar, len(calls))
	for _, r := range d.Rows {
		r.X, r.Right = d.AxisX, d.AxisEnd
		for _, b := range r.Bars {
			call := calls[b.call]
			op := h.Ops[call[0]]
			b.Class, b.Line = classOf(op), linesOf(h, call)
			b.Label = elide(labels.of(call), most)
			if slices.Contains(call, accused) {
				b.Class, b.Label = b.Class+" accused", accusedSign+b.Label
			}
			d.span(b, op)
			r.placeLabel(b, d.AxisEnd)
			bars[b.call] = b
		}
	}
	return bars
}

// linesOf returns the lines of a call.
func linesOf(h *history.History, call []int) string {
	var lines []string
	for _, i := range call {
		lines = append(lines, h.Line(i))
	}
	return shortLine(strings.Join(lines, "\n"))
}

// classOf names what the colours go by.
func classOf(op history.Op) string {
	class := "read"
	switch {
	case op.Kind.Writes():
		class = "write"
	case op.Kind == history.Delete || op.Kind == history.Take:
		class = "delete"
	}
	if op.Outcome != history.OK {
		class += " " + op.Outcome.String()
	}
	return class
}

// span gives the bar its place in time.
func (d *drawing) span(b *bar, op history.Op) {
	b.X, b.Height = d.at(op.Call), barHeight
	b.ended = op.Outcome != history.Unknown
	b.Width = d.AxisEnd - b.X
	if b.ended {
		b.Width = max(d.at(op.Return)-b.X, 3)
	}
}

// placeRows gives each row its height, now that it is known how many labels stand above its bars.
func (d *drawing) placeRows() {
	y := 4
	for _, r := range d.Rows {
		y += len(r.labels) * labelHeight
		r.MiddleY, r.TextY = y+barHeight/2, y+barHeight-7
		for _, b := range r.Bars {
			b.Y, b.LabelY = y, r.TextY
			if !b.Inside {
				b.LabelY = y - 5 - b.line*labelHeight
			}
			b.Path = b.outline()
		}
		y += barHeight + rowGap
	}
	d.AxisY = y + 4
	d.TickY, d.BreakY = d.AxisY+20, d.AxisY+38
	d.Height = d.BreakY + 6
}

func (d *drawing) drawAxis() {
	u := unitFor(d.shown())
	d.Unit = u.Name
	d.Ticks = d.ticks(u, d.AxisEnd)
	for i, long := range d.long {
		if long {
			middle := (d.x[i] + d.x[i+1]) / 2
			d.Breaks = append(d.Breaks, newTick(middle, human(d.between(i)), d.AxisEnd))
		}
	}
}

// explain says what the signs in the drawing mean, those alone that are in it.
func (d *drawing) explain(h *history.History, ops []int) {
	for _, n := range []struct {
		applies bool
		text    string
	}{
		{len(d.Arrows) > 0, "An arrow: the one had returned before the other was called."},
		{ended(h, ops, history.Unknown), "A torn end: nobody knows the outcome."},
		{ended(h, ops, history.NotApplied), "A dashed edge: it was not applied."},
		{len(d.Breaks) > 0, "A break in the axis: that stretch is far longer than it is drawn."},
		{d.short, "The shortest stretches are drawn longer than they are."},
	} {
		if n.applies {
			d.Notes = append(d.Notes, n.text)
		}
	}
}

// ended reports whether one of the operations has the outcome.
func ended(h *history.History, ops []int, o history.Outcome) bool {
	return slices.ContainsFunc(ops, func(i int) bool { return h.Ops[i].Outcome == o })
}
