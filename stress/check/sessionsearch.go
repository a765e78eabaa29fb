package check

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"memrace/stress/history"
	"memrace/stress/search"
)

var errNoOrder = errors.New("a search found no order of the calls")

// search looks for an order of all calls in which each sees what it saw. The error is nil if there
// is one; errNoOrder, with the violation that this is, if there is none; and else says why nobody
// knows.
func (s *session) search(x *index, limit int) (Violation, error) {
	h := x.h
	m := newShelf(len(s.slots))
	m.neededUntil = s.neededUntil(x)
	seen := s.valuesSeen()
	var ops []search.Op
	for i := range s.calls {
		c := &s.calls[i]
		if c.unknown && !s.useful(c, seen) {
			continue
		}
		ops = append(ops, search.Op{Call: c.call, Return: c.ret, Unknown: c.unknown,
			Action: m.action(c)})
	}
	found := search.Order(ops, m, limit)
	switch found.Verdict {
	case search.Found:
		return Violation{}, nil
	case search.None:
		return s.noOrder(h), errNoOrder
	}
	return Violation{}, fmt.Errorf("session %s: %s, of %s; a store that keeps the order of its "+
		"commits needs no search (the variants of SQLite do with commits=on)", quote(s.name),
		found.Reason, count(len(ops), "call"))
}

// neededUntil returns for each value when the last call was made that saw it; 0 for one that may
// come back, since it is written more than once.
func (s *session) neededUntil(x *index) []int64 {
	until := make([]int64, max(len(x.h.Values), 1))
	for i := range s.calls {
		c := &s.calls[i]
		if c.unknown {
			continue
		}
		for _, one := range c.sees {
			if _, from := x.source(s.slots[one.place], one.value); from == fromSlot {
				until[one.value] = max(until[one.value], c.call)
			}
		}
	}
	return until
}

func (s *session) valuesSeen() map[cell]bool {
	seen := map[cell]bool{}
	for i := range s.calls {
		for _, c := range s.calls[i].sees {
			seen[cell{place: c.place, value: c.value}] = true
		}
	}
	return seen
}

// useful reports whether anybody saw what a call made of which nobody knows whether it happened.
// Whatever else it overwrote, others that are known or seen can be put after it, or it never was.
func (s *session) useful(c *call, seen map[cell]bool) bool {
	for _, made := range c.makes {
		if seen[cell{place: made.place, value: made.value}] {
			return true
		}
	}
	return false
}

// noOrder is the violation that there is no order, without a reason that a person could follow.
func (s *session) noOrder(h *history.History) Violation {
	v := Violation{Anomaly: ReadSkew, Slot: s.slots[0]}
	for i := range s.calls {
		for _, cells := range [][]cell{s.calls[i].sees, s.calls[i].makes} {
			for _, c := range cells {
				v.Ops = append(v.Ops, int(c.op))
			}
		}
	}
	v.Ops = distinct(v.Ops...)
	v.Sentence = fmt.Sprintf("no order of %s on session %s gives each what it saw",
		count(len(s.calls), "call"), quote(s.name))
	if len(s.calls) <= maxTold {
		told := make([]string, len(s.calls))
		for i := range s.calls {
			told[i] = s.calls[i].tell(h)
		}
		v.Sentence += ": " + strings.Join(told, "; ")
	}
	return v
}

// maxTold is of how many calls a sentence says what each of them did.
const maxTold = 6

// tell is a clause on what a call did: `c3's list found v1.2 in "k1" and nothing in "k2"`.
func (c *call) tell(h *history.History) string {
	what := wording{h: h}.what(c.op())
	if len(c.sees) == 0 {
		return what
	}
	found := make([]string, len(c.sees))
	for i, one := range c.sees {
		found[i] = fmt.Sprintf("%s in %s", h.Text(one.value),
			quote(h.Slots[h.Ops[one.op].Slot].Key))
	}
	return what + " found " + joined(found)
}

// shelf is a session for a search: its states are what is in all places.
type shelf struct {
	width   int
	actions []*call
	numbers map[string]int32
	states  []string // four bytes for each place
	stateOf map[string]search.State
	buf     []byte
	// neededUntil has for each value when the last call was made that saw it.
	neededUntil []int64
}

func newShelf(width int) *shelf {
	empty := string(make([]byte, 4*width))
	return &shelf{
		width: width, numbers: map[string]int32{}, states: []string{empty},
		stateOf: map[string]search.State{empty: 0},
	}
}

// action returns the number of what a call does, whoever does it and when.
func (m *shelf) action(c *call) int32 {
	var key []byte
	for i, cells := range [][]cell{c.sees, c.makes} {
		for _, cell := range cells {
			key = append(key, byte(i))
			key = binary.LittleEndian.AppendUint32(key, uint32(cell.place))
			key = binary.LittleEndian.AppendUint32(key, uint32(cell.value))
		}
	}
	number, known := m.numbers[string(key)]
	if !known {
		number = int32(len(m.actions))
		m.numbers[string(key)] = number
		m.actions = append(m.actions, c)
	}
	return number
}

// Changes implements search.Machine.
func (m *shelf) Changes(action int32) bool { return len(m.actions[action].makes) > 0 }

// Step implements search.Machine.
func (m *shelf) Step(from search.State, action int32) (search.State, bool) {
	c, state := m.actions[action], m.states[from]
	for _, cell := range c.sees {
		if holds(state, cell.place) != cell.value {
			return 0, false
		}
	}
	if len(c.makes) == 0 {
		return from, true
	}
	m.buf = append(m.buf[:0], state...)
	for _, cell := range c.makes {
		binary.LittleEndian.PutUint32(m.buf[4*cell.place:], uint32(cell.value))
	}
	to, known := m.stateOf[string(m.buf)]
	if !known {
		to = search.State(len(m.states))
		m.states = append(m.states, string(m.buf))
		m.stateOf[m.states[to]] = to
	}
	return to, true
}

// Dead implements search.Hindsight: a value that is written once does not come back.
func (m *shelf) Dead(from, to search.State, at int64) bool {
	before, after := m.states[from], m.states[to]
	for place := range int32(m.width) {
		value := holds(before, place)
		if value != history.None && value != holds(after, place) && m.neededUntil[value] > at {
			return true
		}
	}
	return false
}

// holds returns what a state has in a place.
func holds(state string, place int32) history.ValueID {
	four := state[4*place:][:4]
	return history.ValueID(four[0]) | history.ValueID(four[1])<<8 |
		history.ValueID(four[2])<<16 | history.ValueID(four[3])<<24
}
