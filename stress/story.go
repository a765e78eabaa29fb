package stress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memrace/stress/check"
	"memrace/stress/history"
	"memrace/stress/witness"
)

// Story is one violation, told: what is wrong and the few operations that prove it.
type Story struct {
	witness.Story
	Property check.Property
	Anomaly  check.Anomaly
	// Ops are the operations of the story, as indices into History.Ops in the order of their
	// calls. Empty where the violation rests on something else.
	Ops []int
	// Accused is the one among Ops of which the sentence says that it cannot be, a read; NoOp
	// where it is all of them together, or no operation.
	Accused int
	// Others is how many more violations of the property there are.
	Others int
}

// NoOp stands for no operation where an index into History.Ops is expected.
const NoOp = -1

// tell makes a story of one violation of each property that is violated.
func tell(h *history.History, verdicts []check.Verdict) []Story {
	var stories []Story
	for _, verdict := range verdicts {
		if verdict.State == check.Violated && len(verdict.Violations) > 0 {
			stories = append(stories, tellOne(h, verdict))
		}
	}
	return stories
}

func tellOne(h *history.History, verdict check.Verdict) Story {
	v := verdict.Violations[0]
	switch v.Property {
	case check.Linearizability, check.FinalValue:
		v = shrink(h, plainest(verdict.Violations))
	case check.Snapshot:
		v = shrinkSnapshot(h, plainest(verdict.Violations))
	}
	c := witness.Case{
		Anomaly: string(v.Anomaly), Slot: v.Slot, Ops: v.Ops,
		Sentence: v.Sentence + "." + meanwhile(h, v.Ops),
	}
	if v.Property == check.Progress {
		c.Slot = witness.NoSlot
	}
	return Story{
		Story: witness.Tell(h, c, 0), Property: v.Property, Anomaly: v.Anomaly,
		Ops: v.Ops, Accused: accused(h, v), Others: verdict.Count - 1,
	}
}

// plainest returns the first of the violations that rest on the fewest operations.
func plainest(violations []check.Violation) check.Violation {
	return slices.MinFunc(violations, func(a, b check.Violation) int {
		return cmp.Compare(len(a.Ops), len(b.Ops))
	})
}

// accused returns the operation that a violation accuses. What was read last is wrong, given all
// that came before; but where something is gone, the read that missed it is, since later reads
// only show that it should have been there.
func accused(h *history.History, v check.Violation) int {
	last, miss := NoOp, NoOp
	for _, i := range v.Ops {
		op := &h.Ops[i]
		switch {
		case !op.Kind.Reads() || op.Outcome != history.OK:
		case op.Kind != history.Update && op.Value == history.None:
			miss = i
		default:
			last = i
		}
	}
	switch {
	case v.Anomaly == check.NotLinearizable:
		return NoOp
	case miss != NoOp:
		return miss
	}
	return last
}

// shrink leaves out of a violation of order whatever it does not need: what isolation and
// integrity show is two operations from the start. What is known to be no loss goes first, in big
// groups. Of the few operations that remain each is tried by itself, such as the write of a value
// that an update replaced.
func shrink(h *history.History, v check.Violation) check.Violation {
	units := func(ops []int) [][]int { return check.Units(h, ops) }
	each := func(ops []int) (units [][]int) {
		for _, op := range ops {
			units = append(units, []int{op})
		}
		return units
	}
	wrong := func(ops []int) bool {
		_, violated := check.Explain(h, ops)
		return violated
	}
	few := witness.Reduce(v.Ops, units, wrong)
	small, violated := check.Explain(h, witness.Reduce(few, each, wrong))
	if !violated {
		return v
	}
	small.Property, small.Slot = v.Property, v.Slot
	if v.Property == check.FinalValue {
		small.Anomaly = v.Anomaly
	}
	return small
}

// maxCalls is how many operations a violation of a snapshot may rest on before it is worth to look
// for fewer.
const maxCalls = 8

// shrinkSnapshot is shrink for what is wrong with several slots together. What the violation rests
// on is few already, unless a search found it.
func shrinkSnapshot(h *history.History, v check.Violation) check.Violation {
	if len(v.Ops) <= maxCalls {
		return v
	}
	units := func(ops []int) [][]int { return check.Units(h, ops) }
	wrong := func(ops []int) bool {
		_, violated := check.ExplainSnapshot(h, ops)
		return violated
	}
	small, violated := check.ExplainSnapshot(h, witness.Reduce(v.Ops, units, wrong))
	if !violated {
		return v
	}
	return small
}

// String returns the story for a person to read.
func (s Story) String() string {
	head := fmt.Sprintf("%s violated", s.Property)
	if s.Others > 0 {
		head += fmt.Sprintf(" (and %d times more)", s.Others)
	}
	return head + "\n" + strings.TrimRight(s.Story.String(), "\n") + "\n"
}
