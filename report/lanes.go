package report

import (
	"cmp"
	"fmt"
	"slices"

	"memrace/stress/history"
)

// seat puts the operations into rows: a row for each client in the order of the first calls,
// those that look at the store afterwards last, and more than one where a client's overlap.
func seat(h *history.History, ops []int) []*row {
	order := make([]int, len(ops))
	for place := range ops {
		order[place] = place
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(h.Ops[ops[a]].Call, h.Ops[ops[b]].Call)
	})
	lanes := map[history.Client][]*row{}
	var clients []history.Client
	ends := map[*row]int64{}
	for _, place := range order {
		op := h.Ops[ops[place]]
		if lanes[op.Client] == nil {
			clients = append(clients, op.Client)
		}
		i := slices.IndexFunc(lanes[op.Client], func(r *row) bool { return ends[r] < op.Call })
		if i < 0 {
			i = len(lanes[op.Client])
			lanes[op.Client] = append(lanes[op.Client], &row{})
		}
		r := lanes[op.Client][i]
		r.Bars = append(r.Bars, &bar{call: place})
		ends[r] = endOf(op)
	}
	slices.SortStableFunc(clients, func(a, b history.Client) int {
		return cmp.Compare(after(a), after(b))
	})
	var rows []*row
	for _, c := range clients {
		lanes[c][0].Name = c.String()
		rows = append(rows, lanes[c]...)
	}
	return rows
}

// endOf is when an operation was over for its client.
func endOf(op history.Op) int64 {
	if op.Outcome == history.Unknown {
		return 1<<63 - 1
	}
	return op.Return
}

// after is 0 for a client of the workload, and more the later one looks at the store.
func after(c history.Client) int {
	return slices.Index([]history.Client{history.Final, history.Dumped, history.Reopened}, c) + 1
}

// placeLabel puts a label into its bar or, if that is too short, into the first line above it
// that has room.
func (r *row) placeLabel(b *bar, right int) {
	width := textWidth(b.Label)
	if width+12 <= b.Width {
		b.Inside, b.LabelX = true, b.X+6
		return
	}
	b.LabelX = max(min(b.X, right-width), 0)
	b.line = slices.IndexFunc(r.labels, func(free int) bool { return free <= b.LabelX })
	if b.line < 0 {
		b.line = len(r.labels)
		r.labels = append(r.labels, 0)
	}
	r.labels[b.line] = b.LabelX + width + 10
}

// outline is the bar as a path: a box or, without an end, one that is torn off at the right.
func (b *bar) outline() string {
	if b.ended {
		return fmt.Sprintf("M%d %dh%dv%dh%dz", b.X, b.Y, b.Width, b.Height, -b.Width)
	}
	step := b.Height / 4
	end := fmt.Sprintf("l-6 %dl6 %dl-6 %dl6 %d", step, step, step, b.Height-3*step)
	return fmt.Sprintf("M%d %dH%d%sH%d", b.X, b.Y, b.X+b.Width, end, b.X) + "z"
}

// arrow leads from the end of a bar to the beginning of another.
type arrow struct{ Path, Head string }

const headLength = 6

func newArrow(from, to *bar) arrow {
	x1, y1 := from.X+from.Width, from.Y+from.Height/2
	x2, y2 := to.X, to.Y+to.Height/2
	a := arrow{Head: fmt.Sprintf("M%d %dl%d -4v8z", x2, y2, -headLength)}
	x2 -= headLength
	if y1 == y2 {
		a.Path = fmt.Sprintf("M%d %dH%d", x1, y1, x2)
		return a
	}
	bend := min(max((x2-x1)/2, 8), 60)
	a.Path = fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, x1+bend, y1, x2-bend, y2, x2, y2)
	return a
}
