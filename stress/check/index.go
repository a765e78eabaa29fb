package check

import (
	"slices"
	"sync"

	"memrace/stress/history"
)

// index says where the operations of each slot are, and which write each value came from.
// It is never changed once it is built, so that slots can be judged side by side.
//
// There is one for slots and, if there are lists of items, one for lists. What is added to a list
// is no business of the slot that has its number, nor the other way round.
type index struct {
	h *history.History
	// items is true for an index of lists; other is that of the other kind, nil if there is none.
	items bool
	other *index
	// order has the indices of its operations, slot by slot and within a slot by call;
	// those of slot s are order[start[s]:start[s+1]]. A place is an index into order.
	order []int32
	start []int32
	// near has copies of the operations in that order, where they stand far apart; else nil.
	near []history.Op
	// seen has for each place 1 + the place of the write that the operation saw, as far as that was
	// known when the operations were gone through in the order of their calls: 0 where it was not.
	// To look there spares a look far away.
	seen []int32
	// writes counts those writes of each slot that writer knows.
	writes []int32
	// writer has for each value 1 + the place of its only write, 0 if there is none, or
	// manyWriters. Writes that were not applied do not count.
	writer []int32
	// hard are the slots that a search has to judge, whatever their values; nil if there are none.
	hard map[uint32]bool
	// appended are the slots to which something is appended, so that what is read there need not be
	// what any one operation wrote; nil if there are none.
	appended map[uint32]bool
	// whole is true if there are calls on whole sessions.
	whole bool
	// repeats knows the writes of the values that have many.
	repeats map[slotValue]repeat
}

const manyWriters = -1

type slotValue struct {
	slot  uint32
	value history.ValueID
}

// repeat has the places of the first two writes of a value to a slot; second is -1 if there is
// one only.
type repeat struct{ first, second int32 }

// newIndex returns an index of slots, with another of lists if there are any.
func newIndex(h *history.History) *index {
	x := indexOf(h, false)
	if len(x.order) < len(h.Ops) {
		x.other = indexOf(h, true)
		x.other.other = x
	}
	return x
}

func indexOf(h *history.History, items bool) *index {
	x := &index{
		h: h, items: items,
		start:  make([]int32, len(h.Slots)+1),
		writes: make([]int32, len(h.Slots)),
		writer: make([]int32, max(len(h.Values), 1)),
	}
	x.group()
	return x
}

// isItem reports whether an operation is on a list of items rather than on a slot.
func isItem(op *history.Op) bool { return op.Kind == history.Add || op.Kind == history.Items }

// of returns the index that an operation is in.
func (x *index) of(op *history.Op) *index {
	if isItem(op) != x.items {
		return x.other
	}
	return x
}

// group sorts the operations by slot and notes which of them write what. Operations of one slot
// stay in the order of their calls.
func (x *index) group() {
	for i := range x.h.Ops {
		if op := &x.h.Ops[i]; isItem(op) == x.items {
			x.start[op.Slot+1]++
		}
	}
	for s := 1; s < len(x.start); s++ {
		x.start[s] += x.start[s-1]
	}
	n := x.start[len(x.start)-1]
	copied := x.bringTogether()
	defer copied.Wait()
	x.order, x.seen = make([]int32, n), make([]int32, n)
	next := make([]int32, len(x.h.Slots))
	copy(next, x.start)
	for i := range x.h.Ops {
		op := &x.h.Ops[i]
		if isItem(op) != x.items {
			continue
		}
		x.whole = x.whole || op.Whole
		at := &next[op.Slot]
		x.order[*at] = int32(i)
		if value := seenBy(op); value != history.None {
			x.seen[*at] = x.writer[value]
		}
		if op.Kind == history.Append || refuted(op) {
			x.noteHard(op)
		}
		if writes(op) && op.Outcome != history.NotApplied {
			x.addWrite(op, *at)
			x.writes[op.Slot]++
		}
		*at++
	}
}

// manySlots is from how many slots on the operations of one stand so far apart that it is worth to
// copy them.
const manySlots = 8

