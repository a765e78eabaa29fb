// Package search looks for an order of operations that a small machine allows: for what no faster
// way can judge. It knows nothing of histories, and its limit is a number of states, so that an
// answer does not depend on how fast the machine is.
//
// The search is that of Wing and Gong (Testing and verifying concurrent objects, 1993) with the
// memory of Lowe (Testing for linearizability, 2017): it goes through calls and returns in the
// order of time and puts an operation in its place only when one returns that has no place yet.
// What makes it fast enough:
//
//   - what changes nothing, such as a read, is placed as soon as it fits: that costs no choice;
//   - a place in the search is an event, the state of the machine and the set of those operations
//     under way that have been placed. At a moment at which nothing is under way the set is
//     empty, so that nothing is left of how the past was ordered but the state;
//   - of operations of which nobody knows whether they took effect, those that do the same are
//     counted, not told apart; and a place that has used fewer of them stands for those that have
//     used more.
package search

import (
	"cmp"
	"fmt"
	"slices"
)

// State is a state of the machine. State 0 is the one that it starts in.
type State int32

// Op is an operation: when it was under way, and what it does.
type Op struct {
	// Call and Return bound the time in which it took effect; the bounds belong to it.
	Call, Return int64
	// Unknown says that nobody knows whether it took effect, so that it may have at any time after
	// its call, or never. Return means nothing then.
	Unknown bool
	// Action is what it does, for the machine to know.
	Action int32
}

// Machine says what actions do.
type Machine interface {
	// Step returns the state that an action leads to, and false if a state does not allow it.
	Step(State, int32) (State, bool)
	// Changes reports whether an action ever leads to another state.
	Changes(int32) bool
}

// Hindsight is implemented by a Machine that knows what is to come.
type Hindsight interface {
	// Dead reports whether nothing can lead on from a change of state that took effect at a time or
	// before it, since something that is called later needs what the change took away.
	Dead(from, to State, at int64) bool
}

// Verdict is what the search found out.
type Verdict uint8

// The verdicts. The zero Verdict is OutOfBudget.
const (
	// OutOfBudget: the search gave up.
	OutOfBudget Verdict = iota
	// Found: there is an order.
	Found
	// None: there is none.
	None
)

// Result is what came of a search.
type Result struct {
	Verdict Verdict
	// Order has the indices of the operations in an order that the machine allows, if one was
	// found. Of operations with an unknown outcome it has those that took effect.
	Order []int
	// States is how many states were looked at.
	States int
	// Reason says why the search gave up; empty otherwise.
	Reason string
}

// maxOpen is how many operations with a known outcome may be under way at once.
const maxOpen = 128

// Order looks for an order of the operations in which each takes effect between its call and its
// return, and looks at no more states than the budget allows.
func Order(ops []Op, m Machine, budget int) Result {
	s := newSearch(ops, m)
	if s.open > maxOpen {
		return Result{Reason: fmt.Sprintf("%d operations are under way at once, of which a search "+
			"can judge %d at most", s.open, maxOpen)}
	}
	return s.run(budget)
}

// event is a call or a return. Calls come first where both are at one time.
type event struct {
	at     int64
	ret    bool
	op     int32
	others []int32 // who else is under way at a return
}

// search is one search on its way.
type search struct {
	ops     []Op
	machine Machine
	future  Hindsight // nil if the machine knows nothing of it
	events  []event
	// seat is the bit of each operation with a known outcome in a set of those under way.
	seat []int
	open int // how many seats there are
	// class is the number of each unknown operation's action.
	class   []int32
	actions []int32   // by class
	callers [][]int32 // by class, the operations in the order of their calls

	seen  map[place][]counts
	nodes []node
	stack []int32
}

// place is a place in the search, but for the unknown operations that were used.
type place struct {
	event int32
	state State
	set   set
}

// set is the operations under way that have been placed, by seat.
type set [maxOpen / 64]uint64

func (s *set) has(seat int) bool { return s[seat/64]>>(seat%64)&1 != 0 }
func (s *set) add(seat int)      { s[seat/64] |= 1 << (seat % 64) }
func (s *set) remove(seat int)   { s[seat/64] &^= 1 << (seat % 64) }

// counts is how many operations of each class were used, a byte pair each; a string so that
// places that have used the same share it.
type counts string

// within reports whether c has used no more of any class than other.
func (c counts) within(other counts) bool {
	for i := 0; i < len(c); i += 2 {
		if c.of(i/2) > other.of(i/2) {
			return false
		}
	}
	return true
}

func (c counts) of(class int) int {
	if len(c) == 0 {
		return 0
	}
	return int(c[2*class])<<8 | int(c[2*class+1])
}

// node is a place on the way of the search, and how it was reached.
type node struct {
	place
	used   counts
	parent int32
	op     int32 // the operation that was placed last; -1 at the start
}

func newSearch(ops []Op, m Machine) *search {
	s := &search{ops: ops, machine: m, seen: map[place][]counts{}}
	s.future, _ = m.(Hindsight)
	s.classify()
	s.schedule()
	s.assignSeats()
	return s
}

// classify gives each action of unknown operations a number. Those that change nothing are of no
// use to anybody.
func (s *search) classify() {
	number := map[int32]int32{}
	s.class = make([]int32, len(s.ops))
	for i, op := range s.ops {
		s.class[i] = -1
		if !op.Unknown || !s.machine.Changes(op.Action) {
			continue
		}
		class, known := number[op.Action]
		if !known {
			class = int32(len(s.actions))
			number[op.Action] = class
			s.actions = append(s.actions, op.Action)
			s.callers = append(s.callers, nil)
		}
		s.class[i] = class
		s.callers[class] = append(s.callers[class], int32(i))
	}
	for _, callers := range s.callers {
		slices.SortFunc(callers, func(a, b int32) int {
			return cmp.Compare(s.ops[a].Call, s.ops[b].Call)
		})
	}
}

func (s *search) schedule() {
	for i, op := range s.ops {
		if op.Unknown {
			continue
		}
		s.events = append(s.events, event{at: op.Call, op: int32(i)},
			event{at: op.Return, op: int32(i), ret: true})
	}
	slices.SortStableFunc(s.events, func(a, b event) int {
		if c := cmp.Compare(a.at, b.at); c != 0 || a.ret == b.ret {
			return c
		}
		if a.ret {
			return 1
		}
		return -1
	})
}

// assignSeats gives each operation a seat for as long as it is under way, and notes at each return
// who else is.
func (s *search) assignSeats() {
	s.seat = make([]int, len(s.ops))
	var free []int
	var under []int32
	for i := range s.events {
		e := &s.events[i]
		if !e.ret {
			if len(free) == 0 {
				free = append(free, s.open)
				s.open++
			}
			s.seat[e.op] = free[len(free)-1]
			free = free[:len(free)-1]
			under = append(under, e.op)
			continue
		}
		at := slices.Index(under, e.op)
		under = slices.Delete(under, at, at+1)
		e.others = slices.Clone(under)
		free = append(free, s.seat[e.op])
	}
}
