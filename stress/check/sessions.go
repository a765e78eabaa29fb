package check

import (
	"slices"

	"memrace/stress/history"
)

// session is what clients did to the slots of one session.
type session struct {
	name  string
	slots []uint32 // numbers in the history; a place is an index into them
	calls []call   // in the order in which they were made
	// places finds a slot's place.
	places map[uint32]int32
}

// call is what one call saw and left, in as many slots as it has to do with.
type call struct {
	call, ret int64
	unknown   bool
	whole     bool // it was a list or a clear
	sees      []cell
	makes     []cell
	end       int32 // its last operation
}

// cell is a value in a place of a session, by the operation that saw or made it.
type cell struct {
	place int32
	value history.ValueID
	op    int32
}

// op returns the first operation of the call.
func (c *call) op() int {
	if len(c.sees) > 0 {
		return int(c.sees[0].op)
	}
	return int(c.makes[0].op)
}

// wholeSessions returns the sessions that were listed or cleared, in the order of their first slot.
func (x *index) wholeSessions() []*session {
	if !x.whole {
		return nil
	}
	byName := map[string]*session{}
	var all []*session
	for _, op := range x.h.Ops {
		if name := x.h.Slots[op.Slot].Session; whole(&op) && byName[name] == nil {
			byName[name] = &session{name: name, places: map[uint32]int32{}}
			all = append(all, byName[name])
		}
	}
	for slot, names := range x.h.Slots {
		if s := byName[names.Session]; s != nil {
			s.places[uint32(slot)] = int32(len(s.slots))
			s.slots = append(s.slots, uint32(slot))
		}
	}
	return all
}

// whole reports whether an operation belongs to a list or a clear.
func whole(op *history.Op) bool { return op.Whole && op.Kind != history.Items }

// load collects the calls on the session. What is read after the workload is not among them, and
// neither is what neither changed nor told anything.
func (s *session) load(x *index) {
	var ops []int32
	for _, slot := range s.slots {
		ops = append(ops, x.order[x.start[slot]:x.start[slot+1]]...)
	}
	slices.Sort(ops)
	for _, i := range ops {
		op := &x.h.Ops[i]
		if !op.Client.Numbered() || op.Outcome == history.NotApplied {
			continue
		}
		if n := len(s.calls); n > 0 && s.calls[n-1].end == i-1 && x.h.Continues(int(i)) {
			s.calls[n-1].add(x, i, s.places[op.Slot])
			continue
		}
		c := call{call: op.Call, ret: returned(op), whole: whole(op),
			unknown: op.Outcome == history.Unknown}
		c.add(x, i, s.places[op.Slot])
		s.calls = append(s.calls, c)
	}
	s.calls = slices.DeleteFunc(s.calls, func(c call) bool {
		return len(c.sees)+len(c.makes) == 0
	})
}

// add adds what an operation saw and made. A read of what isolation or integrity accuse says
// nothing.
func (c *call) add(x *index, i, place int32) {
	op := &x.h.Ops[i]
	c.end = i
	if tellsWhatItSaw(op) {
		if _, accused := x.accusation(int(i)); !accused {
			c.sees = append(c.sees, cell{place, seenBy(op), i})
		}
	}
	switch {
	case writes(op):
		c.makes = append(c.makes, cell{place, op.Value, i})
	case op.Kind == history.Delete, op.Kind == history.Take && (c.unknown || op.Value != 0):
		c.makes = append(c.makes, cell{place, history.None, i})
	}
}

// tellsWhatItSaw reports whether it is known what an operation saw, be it nothing.
func tellsWhatItSaw(op *history.Op) bool {
	switch {
	case op.Kind == history.Update:
		return op.Outcome == history.OK || op.Seen != history.None
	case op.Kind == history.Get, op.Kind == history.Take:
		return op.Outcome == history.OK
	}
	return false
}