// bringTogether begins to copy the operations slot by slot, since they are looked at several times,
// and returns what to wait for until they are.
func (x *index) bringTogether() *sync.WaitGroup {
	var copied sync.WaitGroup
	if len(x.h.Slots) < manySlots {
		return &copied
	}
	x.near = make([]history.Op, x.start[len(x.start)-1])
	next := slices.Clone(x.start)
	copied.Go(func() {
		for i := range x.h.Ops {
			op := &x.h.Ops[i]
			if isItem(op) == x.items {
				x.near[next[op.Slot]] = *op
				next[op.Slot]++
			}
		}
	})
	return &copied
}

func (x *index) noteHard(op *history.Op) {
	if x.hard == nil {
		x.hard, x.appended = map[uint32]bool{}, map[uint32]bool{}
	}
	x.hard[op.Slot] = true
	if op.Kind == history.Append {
		x.appended[op.Slot] = true
	}
}

func (x *index) addWrite(op *history.Op, place int32) {
	w := &x.writer[op.Value]
	if *w == 0 {
		*w = place + 1
		return
	}
	if *w != manyWriters {
		x.addRepeat(x.op(*w-1).Slot, op.Value, *w-1)
		*w = manyWriters
	}
	x.addRepeat(op.Slot, op.Value, place)
}

func (x *index) addRepeat(slot uint32, value history.ValueID, place int32) {
	if x.repeats == nil {
		x.repeats = make(map[slotValue]repeat)
	}
	key := slotValue{slot, value}
	switch r, ok := x.repeats[key]; {
	case !ok:
		x.repeats[key] = repeat{first: place, second: -1}
	case r.second < 0:
		x.repeats[key] = repeat{first: r.first, second: place}
	}
}

func (x *index) op(place int32) *history.Op { return &x.h.Ops[x.order[place]] }

// origin is where a value that was read in a slot comes from.
type origin uint8

const (
	fromSlot      origin = iota // from the only write of it to that slot
	fromAmbiguous               // from one of several writes of it to that slot, or from appends
	fromElsewhere               // from a write to another slot or list
	fromNowhere                 // from no write that may have taken effect
)

// source returns where a value that was read in a slot comes from. For fromSlot it returns
// the place of the write.
func (x *index) source(slot uint32, value history.ValueID) (place int32, from origin) {
	switch w := x.writer[value]; {
	case x.appended != nil && x.appended[slot]:
		return 0, fromAmbiguous
	case w == 0 && x.other != nil && x.other.writer[value] != 0:
		return 0, fromElsewhere
	case w == 0:
		return 0, fromNowhere
	case w == manyWriters:
		return x.sourceOfMany(slot, value)
	case x.start[slot] < w && w <= x.start[slot+1]:
		return w - 1, fromSlot
	}
	return 0, fromElsewhere
}

// sourceAt is source for the operation at a place, which saw the value.
func (x *index) sourceAt(place int32, slot uint32, value history.ValueID) (int32, origin) {
	if x.repeats == nil && x.appended == nil {
		if w := x.seen[place]; x.start[slot] < w && w <= x.start[slot+1] {
			return w - 1, fromSlot
		}
	}
	return x.source(slot, value)
}

func (x *index) sourceOfMany(slot uint32, value history.ValueID) (int32, origin) {
	switch r, ok := x.repeats[slotValue{slot, value}]; {
	case !ok:
		return 0, fromElsewhere
	case r.second < 0:
		return r.first, fromSlot
	}
	return 0, fromAmbiguous
}

// writes reports whether an operation writes a value that reads can name. What an append leaves
// depends on what was there.
func writes(op *history.Op) bool {
	return op.Kind == history.Upsert || op.Kind == history.Update || op.Kind == history.Add
}

// writeOf returns the index of the first operation that wrote the value, wherever and whatever
// came of it, and false if there is none. Writes that may have taken effect are preferred.
func writeOf(h *history.History, value history.ValueID) (int, bool) {
	found := -1
	for i := range h.Ops {
		op := &h.Ops[i]
		if !writes(op) || op.Value != value {
			continue
		}
		if op.Outcome != history.NotApplied {
			return i, true
		}
		if found < 0 {
			found = i
		}
	}
	return found, found >= 0
}
