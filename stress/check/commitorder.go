package check

import (
	"cmp"
	"fmt"
	"slices"

	"memrace/stress/history"
)

// byCommits judges the calls on a session in the order of its commits. A write takes effect at the
// position of its commit; whatever only tells what there is, or leaves nothing there, at any
// position at which that is so. A call that returned before another was made must not have a later
// position, and a write not the same either.
//
// Positions are given out in the order of the calls, each the least that is left. Since positions
// matter only as bounds for later calls, a greater one would serve nobody; so there is an order
// that keeps to that of the commits if and only if this finds it.
type byCommits struct {
	h         *history.History
	s         *session
	keys      []*held // by place
	committed *committed
	positions []int32 // by call; -1 for one that never took effect
	// floor is the greatest position of a call that returned before the present one was made, and
	// below is that call, or -1.
	floor int32
	below int32
}

// againstCommits returns the first violation of the order of commits, and false if there is none.
func (s *session) againstCommits(h *history.History, j *journal) (Violation, bool) {
	o := &byCommits{h: h, s: s, committed: j.session(s.name), below: -1}
	for _, slot := range s.slots {
		o.keys = append(o.keys, o.committed.key(h.Slots[slot].Key))
	}
	o.positions = make([]int32, len(s.calls))
	byReturn := make([]int32, len(s.calls))
	for i := range byReturn {
		byReturn[i] = int32(i)
	}
	slices.SortStableFunc(byReturn, func(a, b int32) int {
		return cmp.Compare(s.calls[a].ret, s.calls[b].ret)
	})
	for i := range s.calls {
		for len(byReturn) > 0 && s.calls[byReturn[0]].ret < s.calls[i].call {
			if before := byReturn[0]; o.positions[before] > o.floor {
				o.floor, o.below = o.positions[before], before
			}
			byReturn = byReturn[1:]
		}
		if v, wrong := o.place(int32(i)); wrong {
			return v, true
		}
	}
	return Violation{}, false
}

// place gives a call its position, or says why it has none.
func (o *byCommits) place(i int32) (Violation, bool) {
	c := &o.s.calls[i]
	if made := c.writes(); made != nil {
		position, written := o.keys[made.place].written(made.value)
		switch {
		case !written && c.unknown:
			position = -1
		case !written:
			return o.notCommitted(*made), true
		case position <= o.floor:
			return o.tooEarly(*made, position), true
		}
		o.positions[i] = position
		return Violation{}, false
	}
	if c.unknown {
		o.positions[i] = -1
		return Violation{}, false
	}
	position, fits := o.leastFrom(o.floor, c.leaves())
	if !fits {
		return o.nowhere(c), true
	}
	o.positions[i] = position
	return Violation{}, false
}

// writes returns the cell in which a call left a value, or nil.
func (c *call) writes() *cell {
	for i := range c.makes {
		if c.makes[i].value != history.None {
			return &c.makes[i]
		}
	}
	return nil
}

// leaves returns what is there when a call that writes no value has taken effect.
func (c *call) leaves() []cell {
	if len(c.makes) > 0 {
		return c.makes
	}
	return c.sees
}

// leastFrom returns the first position from floor on at which all cells hold what they should.
func (o *byCommits) leastFrom(floor int32, cells []cell) (int32, bool) {
	position := floor
	for fits := false; !fits; {
		fits = true
		for _, c := range cells {
			next, found := o.keys[c.place].next(c.value, position)
			if !found {
				return 0, false
			}
			if next > position {
				position, fits = next, false
			}
		}
	}
	return position, true
}

// notCommitted is a write that returned and left no commit.
func (o *byCommits) notCommitted(made cell) Violation {
	op := int(made.op)
	w := wording{h: o.h}
	return Violation{
		Anomaly: LostWrite, Slot: o.h.Ops[op].Slot, Ops: []int{op},
		Sentence: fmt.Sprintf("%s to %s returned, but among the commits that the store kept there "+
			"is none of it", w.what(op), slotName(o.h, o.h.Ops[op].Slot)),
	}
}

// tooEarly is a write whose commit comes before what had been there when it began.
func (o *byCommits) tooEarly(made cell, position int32) Violation {
	op, below := int(made.op), o.s.calls[o.below].op()
	w := wording{h: o.h}
	return Violation{
		Anomaly: NotLinearizable, Slot: o.h.Ops[op].Slot, Ops: distinct(op, below),
		Sentence: fmt.Sprintf("%s is commit %d of session %s, although %s, which goes with commit "+
			"%d, had returned %s", w.what(op), position, quote(o.s.name), w.what(below), o.floor,
			w.before(below, op)),
	}
}

// nowhere is a call that saw, or left, what was never there at one position that is late enough.
func (o *byCommits) nowhere(c *call) Violation {
	cells := c.leaves()
	for _, one := range cells {
		if _, ever := o.leastFrom(0, []cell{one}); !ever {
			return o.never(one)
		}
	}
	if _, ever := o.leastFrom(0, cells); !ever {
		return o.apart(c, cells)
	}
	return o.tooLate(c, cells)
}

// never is a cell with a value that was never committed.
func (o *byCommits) never(one cell) Violation {
	op := int(one.op)
	w := wording{h: o.h}
	return Violation{
		Anomaly: FailedWriteRead, Slot: o.h.Ops[op].Slot, Ops: []int{op},
		Sentence: fmt.Sprintf("%s found %s in %s, and among the commits that the store kept "+
			"there is none that left it", w.what(op), o.h.Text(one.value),
			slotName(o.h, o.h.Ops[op].Slot)),
	}
}

// apart is a call whose cells were never there together.
func (o *byCommits) apart(c *call, cells []cell) Violation {
	pair := cells
	for i, a := range cells {
		for _, b := range cells[:i] {
			if _, together := o.leastFrom(0, []cell{a, b}); !together && len(pair) > 2 {
				pair = []cell{b, a}
			}
		}
	}
	v := Violation{Anomaly: ReadSkew, Slot: o.h.Ops[c.op()].Slot}
	found := make([]string, len(pair))
	for i, one := range pair {
		v.Ops = append(v.Ops, int(one.op))
		found[i] = fmt.Sprintf("%s in %s", o.h.Text(one.value),
			quote(o.h.Slots[o.s.slots[one.place]].Key))
	}
	v.Ops = distinct(v.Ops...)
	v.Sentence = fmt.Sprintf("%s of session %s found %s, which were never there at once in the "+
		"order of the commits that the store kept", wording{h: o.h}.what(c.op()), quote(o.s.name),
		joined(found))
	return v
}

// tooLate is a call whose cells were there at once, but no more when it was made.
func (o *byCommits) tooLate(c *call, cells []cell) Violation {
	gone := cells[0]
	for _, one := range cells {
		if _, still := o.leastFrom(o.floor, []cell{one}); !still {
			gone = one
		}
	}
	op, below := int(gone.op), o.s.calls[o.below].op()
	w := wording{h: o.h}
	return Violation{
		Anomaly: StaleRead, Slot: o.h.Ops[op].Slot, Ops: distinct(op, below),
		Sentence: fmt.Sprintf("%s of session %s found %s in %s, which was there no more at commit "+
			"%d, and %s, which goes with that commit, had returned %s", w.what(op), quote(o.s.name),
			o.h.Text(gone.value), quote(o.h.Slots[o.s.slots[gone.place]].Key), o.floor,
			w.what(below), w.before(below, op)),
	}
}
