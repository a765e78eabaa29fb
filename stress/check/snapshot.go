package check

import (
	"context"
	"fmt"
	"slices"

	"memrace/stress/history"
)

// snapshot makes the verdict on calls on whole sessions: whether each of them, together with all
// that was done to single slots of the session, took effect at one instant. Sessions are judged
// each by itself, since no call touches two. One of which a slot alone is not linearizable is left
// out: that is what linearizability says.
//
// Where the store kept the order of its commits, that order is the only one in question, and the
// answer is exact. Elsewhere it has to be found: an order that is forced and goes in a cycle is a
// violation; if none is, a search looks for an order.
func (j *judge) snapshot(
	ctx context.Context, sessions []*session, slots *slotsJudged,
) Verdict {
	t := j.tally(Snapshot)
	var journal *journal
	if j.evidence.Journaled {
		journal = newJournal(j.h, j.evidence.Commits)
		t.verdict.Notes = append(t.verdict.Notes, "judged in the order of the commits that the "+
			"store kept")
	}
	limit := max(j.options.SearchLimit/len(sessions), 1)
	wrong := slots.wrong()
	before := 0
	for _, s := range sessions {
		if slices.ContainsFunc(s.slots, func(slot uint32) bool { return wrong[slot] }) {
			before++
			continue
		}
		if err := ctx.Err(); err != nil {
			t.undecided(fmt.Sprintf("judging was cut short: %v", err))
			break
		}
		s.load(j.x)
		j.judgeSession(t, s, journal, limit)
	}
	if before > 0 {
		t.verdict.Notes = append(t.verdict.Notes, fmt.Sprintf("left out: %s with a slot on which "+
			"the operations by themselves are wrong already", count(before, "session")))
	}
	if before == len(sessions) {
		t.undecided("in every session, a slot by itself is wrong already")
	}
	if t.verdict.State == Holds && !j.listed() {
		t.undecided("no list of a session succeeded, so nothing tells whether any is whole")
	}
	return t.verdict
}

// wrong returns the slots on which what clients did is wrong.
func (s *slotsJudged) wrong() map[uint32]bool {
	wrong := map[uint32]bool{}
	for _, v := range s.verdicts {
		if v.operations == Violated {
			wrong[v.slot] = true
		}
	}
	return wrong
}

func (j *judge) judgeSession(t *tally, s *session, journal *journal, limit int) {
	for _, v := range s.listedTwice(j.h) {
		t.add(func() Violation { return v })
	}
	if journal != nil {
		if v, wrong := s.againstCommits(j.h, journal); wrong {
			t.add(func() Violation { return v })
		}
		return
	}
	if cycle := s.skew(j.x); cycle != nil {
		t.add(func() Violation { return cycle.violation(j.h, s) })
		return
	}
	switch v, found := s.search(j.x, limit+2*len(s.calls)); {
	case found == nil:
	case v.Ops != nil:
		t.add(func() Violation { return v })
	default:
		t.undecided(found.Error())
	}
}

// listed reports whether a list of a session succeeded.
func (j *judge) listed() bool {
	for i := range j.h.Ops {
		op := &j.h.Ops[i]
		if whole(op) && op.Kind == history.Get && op.Outcome == history.OK {
			return true
		}
	}
	return false
}

// listedTwice returns for each list that has one key twice the first such key.
func (s *session) listedTwice(h *history.History) (found []Violation) {
	for i := range s.calls {
		c := &s.calls[i]
		if !c.whole || len(c.sees) <= 1 {
			continue
		}
		first := map[int32]cell{}
		for _, cell := range c.sees {
			before, twice := first[cell.place]
			if !twice {
				first[cell.place] = cell
				continue
			}
			slot := s.slots[cell.place]
			found = append(found, Violation{
				Anomaly: DuplicateRow, Slot: slot, Ops: []int{int(before.op), int(cell.op)},
				Sentence: fmt.Sprintf("%s's list of session %s has key %s twice, with %s and %s",
					who(h.Ops[cell.op].Client), quote(s.name), quote(h.Slots[slot].Key),
					h.Text(before.value), h.Text(cell.value)),
			})
			break
		}
	}
	return found
}

// ExplainSnapshot judges the calls of a part of a history, indices into h.Ops in ascending order,
// without regard to commits, and returns what is wrong with them, and false if nothing is, or
// nothing that a short search finds. What was left out must be units (see Units), or lines of a
// call that say what a slot held.
func ExplainSnapshot(h *history.History, ops []int) (Violation, bool) {
	part := extract(h, ops)
	x := newIndex(part)
	for _, s := range x.wholeSessions() {
		s.load(x)
		v, wrong := Violation{}, false
		if cycle := s.skew(x); cycle != nil {
			v, wrong = cycle.violation(part, s), true
		} else if found, err := s.search(x, partSearchLimit); err != nil && found.Ops != nil {
			v, wrong = found, true
		}
		if !wrong {
			continue
		}
		for i := range v.Ops {
			v.Ops[i] = ops[v.Ops[i]]
		}
		v.Property, v.Slot = Snapshot, h.Ops[v.Ops[0]].Slot
		return v, true
	}
	return Violation{}, false
}
