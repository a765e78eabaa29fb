package history

import (
	"cmp"
	"slices"
)

// Merge makes one history of what recorders hold. Operations stand in the order of their calls,
// those of one instant in the order of their clients. The function slot names the slots that
// the recorders have by number; it is asked once for each that was used. In the history slots
// and values are numbered in the order in which operations name them, as Read does.
// Each recorder must be done or sealed.
func Merge(meta []Meta, slot func(uint32) Slot, recorders ...*Recorder) *History {
	m := merger{h: &History{Meta: meta}, slot: slot}
	total := 0
	for _, r := range recorders {
		if !r.readable() {
			panic("history.Merge: a recorder is neither done nor sealed")
		}
		total += r.n
		m.add(r)
	}
	m.h.Ops = make([]Op, 0, total)
	m.values = newInterner(m.h, total)
	m.run()
	if !slices.IsSortedFunc(m.h.Ops, compareOps) {
		slices.SortStableFunc(m.h.Ops, compareOps)
		renumber(m.h)
	}
	return m.h
}

func compareOps(a, b Op) int {
	return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(a.Client, b.Client))
}

// merger merges logs that are, each by itself, in the order of calls.
type merger struct {
	h      *History
	values *interner
	logs   []cursor
	// heap holds the logs that have more, the one with the earliest call first.
	heap []mergeHead
	slot func(uint32) Slot
	// slots holds 1 + the number in the history of each slot of the recorders, or 0.
	slots []uint32
	// strays has the same for slots that the workload does not have.
	strays map[Slot]uint32
}

// cursor is a place in a recorder's log.
type cursor struct {
	r     *Recorder
	next  int
	spans []span
	seen  []Value // of the recorder's, those that are still to come
	// foreign holds for each foreign text of the recorder its number in the history, or None.
	foreign []ValueID
}

type mergeHead struct {
	call   int64
	client Client
	log    int32
}

func (a mergeHead) before(b mergeHead) bool {
	if a.call != b.call {
		return a.call < b.call
	}
	return a.client < b.client || a.client == b.client && a.log < b.log
}

func (m *merger) add(r *Recorder) {
	if r.n == 0 {
		return
	}
	c := cursor{r: r, spans: r.spans, seen: r.seen, foreign: make([]ValueID, len(r.foreign))}
	m.logs = append(m.logs, c)
	m.heap = append(m.heap, m.logs[len(m.logs)-1].head(int32(len(m.logs)-1)))
}

func (m *merger) run() {
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	for len(m.heap) > 0 {
		log := m.heap[0].log
		c := &m.logs[log]
		m.take(c)
		if c.next < c.r.n {
			m.heap[0] = c.head(log)
		} else {
			last := len(m.heap) - 1
			m.heap[0] = m.heap[last]
			m.heap = m.heap[:last]
		}
		m.sink(0)
	}
}

// sink moves the head at index i down to where it belongs in the heap.
func (m *merger) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.heap); child++ {
			if m.heap[child].before(m.heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		m.heap[i], m.heap[least] = m.heap[least], m.heap[i]
		i = least
	}
}

func (c *cursor) entry() *entry { return &c.r.chunks[c.next/chunkLen][c.next%chunkLen] }

// seenBy returns what the entry that c stands at saw, and goes on to the next.
func (c *cursor) seenBy(e *entry) (seen Value) {
	if e.kind == Update && e.outcome == OK {
		seen, c.seen = c.seen[0], c.seen[1:]
	}
	return seen
}

func (c *cursor) head(log int32) mergeHead {
	if len(c.spans) > 1 && c.spans[1].first <= c.next {
		c.spans = c.spans[1:]
	}
	return mergeHead{c.entry().call, c.spans[0].client, log}
}

// take appends the operation that c stands at to the history.
func (m *merger) take(c *cursor) {
	e := c.entry()
	op := Op{
		Call: e.call, Return: e.ret, Client: c.spans[0].client, Slot: m.slotOf(c, e.slot),
		Kind: e.kind, Whole: e.whole, Outcome: e.outcome, Class: e.class,
		Seen:  m.value(c, c.seenBy(e)),
		Value: m.value(c, e.value),
	}
	if op.Outcome == Unknown {
		op.Return = 0
	}
	m.h.Ops = append(m.h.Ops, op)
	c.next++
}

// slotOf returns the number in the history of the slot of an entry.
func (m *merger) slotOf(c *cursor, slot uint32) uint32 {
	if slot&strayBit == 0 {
		return m.number(slot)
	}
	stray := c.r.strays[slot&^strayBit]
	number, known := m.strays[stray]
	if !known {
		if m.strays == nil {
			m.strays = make(map[Slot]uint32)
		}
		number = uint32(len(m.h.Slots))
		m.h.Slots = append(m.h.Slots, stray)
		m.strays[stray] = number
	}
	return number
}

// number returns the number in the history of a slot of the recorders.
func (m *merger) number(slot uint32) uint32 {
	if missing := int(slot) + 1 - len(m.slots); missing > 0 {
		m.slots = append(m.slots, make([]uint32, missing)...)
	}
	if m.slots[slot] == 0 {
		m.h.Slots = append(m.h.Slots, m.slot(slot))
		m.slots[slot] = uint32(len(m.h.Slots))
	}
	return m.slots[slot] - 1
}

func (m *merger) value(c *cursor, v Value) ValueID {
	if v == 0 {
		return None
	}
	i, foreign := v.Foreign()
	if !foreign {
		return m.values.tag(v)
	}
	if c.foreign[i] == None {
		c.foreign[i] = m.values.text(c.r.foreign[i])
	}
	return c.foreign[i]
}
