package witness

import (
	"fmt"
	"slices"
	"strings"

	"memrace/stress/history"
)

// DefaultWidth is the width of a drawing, in columns, where none is asked for.
const DefaultWidth = 100

const (
	leastWidth = 40
	// maxBars is how many calls are drawn as bars; more are listed.
	maxBars = 40
	// maxListed is how many calls or lines a list holds; of more, their number is told.
	maxListed = 100
	gutter    = 2
	timeName  = "time"
)

// Draw draws the operations ops of h, given as indices into h.Ops, against time: one lane for
// each client, in order of first call, and in it each operation as a bar from its call to its
// return. The operations of one call on a whole session are one bar.
//
// Columns stand for the order of stamps and not for distances: an operation ended before another
// began if and only if its bar ends in a column left of the other's first. An operation whose
// outcome is unknown has an open end. The last line holds the real times. Where width columns do
// not suffice, time goes on in a further panel below; width 0 means DefaultWidth, and less than
// 40 is taken as 40. More than 40 calls are listed in their order instead.
//
// All text is printable ASCII, whatever the names and values are. Each line ends with a newline.
func Draw(h *history.History, ops []int, width int) string {
	ops = union([][]int{ops})
	if len(ops) == 0 {
		return ""
	}
	calls := Calls(h, ops)
	if len(calls) > maxBars {
		return list(h, calls)
	}
	t := newTimeline(h, calls)
	names, width := t.gutter(), columns(width)
	var panels []string
	for _, p := range t.layOut(width - len(names[0])) {
		panels = append(panels, p.draw(names, width))
	}
	return strings.Join(panels, "\n")
}

func columns(width int) int {
	if width == 0 {
		return DefaultWidth
	}
	return max(width, leastWidth)
}

// gutter returns what stands left of each lane and, as its last element, of the axis.
func (t *timeline) gutter() []string {
	names := append(slices.Clone(t.lanes), timeName)
	widest := 0
	for _, name := range names {
		widest = max(widest, len(name))
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%-*s", widest+gutter, name)
	}
	return names
}

func (p *panel) draw(names []string, width int) string {
	lanes := make([][]byte, len(p.lanes))
	tops := p.tops()
	for _, b := range p.bars {
		if !p.shows(b) {
			continue
		}
		if lanes[b.lane] == nil {
			lanes[b.lane] = p.guides(tops, b.lane)
		}
		p.drawBar(lanes[b.lane], b)
	}
	var out strings.Builder
	for i, lane := range lanes {
		if lane != nil {
			out.WriteString(strings.TrimRight(names[i]+string(lane), " ") + "\n")
		}
	}
	out.WriteString(p.inAll(names[len(lanes)]+p.axis(), width))
	return out.String()
}

// tops returns for each rank of the panel the uppermost lane in which a bar begins or ends there.
func (p *panel) tops() []int {
	tops := make([]int, p.hi-p.lo)
	for rank := range tops {
		i := slices.IndexFunc(p.bars, func(b bar) bool {
			return b.from == p.lo+rank || b.to == p.lo+rank
		})
		tops[rank] = p.bars[i].lane
	}
	return tops
}

// guides returns a lane without bars: lines that lead from ends of bars above down to the axis,
// so that the eye need not guess which of two ends is left of the other.
func (p *panel) guides(tops []int, lane int) []byte {
	line := []byte(strings.Repeat(" ", p.width()))
	for rank, top := range tops {
		if top < lane {
			line[p.column(p.lo+rank)] = ':'
		}
	}
	return line
}

// inAll appends to the last axis the real time from the first stamp to the last.
func (p *panel) inAll(axis string, width int) string {
	if p.hi < len(p.stamps) || len(p.stamps) < 3 {
		return axis + "\n"
	}
	text := human(p.total()) + " in all"
	if len(axis)+2+len(text) > width {
		return axis + "\n" + fmt.Sprintf("%*s\n", len(axis), text)
	}
	return axis + "  " + text + "\n"
}

func (p *panel) drawBar(lane []byte, b bar) {
	from, to := p.x[p.left(b)], p.x[p.right(b)]
	if b.point() {
		copy(lane[from:], "| "+b.label+" ")
		return
	}
	copy(lane[from:], strings.Repeat("-", to+1-from))
	if p.beginsIn(b) {
		lane[from] = '|'
	}
	inner := lane[from+1 : to]
	switch {
	case p.endsIn(b):
		lane[to] = '|'
	case p.lastOpen(b):
		copy(lane[to+1-len(openEnd):], openEnd)
		inner = inner[:max(len(inner)+1-len(openEnd), 0)]
	}
	if text := " " + b.label + " "; len(inner) >= len(text)+2*p.margin {
		copy(inner[(len(inner)-len(text))/2:], text)
	}
}

// list is what becomes of a drawing that nobody could read.
func list(h *history.History, calls [][]int) string {
	labels := newLabels(h, slices.Concat(calls...))
	first := h.Ops[calls[0][0]].Call
	var out strings.Builder
	for _, call := range calls[:min(len(calls), maxListed)] {
		op := h.Ops[call[0]]
		end := "..."
		if op.Outcome != history.Unknown {
			end = human(returned(op) - first)
		}
		fmt.Fprintf(&out, "%8s to %-8s  %-6s  %s\n",
			human(op.Call-first), end, op.Client, labels.of(call))
	}
	if more := len(calls) - maxListed; more > 0 {
		fmt.Fprintf(&out, "and %d more\n", more)
	}
	return out.String()
}
