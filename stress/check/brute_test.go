package check_test

import (
	"memrace/stress/history"
)

// legal is the simple judgement that the near-linear one is compared with: it tries every order
// of the operations of one slot, remembering only which sets of operations it has tried.
func legal(ops []history.Op) bool {
	b := brute{tried: map[tried]bool{}}
	for _, op := range ops {
		if !mustBe(op) && (op.Outcome == history.NotApplied || op.Kind == history.Get) {
			continue
		}
		b.ops = append(b.ops, op)
	}
	return b.search(0, history.None)
}

type brute struct {
	ops   []history.Op
	tried map[tried]bool
}

type tried struct {
	placed uint32
	value  history.ValueID
}

// search reports whether the operations that are not placed yet can follow.
func (b *brute) search(placed uint32, value history.ValueID) bool {
	if b.complete(placed) {
		return true
	}
	key := tried{placed, value}
	if b.tried[key] {
		return false
	}
	b.tried[key] = true
	for i, op := range b.ops {
		if placed>>i&1 == 1 || b.blocked(placed, op) {
			continue
		}
		if next, ok := after(op, value); ok && b.search(placed|1<<i, next) {
			return true
		}
	}
	return false
}

// mustBe reports whether an operation has to be placed: it took effect, or tells what was not
// there.
func mustBe(op history.Op) bool {
	return op.Outcome == history.OK || mismatched(op)
}

func mismatched(op history.Op) bool {
	return op.Class == history.ClassMismatch && op.Seen != history.None
}

// after returns the value after an operation that met one, and false if it cannot have.
func after(op history.Op, value history.ValueID) (history.ValueID, bool) {
	switch {
	case mismatched(op):
		return value, op.Seen != value
	case op.Kind == history.Get:
		return value, op.Value == value
	case op.Kind == history.Update:
		return op.Value, op.Seen == value || op.Seen == history.None && op.Outcome != history.OK
	case op.Kind == history.Take:
		return history.None, op.Value == value || op.Outcome != history.OK
	}
	return op.Value, true
}

// complete reports whether all operations are placed that are known to have taken effect.
func (b *brute) complete(placed uint32) bool {
	for i, op := range b.ops {
		if mustBe(op) && placed>>i&1 == 0 {
			return false
		}
	}
	return true
}

// blocked reports whether an operation that is not placed yet had returned before op was called.
func (b *brute) blocked(placed uint32, op history.Op) bool {
	for j, other := range b.ops {
		if placed>>j&1 == 0 && mustBe(other) && other.Return < op.Call {
			return true
		}
	}
	return false
}

// part returns the operations of h that keep wants, without what isolation and integrity accuse:
// such a read says nothing, such an update or take is a write or a delete.
func part(h *history.History, keep func(history.Op) bool) (ops []history.Op) {
	for _, op := range h.Ops {
		if !keep(op) {
			continue
		}
		if isAccused(h, op) {
			switch op.Kind {
			case history.Get:
				continue
			case history.Update:
				op.Kind, op.Seen = history.Upsert, history.None
			case history.Take:
				op.Kind, op.Value = history.Delete, history.None
			}
		}
		ops = append(ops, op)
	}
	return ops
}

// pick returns the operations of h with the given indices.
func pick(h *history.History, indices []int) (ops []history.Op) {
	for _, i := range indices {
		ops = append(ops, h.Ops[i])
	}
	return ops
}

// isAccused reports whether isolation and integrity have something to say of what an operation saw.
func isAccused(h *history.History, op history.Op) bool {
	seen := op.Value
	if op.Kind == history.Update {
		seen = op.Seen
	}
	if !op.Kind.Reads() || seen == history.None || op.Outcome == history.NotApplied {
		return false
	}
	for _, other := range h.Ops {
		if other.Kind.Writes() && other.Value == seen && other.Slot == op.Slot &&
			other.Outcome != history.NotApplied {
			return false
		}
	}
	return true
}
