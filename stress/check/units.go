package check

import (
	"cmp"
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
//   - a write that was not applied, and an unknown one that nobody read.
//   - a delete, if no miss can depend on it: each miss had returned before the delete was called,
//     or something between the two shows a value. That is a cluster of which an operation was
//     called after the delete had returned, and one had returned before the miss was called; so
//     the cluster comes after the delete and before the miss, and the miss needs a later delete.
//
// A delete that a miss may depend on is in no unit and has to stay, since to leave it out could
// make a right history wrong. The rule for deletes names only clusters and misses, which is why
// units can go together: first the deletes, then the rest.
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
	needed := c.neededDeletes()
	written := map[history.ValueID][]int{}
	for i := range c.what {
		op, at := c.op(int32(i)), c.at(int32(i))
		switch {
		case op.Kind == history.Delete && needed[i]:
		case op.Kind == history.Upsert && op.Outcome != history.NotApplied:
			written[op.Value] = append(written[op.Value], at)
		case op.Kind == history.Get && op.Value != history.None && op.Outcome == history.OK:
			written[op.Value] = append(written[op.Value], at)
			units = append(units, []int{at})
		default:
			units = append(units, []int{at})
		}
	}
	for _, unit := range written {
		if len(unit) > 1 || c.x.h.Ops[unit[0]].Kind == history.Upsert {
			units = append(units, unit)
		}
	}
	return units
}

// neededDeletes says of each position whether it is a delete that a miss may depend on.
func (c *slotCheck) neededDeletes() []bool {
	needed := make([]bool, len(c.what))
	misses, shown := c.missesByReturn(), c.shownByLastCall()
	for i, what := range c.what {
		if what != deletion {
			continue
		}
		needed[i] = mayExplain(c.op(int32(i)), misses, shown)
	}
	return needed
}

// mayExplain reports whether one of the misses may depend on the delete.
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
		if what == miss {
			op := c.op(int32(i))
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
