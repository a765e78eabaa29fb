package check_test

import (
	"memrace/stress/history"
)

// legal is the simple judgement that the near-linear one is compared with: it tries every order
// of the operations of one slot, remembering only which sets of operations it has tried.
func legal(ops []history.Op) bool {
	b := brute{tried: map[tried]bool{}}
	for _, op := range ops {
		if op.Outcome == history.NotApplied || op.Kind == history.Get && op.Outcome != history.OK {
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
		next := op.Value
		if op.Kind == history.Get {
			if op.Value != value {
				continue
			}
		}
		if b.search(placed|1<<i, next) {
			return true
		}
	}
	return false
}

// complete reports whether all operations are placed that are known to have taken effect.
func (b *brute) complete(placed uint32) bool {
	for i, op := range b.ops {
		if op.Outcome == history.OK && placed>>i&1 == 0 {
			return false
		}
	}
	return true
}

// blocked reports whether an operation that is not placed yet had returned before op was called.
func (b *brute) blocked(placed uint32, op history.Op) bool {
	for j, other := range b.ops {
		if placed>>j&1 == 0 && other.Outcome == history.OK && other.Return < op.Call {
			return true
		}
	}
	return false
}

// part returns the operations of h that keep wants.
func part(h *history.History, keep func(history.Op) bool) (ops []history.Op) {
	for _, op := range h.Ops {
		if keep(op) {
			ops = append(ops, op)
		}
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

// unaccused reports whether isolation and integrity have nothing to say of an operation.
func unaccused(h *history.History) func(history.Op) bool {
	return func(op history.Op) bool {
		if op.Kind != history.Get || op.Value == history.None {
			return true
		}
		for _, other := range h.Ops {
			if other.Kind == history.Upsert && other.Value == op.Value &&
				other.Slot == op.Slot && other.Outcome != history.NotApplied {
				return true
			}
		}
		return false
	}
}
