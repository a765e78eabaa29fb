package check_test

import (
	"fmt"
	"math"
	"time"

	"github.com/anishathalye/porcupine"

	"memrace/stress/check"
	"memrace/stress/history"
)

const porcupineLimit = 200 * time.Millisecond

// model is a slot, written for the tests alone.
var model = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(state, input, output any) (bool, any) {
		switch kind := input.([2]int); history.Kind(kind[0]) {
		case history.Upsert:
			return true, kind[1]
		case history.Delete:
			return true, 0
		}
		return output == state, state
	},
}

func porcupineOps(h *history.History) (ops []porcupine.Operation) {
	seen := map[history.ValueID]bool{}
	for _, op := range h.Ops {
		seen[op.Value] = seen[op.Value] || op.Kind == history.Get
	}
	for _, op := range h.Ops {
		end := op.Return
		if op.Outcome == history.Unknown {
			end = math.MaxInt64
		}
		dropped := op.Outcome == history.NotApplied ||
			op.Outcome == history.Unknown && op.Kind == history.Get ||
			op.Outcome == history.Unknown && op.Kind == history.Upsert && !seen[op.Value]
		if !dropped && !isAccused(h, op) {
			ops = append(ops, porcupine.Operation{
				Input: [2]int{int(op.Kind), int(op.Value)}, Call: op.Call,
				Output: int(op.Value), Return: end,
			})
		}
	}
	return ops
}

// checkAgain checks that Explain finds the violations again, and that porcupine finds what they
// rest on wrong.
func checkAgain(h *history.History, verdict check.Verdict) error {
	for _, v := range verdict.Violations {
		if _, found := check.Explain(h, v.Ops); !found {
			return fmt.Errorf("Explain does not find the proof %v of %q", v.Ops, v.Sentence)
		}
		small := &history.History{Ops: pick(h, v.Ops), Slots: h.Slots, Values: h.Values}
		if porcupine.CheckOperations(model, porcupineOps(small)) {
			return fmt.Errorf("the proof %v of %q is no proof", v.Ops, v.Sentence)
		}
	}
	return nil
}
