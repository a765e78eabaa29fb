package search

import (
	"fmt"
	"slices"
)

// run walks through the places depth first.
func (s *search) run(budget int) Result {
	s.push(node{parent: -1, op: -1})
	for len(s.stack) > 0 {
		if len(s.nodes) > budget {
			return Result{States: len(s.nodes),
				Reason: fmt.Sprintf("the search for an order gave up after %d states", budget)}
		}
		at := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		n := s.nodes[at]
		if !s.advance(&n) {
			return Result{Verdict: Found, States: len(s.nodes), Order: s.order(at)}
		}
		if s.remember(n.place, n.used) {
			s.branch(at, n)
		}
	}
	return Result{Verdict: None, States: len(s.nodes)}
}

func (s *search) push(n node) {
	s.stack = append(s.stack, int32(len(s.nodes)))
	s.nodes = append(s.nodes, n)
}

// remember notes a place and reports whether it is worth going on from there: not if one that
// has used no more was there already.
func (s *search) remember(p place, used counts) bool {
	before := s.seen[p]
	for _, other := range before {
		if other.within(used) {
			return false
		}
	}
	before = slices.DeleteFunc(before, used.within)
	s.seen[p] = append(before, used)
	return true
}

// advance goes on to the next return of an operation that has no place yet. It reports false if
// there is none, so that an order has been found.
func (s *search) advance(n *node) bool {
	for ; int(n.event) < len(s.events); n.event++ {
		e := &s.events[n.event]
		switch seat := s.seat[e.op]; {
		case !e.ret:
			if s.fits(n.state, e.op) {
				n.set.add(seat)
			}
		case n.set.has(seat):
			n.set.remove(seat)
		default:
			return true
		}
	}
	return false
}

// fits reports whether an operation changes nothing and is allowed in a state.
func (s *search) fits(state State, op int32) bool {
	action := s.ops[op].Action
	if s.machine.Changes(action) {
		return false
	}
	_, allowed := s.machine.Step(state, action)
	return allowed
}

// branch tries each operation that may come next. The one that returns is tried first, so it is
// pushed last; unknown ones are tried last.
func (s *search) branch(at int32, n node) {
	e := &s.events[n.event]
	for class := len(s.actions) - 1; class >= 0; class-- {
		s.useUnknown(at, n, class)
	}
	for _, op := range e.others {
		if !n.set.has(s.seat[op]) {
			s.place(at, n, op)
		}
	}
	s.place(at, n, e.op)
}

// place pushes the node that comes of placing an operation, if the state allows it.
func (s *search) place(at int32, n node, op int32) {
	next, allowed := s.machine.Step(n.state, s.ops[op].Action)
	if !allowed || s.dead(n, next) {
		return
	}
	n.set.add(s.seat[op])
	s.arrive(at, n, next, op)
}

// dead reports whether it is known that going to a state leads nowhere.
func (s *search) dead(n node, next State) bool {
	return s.future != nil && next != n.state && s.future.Dead(n.state, next, s.events[n.event].at)
}

// useUnknown pushes the node that comes of using the first unused operation of a class, if there
// is one that was called already.
func (s *search) useUnknown(at int32, n node, class int) {
	count, callers := n.used.of(class), s.callers[class]
	if count == len(callers) || s.ops[callers[count]].Call > s.events[n.event].at {
		return
	}
	next, allowed := s.machine.Step(n.state, s.actions[class])
	if !allowed || next == n.state || s.dead(n, next) {
		return
	}
	used := []byte(n.used)
	if len(used) == 0 {
		used = make([]byte, 2*len(s.actions))
	}
	count++
	used[2*class], used[2*class+1] = byte(count>>8), byte(count)
	n.used = counts(used)
	s.arrive(at, n, next, callers[count-1])
}

// arrive pushes a node in a new state, with everything placed that changes nothing and fits.
func (s *search) arrive(at int32, n node, state State, op int32) {
	n.state, n.parent, n.op = state, at, op
	e := &s.events[n.event]
	for _, other := range e.others {
		if seat := s.seat[other]; !n.set.has(seat) && s.fits(state, other) {
			n.set.add(seat)
		}
	}
	if seat := s.seat[e.op]; !n.set.has(seat) && s.fits(state, e.op) {
		n.set.add(seat)
	}
	s.push(n)
}

// order walks the way to the last node again and notes what was placed where.
func (s *search) order(last int32) []int {
	var way []int32
	for at := last; at >= 0; at = s.nodes[at].parent {
		way = append(way, at)
	}
	slices.Reverse(way)
	t := &track{search: s, done: make([]bool, len(s.ops))}
	for _, at := range way {
		t.follow(s.nodes[at])
	}
	return t.order
}

// track is an order that is being written down.
type track struct {
	*search
	done  []bool
	order []int
}

// follow notes the operation that led to a node, then all that the search placed on the way to
// the next one because it fitted.
func (t *track) follow(n node) {
	if n.op >= 0 {
		t.note(n.op)
		e := &t.events[n.event]
		for _, op := range append(slices.Clone(e.others), e.op) {
			if t.fits(n.state, op) {
				t.note(op)
			}
		}
	}
	for ; int(n.event) < len(t.events); n.event++ {
		e := &t.events[n.event]
		if e.ret && !t.done[e.op] {
			return
		}
		if !e.ret && t.fits(n.state, e.op) {
			t.note(e.op)
		}
	}
}

func (t *track) note(op int32) {
	if !t.done[op] {
		t.done[op] = true
		t.order = append(t.order, int(op))
	}
}
