package check_test

import (
	"math/rand/v2"
	"slices"

	"memrace/stress/history"
)

// source is where a generator takes its choices from: random numbers, or the bytes of a fuzzer.
type source interface {
	// below returns a number from 0 to n-1.
	below(n int) int
}

type randomSource struct{ *rand.Rand }

func (s randomSource) below(n int) int { return s.IntN(n) }

// byteSource takes a byte for each choice; when there are none left it always chooses 0.
type byteSource struct{ bytes []byte }

func (s *byteSource) below(n int) int {
	if len(s.bytes) == 0 {
		return 0
	}
	b := s.bytes[0]
	s.bytes = s.bytes[1:]
	return int(b) % n
}

// shape says what kind of histories to make.
type shape struct {
	least, most int // operations by clients
	span        int // calls are at times from 0 to span-1
	longest     int // operations take a time from 0 to longest
	deletes     int // of 16 operations
	updates     int // of 16 operations
	takes       int // of 16 operations
	final       bool
	repeats     bool // values may be written more than once
	mismatches  bool // updates may find something else than they want
	faults      int  // of 64 reads, how many return anything at all
	unknown     int  // of 12 operations, how many are of unknown outcome beside the usual one
}

// maker makes the history of one slot.
type maker struct {
	source
	shape
	ops    []history.Op
	points []int // twice the time at which each operation takes effect; -1: never
	writes history.ValueID
}

// makeHistory makes a history whose operations take effect at one instant each. What reads
// return follows from that, except for the faults.
func makeHistory(s source, sh shape) *history.History {
	m := &maker{source: s, shape: sh}
	for range sh.least + s.below(sh.most-sh.least+1) {
		m.add(m.operation())
	}
	if sh.final {
		m.addFinal()
	}
	m.readValues()
	slices.SortStableFunc(m.ops, func(a, b history.Op) int { return int(a.Call - b.Call) })
	h := &history.History{
		Ops: m.ops, Slots: []history.Slot{{Session: "s", Key: "k"}},
		Values: []history.Value{0},
	}
	for i := range m.writes {
		h.Values = append(h.Values, history.TagValue(1, uint32(i)))
	}
	return h
}

func (m *maker) operation() history.Op {
	call := m.below(m.span)
	op := history.Op{
		Call: int64(call), Return: int64(call + m.below(m.longest+1)),
		Client: history.Client(len(m.ops)), Outcome: history.OK, Kind: history.Get,
	}
	switch kind := m.below(16); {
	case kind < m.deletes:
		op.Kind = history.Delete
	case kind < m.deletes+m.takes:
		op.Kind = history.Take
	case kind < m.deletes+m.takes+m.updates:
		op.Kind = history.Update
		op.Value = m.newValue()
	case kind < m.deletes+m.takes+m.updates+(16-m.deletes-m.takes-m.updates)/2:
		op.Kind = history.Upsert
		op.Value = m.newValue()
	}
	switch n := m.below(12); {
	case n <= m.unknown:
		op.Outcome = history.Unknown
	case n == 11 || m.mismatches && n > 8:
		op.Outcome = history.NotApplied
		if m.mismatches && op.Kind == history.Update {
			op.Class = history.ClassMismatch
		}
	}
	return op
}

func (m *maker) newValue() history.ValueID {
	if m.repeats && m.writes > 0 && m.below(3) == 0 {
		return history.ValueID(1 + m.below(int(m.writes)))
	}
	m.writes++
	return m.writes
}

// add gives an operation the instant at which it takes effect. An unknown one may take effect
// late or never.
func (m *maker) add(op history.Op) {
	point := 2*int(op.Call) + m.below(2*int(op.Return-op.Call)+1)
	switch {
	case op.Class == history.ClassMismatch:
	case op.Outcome == history.NotApplied:
		point = -1
	case op.Outcome == history.Unknown:
		if point = 2*int(op.Call) + m.below(2*m.span); m.below(3) == 0 {
			point = -1
		}
	}
	m.ops = append(m.ops, op)
	m.points = append(m.points, point)
}

func (m *maker) addFinal() {
	at := int64(m.span + m.longest + 2)
	for _, client := range []history.Client{history.Final, history.Dumped, history.Reopened} {
		if m.below(4) > 0 {
			m.add(history.Op{
				Call: at, Return: at + 1, Client: client, Kind: history.Get, Outcome: history.OK,
			})
		}
		at += 2
	}
}

// readValues plays the operations in the order of their instants.
func (m *maker) readValues() {
	order := make([]int, len(m.ops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return m.points[a] - m.points[b] })
	value := history.None
	for _, i := range order {
		op := &m.ops[i]
		switch op.Kind {
		case history.Get, history.Take:
			if op.Outcome == history.OK {
				op.Value = m.seen(value)
			}
		case history.Update:
			m.see(op, value, m.points[i])
		}
		switch {
		case op.Class == history.ClassMismatch || op.Kind == history.Get || m.points[i] < 0:
		case op.Kind.Writes():
			value = op.Value
		default:
			value = history.None
		}
	}
}

// see says what an update saw: one of unknown outcome may not know, and one that took no effect
// may have wanted to see anything.
func (m *maker) see(op *history.Op, value history.ValueID, point int) {
	switch {
	case op.Class == history.ClassMismatch:
		if op.Seen = m.any(); op.Seen == value && m.below(2) > 0 {
			op.Seen = history.None
		}
	case op.Outcome == history.NotApplied || op.Outcome == history.Unknown && m.below(2) == 0:
	case point < 0:
		op.Seen = m.any()
	default:
		op.Seen = m.seen(value)
	}
	if op.Seen == op.Value {
		op.Seen = history.None
	}
}

// seen returns what is seen where a value is.
func (m *maker) seen(value history.ValueID) history.ValueID {
	if m.below(64) < m.faults {
		return m.any()
	}
	return value
}

func (m *maker) any() history.ValueID { return history.ValueID(m.below(int(m.writes) + 1)) }
