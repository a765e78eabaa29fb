package check

import (
	"cmp"
	"math"
	"slices"

	"memrace/stress/history"
)

// Units returns what may be left out of the given operations, indices into h.Ops, without
// making a wrong verdict of a right one: if what remains without any number of these units is
// not linearizable, then all of the operations together are not either. Units may overlap. They
// are good for this set of operations only: for a smaller one, ask again.
//
// A unit is one of these:
//
//   - a read. It changes nothing.
//   - a write with all reads of its value. In any order that a register allows they stand
//     together; whatever was there before is overwritten or deleted before it is read again.
//   - a block of such clusters that updates link (see blocks.go), unless its last value was taken
//     and a miss may depend on that as on a delete.
//   - a write that was not applied, and an unknown one that nobody read.
//   - a delete, if no miss can depend on it: each miss had returned before the delete was called,
//     or something between the two shows a value. That is a cluster of which an operation was
//     called after the delete had returned, and one had returned before the miss was called; so
//     the cluster comes after the delete and before the miss, and the miss needs a later delete.
//
// A delete or take that a miss may depend on is in no unit and has to stay, since to leave it out
// could make a right history wrong. In no order can another be the last before a miss that
// changes what is there, which is why units can go together. Operations on lists are in no
// unit either.
func Units(h *history.History, ops []int) [][]int {
	if !slices.IsSorted(ops) {
		ops = slices.Sorted(slices.Values(ops))
	}
	x := newIndex(extract(h, ops))
	c := &slotCheck{x: x}
	var units [][]int
	for slot := range x.h.Slots {
		c.load(uint32(slot), withReopened)
		units = append(units, c.units()...)
	}
	for _, unit := range units {
		for i := range unit {
			unit[i] = ops[unit[i]]
		}
	}
	slices.SortFunc(units, slices.Compare)
	return units
}

func (c *slotCheck) units() (units [][]int) {
	misses, shown := c.missesByReturn(), c.shownByLastCall()
	together := map[int64][]int{}
	for i := range c.what {
		op, at := c.op(int32(i)), c.at(int32(i))
		group, ok := c.group(int32(i), op)
		switch {
		case c.what[i] == deletion && mayExplain(op, misses, shown):
		case !ok:
			units = append(units, []int{at})
		default:
			together[group] = append(together[group], at)
			if op.Kind == history.Get {
				units = append(units, []int{at})
			}
		}
	}
	for group, unit := range together {
		if c.removable(group, unit, misses, shown) {
			units = append(units, unit)
		}
	}
	return units
}

// group returns what an operation has in common with those that have to go with it, and false if
// there are none: the block that it belongs to, or the value where that was written several times.
func (c *slotCheck) group(i int32, op *history.Op) (int64, bool) {
	value := op.Value
	switch {
	case op.Outcome == history.NotApplied:
		return 0, false
	case op.Kind == history.Delete && !c.coupled():
		return 0, false
	case op.Kind != history.Get && c.coupled():
		return all, true
	case c.what[i] >= 0 && len(c.chains) > 0:
		return -1 - int64(c.head(c.what[i])), true
	case op.Kind == history.Get && (value == history.None || op.Outcome != history.OK):
		return 0, false
	case value == history.None:
		return 0, false
	}
	return int64(value), true
}

// coupled reports whether a search judges operations that say what was there before them, so that
// any of them may depend on any write.
func (c *slotCheck) coupled() bool { return c.unclear && c.telling }

// made reports whether an operation is an update that found nothing, as a miss does.
func made(op *history.Op) bool {
	return op.Kind == history.Update && op.Seen == history.None && op.Outcome == history.OK
}

// all is the group of what can be told apart only by a search.
const all = math.MinInt64

// removable reports whether a group of operations may be left out. A read without its write is a
// unit by itself. What ends in a take may be what a miss depends on.
func (c *slotCheck) removable(group int64, unit []int, misses, shown steps) bool {
	if group == all {
		return false
	}
	for _, at := range unit {
		op := &c.x.h.Ops[at]
		if op.Kind == history.Take && mayExplain(op, misses, shown) {
			return false
		}
	}
	return len(unit) > 1 || c.x.h.Ops[unit[0]].Kind != history.Get
}

// mayExplain reports whether one of the misses may depend on the delete or take.
func mayExplain(deletion *history.Op, misses, shown steps) bool {
	asked := misses.leastFrom(deletion.Call)
	if asked == never || returned(deletion) == never {
		return asked < never
	}
	return shown.leastFrom(deletion.Return+1) >= asked
}

// steps answers what the least value is among entries whose key is at least some number.
type steps []step

type step struct{ key, least int64 }

// newSteps sorts the entries and makes each least that of itself and all behind it.
func newSteps(s steps) steps {
	slices.SortFunc(s, func(a, b step) int { return cmp.Compare(a.key, b.key) })
	for i := len(s) - 2; i >= 0; i-- {
		s[i].least = min(s[i].least, s[i+1].least)
	}
	return s
}

func (s steps) leastFrom(key int64) int64 {
	i, _ := slices.BinarySearchFunc(s, key, func(e step, key int64) int {
		return cmp.Compare(e.key, key)
	})
	if i == len(s) {
		return never
	}
	return s[i].least
}

// missesByReturn answers when the first of the misses was called that returned at t or later.
func (c *slotCheck) missesByReturn() steps {
	var s steps
	for i, what := range c.what {
		if op := c.op(int32(i)); what == miss || made(op) {
			s = append(s, step{key: op.Return, least: op.Call})
		}
	}
	return newSteps(s)
}

// shownByLastCall answers when first something had returned of the clusters whose last call was
// at t or later. Where a value was written more than once, its reads count each for itself.
func (c *slotCheck) shownByLastCall() steps {
	var s steps
	for i := range c.clusters {
		cl := &c.clusters[i]
		s = append(s, step{key: cl.s, least: cl.f})
	}
	for i, what := range c.what {
		if what == unclear {
			op := c.op(int32(i))
			s = append(s, step{key: op.Call, least: op.Return})
		}
	}
	return newSteps(s)
}
