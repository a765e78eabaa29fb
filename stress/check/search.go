package check

import (
	"fmt"

	"github.com/anishathalye/porcupine"

	"memrace/stress/history"
)

// register returns a slot for porcupine: its state is the value, history.None if there is none.
// Each step is taken only if wanted, which is told whether it is possible.
func register(wanted func(possible bool) bool) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return history.None },
		Step: func(state, input, _ any) (bool, any) {
			op := input.(*history.Op)
			possible := op.Kind != history.Get || op.Value == state.(history.ValueID)
			if !wanted(possible) {
				return false, state
			}
			switch op.Kind {
			case history.Upsert:
				return true, op.Value
			case history.Delete:
				return true, history.None
			}
			return possible, state
		},
	}
}

// stepSize is how many words of memory porcupine takes for a step, apart from the bits.
const stepSize = 16

// search judges a slot some of whose values were written more than once: reads then do not tell
// which write they saw, and all there is to do is to try. An operation of which nobody knows
// whether it took effect can always come last, where it disturbs nobody.
//
// It gives up at the limit of the slotCheck. A possible step counts by its size, since porcupine
// remembers it with a bit for each operation.
func (c *slotCheck) search() answer {
	ops := c.searched()
	left, size := c.searchLimit, stepSize+len(ops)/64
	found := porcupine.CheckOperations(register(func(possible bool) bool {
		left--
		if possible {
			left -= size
		}
		return left >= 0
	}), ops)
	c.searchCost += c.searchLimit - left
	switch {
	case found:
		return answer{state: Holds}
	case left >= 0:
		return answer{state: Violated, fault: fault{kind: searchFailed}}
	}
	return answer{state: Undecided, reason: fmt.Sprintf("%s; the search for an order of %s gave "+
		"up; write each value once", c.repeatNote(), count(len(ops), "operation"))}
}

// searched returns the operations that have to be put in order.
func (c *slotCheck) searched() []porcupine.Operation {
	var ops []porcupine.Operation
	for i, what := range c.what {
		if what == leftOut || what >= 0 && c.clusters[what].f == never && c.isUnique(what) {
			continue
		}
		op := c.op(int32(i))
		ops = append(ops, porcupine.Operation{Input: op, Call: op.Call, Return: returned(op)})
	}
	return ops
}

// slotsToSearch returns how many slots a search has to judge, at least 1 and at most as many as
// have values that repeat.
func (x *index) slotsToSearch() int {
	slots := map[uint32]bool{}
	for key, r := range x.repeats {
		if r.second >= 0 {
			slots[key.slot] = true
		}
	}
	return max(len(slots), 1)
}

// isUnique reports whether the value of a cluster was written to the slot only once.
func (c *slotCheck) isUnique(number int32) bool {
	_, from := c.x.source(c.slot, c.op(c.clusters[number].write).Value)
	return from == fromSlot
}

// repeatNote names a value that was written more than once and then read, and two of its writes.
func (c *slotCheck) repeatNote() string {
	for i, what := range c.what {
		if what != unclear {
			continue
		}
		value := c.op(int32(i)).Value
		r := c.x.repeats[slotValue{c.slot, value}]
		return fmt.Sprintf("%s was written to %s more than once, by %s and %s",
			c.x.h.Text(value), slotName(c.x.h, c.slot),
			place(c.x.h, int(c.x.order[r.first])), place(c.x.h, int(c.x.order[r.second])))
	}
	return ""
}

// place says where an operation stands: its line in a file, or else its number.
func place(h *history.History, i int) string {
	if i < len(h.Lines) {
		return fmt.Sprintf("line %d", h.Lines[i])
	}
	return fmt.Sprintf("operation %d", i)
}
