package check

import (
	"context"

	"golang.org/x/sync/errgroup"
	"memrace/store"

	"memrace/stress/history"
)

const noOperations = "there are no operations"

// Judge returns one verdict for each property, in the order of Properties; on snapshot only if a
// session was listed or cleared.
//
// Isolation and integrity count each read and each row that is wrong. Uniqueness, linearizability
// and final count slots and lists, each of which is reported once, with the first violation in it.
// Nothing is ever reported as violated that the evidence does not prove. When ctx is cancelled,
// what was not judged by then is undecided.
func Judge(ctx context.Context, e history.Evidence, o Options) []Verdict {
	if e.History == nil {
		e.History = &history.History{}
	}
	j := &judge{h: e.History, evidence: e, options: o.withDefaults()}
	if !hasOperations(e.History) {
		return nothingToJudge(j.progress())
	}
	var progress Verdict
	var meanwhile errgroup.Group
	meanwhile.Go(func() error {
		progress = j.progress()
		return nil
	})
	j.x = newIndex(e.History)
	_ = meanwhile.Wait() // it returns no error
	j.blind = blind(e.History)
	j.searchLimit = max(j.options.SearchLimit/j.x.slotsToSearch(), 1)
	slots := j.judgeSlots(ctx)
	accused := j.accuse(slots)
	verdicts := []Verdict{
		progress, accused.isolation, accused.integrity, j.uniqueness(), j.linearizability(slots),
	}
	if sessions := j.x.wholeSessions(); len(sessions) > 0 {
		verdicts = append(verdicts, j.snapshot(ctx, sessions, slots))
	}
	return append(verdicts, j.finalValue(slots))
}

// judge is what the properties share.
type judge struct {
	h        *history.History
	evidence history.Evidence
	options  Options
	x        *index
	// blind is true if no read returned a value, though it should have; see the function.
	blind bool
	// searchLimit is the share that each slot has of the limit on searches.
	searchLimit int
	// numbers finds a slot of the history by its names; nil until slotNumbers is asked for it.
	numbers map[history.Slot]uint32
}

// rows returns the rows of the dump, nil if there was none.
func (j *judge) rows() []store.Row {
	if !j.evidence.Dumped {
		return nil
	}
	return j.evidence.Rows
}

// slotNumbers returns the number of each slot. Rows alone need it, and of many slots it is costly.
func (j *judge) slotNumbers() map[history.Slot]uint32 {
	if j.numbers == nil {
		j.numbers = make(map[history.Slot]uint32, len(j.h.Slots))
		for i, slot := range j.h.Slots {
			j.numbers[slot] = uint32(i)
		}
	}
	return j.numbers
}

// hasOperations reports whether a client of the workload did anything.
func hasOperations(h *history.History) bool {
	for i := range h.Ops {
		if h.Ops[i].Client.Numbered() {
			return true
		}
	}
	return false
}

func nothingToJudge(progress Verdict) []Verdict {
	verdicts := []Verdict{progress}
	for _, p := range Properties()[1:] {
		if p == Snapshot {
			continue
		}
		verdicts = append(verdicts, Verdict{Property: p, State: Undecided, Reason: noOperations})
	}
	return verdicts
}

// tally collects the violations of one property: all are counted, the first ones kept.
type tally struct {
	verdict Verdict
	keep    int
}

func (j *judge) tally(p Property) *tally {
	return &tally{verdict: Verdict{Property: p, State: Holds}, keep: j.options.MaxViolations}
}

// add counts a violation. It is made only if it will be kept, since to word it takes time.
func (t *tally) add(make func() Violation) {
	t.verdict.State, t.verdict.Reason = Violated, ""
	t.verdict.Count++
	if len(t.verdict.Violations) < t.keep {
		v := make()
		v.Property = t.verdict.Property
		t.verdict.Violations = append(t.verdict.Violations, v)
	}
}

// undecided makes a verdict undecided, unless it is violated already.
func (t *tally) undecided(reason string) {
	if t.verdict.State != Violated {
		t.verdict.State, t.verdict.Reason = Undecided, reason
	}
}
