package check

import (
	"cmp"
	"fmt"
	"slices"

	"memrace/stress/history"
)

// listCheck judges one list of items after the other.
//
// Items are added once, so that the longest read L says in which order all adds took effect that
// anybody saw: every other read is a prefix of it. An add whose item is the nth of L stands at
// position 2n, a read of p items at 2p+1. An add that took effect and is not in L stands behind
// all of these; one of unknown outcome that is not in L never happened. The list is linearizable
// if and only if no operation had returned before another was called and yet stands behind it:
// then the positions, and the calls among equals, are an order that every read agrees with.
//
// What isolation and integrity accuse is no item of the list and is taken out of the reads first.
type listCheck struct {
	// x is the index of lists; nil if the history has none.
	x    *index
	slot uint32
	// only has the first operations of the calls that are judged; nil for all calls.
	only map[int]bool

	// calls are the adds and the reads, in the order of their calls.
	calls []listCall
	reads []listRead
	// items are those of all reads, one read after the other.
	items []listItem
	// places has for each add, by its place in the index, 1 + its place in the longest read, or 0.
	places []int32
	// met has for each add the last read that has its item, and where, from 1.
	met []meeting
	// longest is the number of the longest read, the first of them; -1 if there are no reads.
	longest int32
	// twice is the first read of an item that was added several times, -1 if there is none.
	twice int
	// doubled is the first read that has an item twice; its kind is noListFault if there is none.
	doubled listFault
	// clientReads is how many reads are by clients of the workload, accused how many items are left
	// for isolation and integrity.
	clientReads, accused int
}

type meeting struct{ read, at int32 }

// listCall is an add or a read.
type listCall struct {
	// op is its first operation, an index into History.Ops.
	op int
	// add is the number of the add, from 0, or -1; read is that of the read, or -1.
	add, read int32
}

// listRead is one read of the list.
type listRead struct {
	op       int // the first of its operations
	from, to int32
	lines    int // of how many operations it is, items or not
}

type listItem struct {
	op  int // the operation that read it
	add int32
}

func (r listRead) size() int32 { return r.to - r.from }

// listFault says why a list is not linearizable.
type listFault struct {
	kind listFaultKind
	// a and b are two operations of one read for doubledItem, two reads for readsDisagree, and two
	// calls for wrongOrder, of which a had returned before b was called.
	a, b int32
	// at is the read for doubledItem, and the first place, from 0, at which two reads disagree.
	at int32
}

type listFaultKind uint8

const (
	noListFault   listFaultKind = iota
	doubledItem                 // items a and b are the same one, in one read
	readsDisagree               // reads a and b differ, and neither is a prefix of the other
	wrongOrder                  // call a had returned before call b, and stands behind it
)

// listCheck returns a check of lists, one after the other.
func (j *judge) listCheck() *listCheck { return &listCheck{x: j.x.other} }

// decide judges a list with the reads of a stage.
func (c *listCheck) decide(slot uint32, until stage) answer {
	c.load(slot, until)
	if c.twice >= 0 {
		return answer{state: Undecided, reason: c.whyUndecided()}
	}
	if c.find().kind != noListFault {
		return answer{state: Violated}
	}
	return answer{state: Holds}
}

// find returns the first fault of the list that is loaded.
func (c *listCheck) find() listFault {
	if c.doubled.kind != noListFault || c.longest < 0 {
		return c.doubled
	}
	for r := range c.reads {
		if at := c.differs(int32(r)); at >= 0 {
			return listFault{kind: readsDisagree, a: int32(r), b: c.longest, at: at}
		}
	}
	return c.misplaced()
}

// differs returns the first place at which a read differs from the longest one, or -1.
func (c *listCheck) differs(read int32) int32 {
	longest := c.itemsOf(c.longest)
	for n, item := range c.itemsOf(read) {
		if item.add != longest[n].add {
			return int32(n)
		}
	}
	return -1
}

// position returns where a call stands, and false for an add that is taken never to have happened.
func (c *listCheck) position(call listCall) (int32, bool) {
	switch {
	case call.read >= 0:
		return 2*c.reads[call.read].size() + 1, true
	case c.places[call.add] > 0:
		return 2 * c.places[call.add], true
	}
	return 2*c.reads[c.longest].size() + 2, c.x.h.Ops[call.op].Outcome == history.OK
}

// misplaced finds a call that stands before another which had returned by then. Of those that
// had, only the one that stands last of all counts.
func (c *listCheck) misplaced() listFault {
	byReturn := make([]int32, len(c.calls))
	for i := range byReturn {
		byReturn[i] = int32(i)
	}
	slices.SortFunc(byReturn, func(a, b int32) int {
		return cmp.Or(cmp.Compare(c.returned(a), c.returned(b)), cmp.Compare(a, b))
	})
	last, lastPosition := int32(-1), int32(-1)
	for i, call := range c.calls {
		called := c.x.h.Ops[call.op].Call
		for ; len(byReturn) > 0 && c.returned(byReturn[0]) < called; byReturn = byReturn[1:] {
			if p, placed := c.position(c.calls[byReturn[0]]); placed && p > lastPosition {
				last, lastPosition = byReturn[0], p
			}
		}
		if p, placed := c.position(call); placed && p < lastPosition {
			return listFault{kind: wrongOrder, a: last, b: int32(i)}
		}
	}
	return listFault{}
}

func (c *listCheck) returned(call int32) int64 { return returned(&c.x.h.Ops[c.calls[call].op]) }

// whyUndecided says which item was added several times, and where.
func (c *listCheck) whyUndecided() string {
	h := c.x.h
	value := h.Ops[c.twice].Value
	r := c.x.repeats[slotValue{c.slot, value}]
	return fmt.Sprintf("%s was added to %s more than once, by %s and %s", h.Text(value),
		listName(h, c.slot), place(h, int(c.x.order[r.first])), place(h, int(c.x.order[r.second])))
}
