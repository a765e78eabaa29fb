package check

import (
	"slices"

	"memrace/stress/history"
)

// Explain judges the given operations, indices into h.Ops, as a history of their own. It returns
// the violation that they prove whatever else was done, worded for them alone, and false if they
// prove none. That is so if they are right; if a delete that is not among them may explain what a
// read of theirs found missing, or a write that is not among them what it found; and if the
// search that repeated values need did not soon find an answer.
//
// Operations on lists stand for the whole calls that they are of, with all that a read found.
//
// The violation is of linearizability, or of final if the operations are right without the reads
// after the end of the workload; or of isolation or integrity, which need no more than a read
// and its write.
func Explain(h *history.History, ops []int) (Violation, bool) {
	v, _, found := explain(h, ops, nil)
	return v, found
}

// explain is Explain with the proof. If the surroundings of the operations are nil, it finds them
// itself.
func explain(h *history.History, ops []int, around *surroundings) (Violation, proof, bool) {
	if !slices.IsSorted(ops) {
		ops = slices.Sorted(slices.Values(ops))
	}
	x := newIndex(loosen(extract(h, ops), h, ops))
	if v, decided, found := explainReads(h, x, ops); decided {
		return v, proof{}, found
	}
	c := &slotCheck{x: x, searchLimit: partSearchLimit}
	if around != nil {
		c.searchLimit = around.searchLeft
		defer func() { around.searchLeft -= c.searchCost }()
	}
	for slot := range x.h.Slots {
		for stage := operations; stage <= withReopened; stage++ {
			found := c.decide(uint32(slot), stage)
			if found.state != Violated || !c.provesAlone(found.fault, h, ops, around) {
				continue
			}
			p := c.prove(found.fault).through(ops)
			return p.violationAt(stage, h), p, true
		}
	}
	v, found := explainLists(h, ops)
	return v, proof{}, found
}

// surroundings are what of a slot may put a part of its history in another light: deletes, which
// may explain misses, and writes of values that were written more than once.
type surroundings struct {
	// changes are all operations that may change what is there, for those that say only what was
	// not.
	changes         []int
	deletes, writes []int
	// searchLeft is how many states of a search the judgement of all parts may still take.
	searchLeft int
}

// partSearchLimit bounds the search for the part of a history that Explain judges, in states. To
// make a proof smaller, thousands of parts are judged.
const partSearchLimit = 1 << 14

// provesAlone reports whether a fault of a part of a history, whose operations are ops in h, is
// one whatever else was done in h. Two clusters and what lies within one need nothing else, if
// all writes of what they read are there. But a miss that nothing explains may be explained by a
// delete that is not among the ops.
func (c *slotCheck) provesAlone(
	f fault, h *history.History, ops []int, around *surroundings,
) bool {
	read := valuesRead(c.x.h, h, ops)
	if around == nil {
		around = surroundingsOf(h, h.Ops[ops[c.at(0)]].Slot, read)
	}
	for _, w := range around.writes {
		if read[h.Ops[w].Value] && !among(ops, w) {
			return false
		}
	}
	if slices.ContainsFunc(c.x.h.Ops, func(op history.Op) bool { return refuted(&op) }) {
		return containsAll(ops, around.changes)
	}
	switch f.kind {
	case unexplainedMiss, searchFailed:
	default:
		return true
	}
	misses, shown := c.missesByReturn(), c.shownByLastCall()
	for _, d := range around.deletes {
		if mayExplain(&h.Ops[d], misses, shown) && !among(ops, d) {
			return false
		}
	}
	return true
}

func containsAll(ops, wanted []int) bool {
	for _, i := range wanted {
		if !among(ops, i) {
			return false
		}
	}
	return true
}

// among reports whether i is one of the ascending ops.
func among(ops []int, i int) bool {
	_, found := slices.BinarySearch(ops, i)
	return found
}

