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
	x := newIndex(extract(h, ops))
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
	return Violation{}, proof{}, false
}

// surroundings are what of a slot may put a part of its history in another light: deletes, which
// may explain misses, and writes of values that were written more than once.
type surroundings struct {
	deletes, writes []int
	// searchLeft is how many steps of search the judgement of all parts may still take.
	searchLeft int
}

// partSearchLimit bounds the search for the part of a history that Explain judges, in steps. To
// make a proof smaller, thousands of parts are judged.
const partSearchLimit = 1 << 18

// provesAlone reports whether a fault of a part of a history, whose operations are ops in h, is
// one whatever else was done in h. Two clusters and what lies within one need nothing else, if
// all writes of what they read are there. But a miss that nothing explains may be explained by a
// delete that is not among the ops.
func (c *slotCheck) provesAlone(
	f fault, h *history.History, ops []int, around *surroundings,
) bool {
	read := valuesRead(h, ops)
	if around == nil {
		around = surroundingsOf(h, h.Ops[ops[c.at(0)]].Slot, read)
	}
	for _, w := range around.writes {
		if read[h.Ops[w].Value] && !among(ops, w) {
			return false
		}
	}
	if f.kind != unexplainedMiss && f.kind != searchFailed {
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

// among reports whether i is one of the ascending ops.
func among(ops []int, i int) bool {
	_, found := slices.BinarySearch(ops, i)
	return found
}

func valuesRead(h *history.History, ops []int) map[history.ValueID]bool {
	read := map[history.ValueID]bool{}
	for _, i := range ops {
		if op := &h.Ops[i]; op.Kind == history.Get && op.Value != history.None {
			read[op.Value] = true
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
		switch {
		case op.Slot != slot || op.Outcome == history.NotApplied:
		case op.Kind == history.Delete:
			around.deletes = append(around.deletes, i)
		case op.Kind == history.Upsert && read[op.Value]:
			around.writes = append(around.writes, i)
		}
	}
	return around
}

// surroundings returns those of any part of the slot.
func (c *slotCheck) surroundings() *surroundings {
	around := &surroundings{}
	for i, what := range c.what {
		if what == deletion {
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
		writer, written := writeOf(x.h, x.h.Ops[i].Value)
		if written {
			return accusation(h, ops[i], ops[writer], from), true, true
		}
		if _, written := writeOf(h, h.Ops[ops[i]].Value); written {
			return Violation{}, true, false
		}
		return accusation(h, ops[i], -1, from), true, true
	}
	return Violation{}, false, false
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
		value, ok := values[op.Value]
		if !ok {
			value = history.ValueID(len(part.Values))
			values[op.Value] = value
			part.Values = append(part.Values, h.Values[op.Value])
		}
		op.Slot, op.Value = slot, value
		part.Ops[i] = op
	}
	return part
}
