package witness

import (
	"cmp"
	"slices"

	"memrace/stress/history"
)

// timeline is what a drawing shows, without columns: bars in lanes, and time as the ranks of
// the distinct stamps, so that the order is exact whatever the distances are.
type timeline struct {
	stamps []int64  // ascending, each once
	lanes  []string // the clients' names, from the top
	bars   []bar    // by lane, then by call
}

// bar is one call. It ends at the rank to, which is len(stamps) for an operation of which
// nobody knows when it ended, if it did.
type bar struct {
	lane     int
	from, to int
	label    string
}

// point says whether b began and ended at one stamp.
func (b bar) point() bool { return b.from == b.to }

func (t *timeline) open(b bar) bool { return b.to == len(t.stamps) }

func newTimeline(h *history.History, calls [][]int) *timeline {
	labels := newLabels(h, slices.Concat(calls...))
	ops := make([]int, len(calls)) // the first of each call: all begin and end together
	texts := map[int]string{}
	for n, call := range calls {
		ops[n], texts[call[0]] = call[0], labels.of(call)
	}
	t := &timeline{stamps: stampsOf(h, ops)}
	for _, rows := range t.seat(h, ops) {
		for _, row := range rows {
			for _, i := range row {
				b := t.span(h.Ops[i])
				b.lane, b.label = len(t.lanes), texts[i]
				t.bars = append(t.bars, b)
			}
			t.lanes = append(t.lanes, h.Ops[row[0]].Client.String())
		}
	}
	return t
}

func stampsOf(h *history.History, ops []int) []int64 {
	var stamps []int64
	for _, i := range ops {
		stamps = append(stamps, h.Ops[i].Call)
		if h.Ops[i].Outcome != history.Unknown {
			stamps = append(stamps, returned(h.Ops[i]))
		}
	}
	slices.Sort(stamps)
	return slices.Compact(stamps)
}

// returned is when op returned. A hand-made operation that returns before its call is drawn as
// a point.
func returned(op history.Op) int64 { return max(op.Call, op.Return) }

// span returns the bar of op without lane and label.
func (t *timeline) span(op history.Op) bar {
	b := bar{to: len(t.stamps)}
	b.from, _ = slices.BinarySearch(t.stamps, op.Call)
	if op.Outcome != history.Unknown {
		b.to, _ = slices.BinarySearch(t.stamps, returned(op))
	}
	return b
}

// seat returns the lanes' operations, client by client in order of their first calls; those
// that look at the store afterwards come last. A client has one lane, or more where operations
// overlap, as those of the last readers may.
func (t *timeline) seat(h *history.History, ops []int) [][][]int {
	ops = slices.Clone(ops)
	slices.SortStableFunc(ops, func(a, b int) int {
		return cmp.Compare(h.Ops[a].Call, h.Ops[b].Call)
	})
	var order []history.Client
	clients := map[history.Client][][]int{}
	for _, i := range ops {
		c := h.Ops[i].Client
		if _, seen := clients[c]; !seen {
			order = append(order, c)
		}
		clients[c] = t.place(h, clients[c], i)
	}
	slices.SortStableFunc(order, func(a, b history.Client) int {
		return cmp.Compare(after(a), after(b))
	})
	lanes := make([][][]int, len(order))
	for n, c := range order {
		lanes[n] = clients[c]
	}
	return lanes
}

// place puts operation i into the first of a client's rows in which it fits.
func (t *timeline) place(h *history.History, rows [][]int, i int) [][]int {
	b := t.span(h.Ops[i])
	for n, row := range rows {
		last := t.span(h.Ops[row[len(row)-1]])
		touch := last.to == b.from && last.from < last.to && b.from < b.to
		if last.to < b.from || touch {
			rows[n] = append(row, i)
			return rows
		}
	}
	return append(rows, []int{i})
}

// after is 0 for a client of the workload, and counts the stages in which the store is looked
// at when all of them are done.
func after(c history.Client) int {
	switch c {
	case history.Final:
		return 1
	case history.Dumped:
		return 2
	case history.Reopened:
		return 3
	}
	return 0
}