// valuesRead returns what the operations of a part, which are ops in h, say that they saw.
func valuesRead(part, h *history.History, ops []int) map[history.ValueID]bool {
	read := map[history.ValueID]bool{}
	for k, i := range ops {
		if seenBy(&part.Ops[k]) != history.None {
			read[seenBy(&h.Ops[i])] = true
		}
	}
	return read
}

func surroundingsOf(
	h *history.History, slot uint32, read map[history.ValueID]bool,
) *surroundings {
	around := &surroundings{}
	for i := range h.Ops {
		op := &h.Ops[i]
		if op.Slot != slot || isItem(op) || op.Outcome == history.NotApplied {
			continue
		}
		if op.Kind != history.Get {
			around.changes = append(around.changes, i)
		}
		switch {
		case op.Kind == history.Delete || op.Kind == history.Take:
			around.deletes = append(around.deletes, i)
		case writes(op) && read[op.Value]:
			around.writes = append(around.writes, i)
		}
	}
	return around
}

// surroundings returns those of any part of the slot.
func (c *slotCheck) surroundings() *surroundings {
	around := &surroundings{}
	for i, what := range c.what {
		op := c.op(int32(i))
		if op.Outcome == history.NotApplied || op.Kind == history.Get {
			continue
		}
		around.changes = append(around.changes, c.at(int32(i)))
		if what == deletion || op.Kind == history.Take {
			around.deletes = append(around.deletes, c.at(int32(i)))
		} else if what >= 0 && c.clusters[what].write == int32(i) && !c.isUnique(what) {
			around.writes = append(around.writes, c.at(int32(i)))
		}
	}
	return around
}

// explainReads looks at the reads of a part of a history whose values that part did not write to
// the slot. It decides the case if there is such a read.
func explainReads(h *history.History, x *index, ops []int) (v Violation, decided, found bool) {
	for i := range x.h.Ops {
		from, is := x.accusation(i)
		if !is {
			continue
		}
		writer, written := writeOf(x.h, seenBy(&x.h.Ops[i]))
		if written {
			return accusation(h, ops[i], ops[writer], from), true, true
		}
		switch _, written := writeOf(h, seenBy(&h.Ops[ops[i]])); {
		case written && isItem(&h.Ops[ops[i]]):
			continue // see explainLists
		case written:
			return Violation{}, true, false
		}
		return accusation(h, ops[i], -1, from), true, true
	}
	return Violation{}, false, false
}

// loosen makes updates and takes whose value was written by an operation that is not in the part
// the upserts and deletes that they are besides: what they saw says nothing there.
func loosen(part, h *history.History, ops []int) *history.History {
	within := make([]bool, len(part.Values))
	for i := range part.Ops {
		if op := &part.Ops[i]; writes(op) && op.Outcome != history.NotApplied {
			within[op.Value] = true
		}
	}
	for i := range part.Ops {
		op := &part.Ops[i]
		if op.Kind == history.Get || isItem(op) || seenBy(op) == history.None ||
			within[seenBy(op)] {
			continue
		}
		if _, written := writeOf(h, seenBy(&h.Ops[ops[i]])); !written {
			continue
		}
		*op = unseeing(*op)
	}
	return part
}

// extract returns a part of a history, with only the slots and values that it names.
func extract(h *history.History, ops []int) *history.History {
	part := &history.History{
		Ops:     make([]history.Op, len(ops)),
		Values:  []history.Value{0},
		Foreign: h.Foreign,
	}
	slots := map[uint32]uint32{}
	values := map[history.ValueID]history.ValueID{history.None: history.None}
	for i, from := range ops {
		op := h.Ops[from]
		slot, ok := slots[op.Slot]
		if !ok {
			slot = uint32(len(part.Slots))
			slots[op.Slot] = slot
			part.Slots = append(part.Slots, h.Slots[op.Slot])
		}
		op.Slot = slot
		for _, value := range []*history.ValueID{&op.Seen, &op.Value} {
			number, ok := values[*value]
			if !ok {
				number = history.ValueID(len(part.Values))
				values[*value] = number
				part.Values = append(part.Values, h.Values[*value])
			}
			*value = number
		}
		part.Ops[i] = op
	}
	return part
}
