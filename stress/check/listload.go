package check

import (
	"slices"

	"memrace/stress/history"
)

// load takes up a list.
func (c *listCheck) load(slot uint32, until stage) {
	lo, hi := c.x.start[slot], c.x.start[slot+1]
	c.slot, c.longest, c.twice, c.doubled = slot, -1, -1, listFault{}
	c.clientReads, c.accused = 0, 0
	c.calls, c.reads, c.items = c.calls[:0], c.reads[:0], c.items[:0]
	c.places = resize(c.places, int(hi-lo))
	clear(c.places)
	c.met = append(c.met[:0], make([]meeting, hi-lo)...)
	for place := lo; place < hi; place++ {
		c.take(place-lo, int(c.x.order[place]), until)
	}
	for r := range c.reads {
		if c.longest < 0 || c.reads[r].size() > c.reads[c.longest].size() {
			c.longest = int32(r)
		}
	}
	if c.longest >= 0 {
		for n, item := range c.itemsOf(c.longest) {
			c.places[item.add] = int32(n) + 1
		}
	}
}

// take takes up one operation, which is that at the place of the list.
func (c *listCheck) take(place int32, i int, until stage) {
	op := &c.x.h.Ops[i]
	switch {
	case c.x.h.Continues(i) && c.isLast(i):
		c.takeItem(i, op)
	case c.only != nil && !c.only[i]:
	case op.Kind == history.Add:
		c.calls = append(c.calls, listCall{op: i, add: place, read: -1})
	case op.Outcome != history.OK || !until.includes(op.Client):
	default:
		c.begin(i, op)
		c.takeItem(i, op)
	}
}

// isLast reports whether an operation stands next to the last read that was taken up.
func (c *listCheck) isLast(i int) bool {
	n := len(c.reads)
	return n > 0 && c.reads[n-1].op+c.reads[n-1].lines == i
}

func (c *listCheck) begin(i int, op *history.Op) {
	c.calls = append(c.calls, listCall{op: i, add: -1, read: int32(len(c.reads))})
	n := int32(len(c.items))
	c.reads = append(c.reads, listRead{op: i, from: n, to: n})
	if op.Client.Numbered() {
		c.clientReads++
	}
}

// takeItem takes up an operation of the last read.
func (c *listCheck) takeItem(i int, op *history.Op) {
	number := int32(len(c.reads)) - 1
	read := &c.reads[number]
	read.lines++
	if op.Value == history.None {
		return
	}
	place, from := c.x.source(c.slot, op.Value)
	switch from {
	case fromSlot:
	case fromAmbiguous:
		if c.twice < 0 {
			c.twice = i
		}
		return
	default:
		c.accused++
		return
	}
	add := place - c.x.start[c.slot]
	item := int32(len(c.items))
	c.items = append(c.items, listItem{op: i, add: add})
	read.to++
	met := &c.met[add]
	if met.at > 0 && met.read == number && c.doubled.kind == noListFault {
		c.doubled = listFault{kind: doubledItem, a: met.at - 1, b: item, at: number}
	}
	*met = meeting{number, item + 1}
}

func (c *listCheck) itemsOf(read int32) []listItem {
	r := c.reads[read]
	return c.items[r.from:r.to]
}

// explainLists is Explain for the operations on lists. Each stands for the whole call that it is
// of, and where items come from is looked up in the whole history, so that what is found wrong is
// wrong whatever else was done.
func explainLists(h *history.History, ops []int) (Violation, bool) {
	c := &listCheck{only: map[int]bool{}}
	var slots []uint32
	for _, i := range ops {
		if !isItem(&h.Ops[i]) {
			continue
		}
		slots = append(slots, h.Ops[i].Slot)
		for h.Continues(i) {
			i--
		}
		c.only[i] = true
	}
	if len(slots) == 0 {
		return Violation{}, false
	}
	c.x = indexOf(h, true)
	slices.Sort(slots)
	for _, slot := range slices.Compact(slots) {
		for stage := operations; stage <= withReopened; stage++ {
			if c.decide(slot, stage).state == Violated {
				return c.explain(slot, stage), true
			}
		}
	}
	return Violation{}, false
}
