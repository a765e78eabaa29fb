package history

import (
	"cmp"
	"fmt"
	"slices"
)

// sortByCall sorts the operations of a history that was read, and numbers its slots and values
// anew in that order. Operations of one instant stay as they are.
func sortByCall(h *History) {
	order := make([]uint32, len(h.Ops))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(h.Ops[a].Call, h.Ops[b].Call), cmp.Compare(a, b))
	})
	ops, lines := make([]Op, len(order)), make([]uint32, len(order))
	for i, from := range order {
		ops[i], lines[i] = h.Ops[from], h.Lines[from]
	}
	h.Ops, h.Lines = ops, lines
	renumber(h)
}

func renumber(h *History) {
	old := *h
	h.Slots, h.Values, h.Foreign = nil, []Value{0}, nil
	slots, values := make([]uint32, len(old.Slots)), make([]ValueID, len(old.Values))
	for i := range h.Ops {
		op := &h.Ops[i]
		if slots[op.Slot] == 0 {
			h.Slots = append(h.Slots, old.Slots[op.Slot])
			slots[op.Slot] = uint32(len(h.Slots))
		}
		op.Slot = slots[op.Slot] - 1
		for _, value := range []*ValueID{&op.Seen, &op.Value} {
			if *value != None && values[*value] == None {
				values[*value] = h.adopt(&old, *value)
			}
			*value = values[*value]
		}
	}
}

// adopt adds a value of old to h.
func (h *History) adopt(old *History, id ValueID) ValueID {
	v := old.Values[id]
	if i, foreign := v.Foreign(); foreign {
		v = ForeignValue(len(h.Foreign))
		h.Foreign = append(h.Foreign, old.Foreign[i])
	}
	h.Values = append(h.Values, v)
	return ValueID(len(h.Values) - 1)
}

// checkClients refuses a client of the workload that is called before its last call is over.
func (r *reader) checkClients() error {
	clients := newIndex(0)
	var last []int
	for i := range r.h.Ops {
		op := &r.h.Ops[i]
		if !op.Client.Numbered() {
			continue
		}
		c := clients.number(uint64(op.Client)+1, uint32(len(last)))
		if int(c) == len(last) {
			last = append(last, i)
			continue
		}
		if last[c] == i-1 && r.h.Continues(i) {
			last[c] = i
			continue
		}
		if problem := r.overlap(&r.h.Ops[last[c]], op, r.h.Lines[last[c]]); problem != "" {
			return &SyntaxError{r.name, int(r.h.Lines[i]), problem}
		}
		last[c] = i
	}
	return nil
}

// overlap says why client may not make the call op after its call before, or returns "". A get
// that did not return may be followed by others, since it never has an effect.
func (r *reader) overlap(before, op *Op, line uint32) string {
	switch {
	case before.Outcome == Unknown && !before.Kind.onlyReads():
		return fmt.Sprintf("%v is called at %d, although its %v of line %d is unknown and may "+
			"still be under way; want a new client", op.Client, op.Call, before.Act(), line)
	case before.Outcome != Unknown && op.Call < before.Return:
		return fmt.Sprintf("%v is called at %d, although its %v of line %d returns at %d; "+
			"want one call after the other", op.Client, op.Call, before.Act(), line, before.Return)
	}
	return ""
}
