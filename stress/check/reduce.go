package check

import (
	"slices"

	"memrace/stress/history"
)

// reduceBudget is how many operations are judged at most in making a proof smaller.
const reduceBudget = 1 << 20

// reduce returns a small proof of a fault. Where a fault rests on more than two clusters it looks
// for a stretch of time that is wrong by itself, twice as long each time, and then leaves out
// what is not needed.
func (c *slotCheck) reduce(f fault) proof {
	switch f.kind {
	case unexplainedMiss:
		for length := int32(32); ; length *= 2 {
			lo := max(f.item-length, 0)
			ops := c.stretch(lo, f.until)
			if smaller, ok := c.minimize(ops); ok {
				return smaller
			}
			if lo == 0 {
				break
			}
		}
	case searchFailed, circle:
		if smaller, ok := c.minimize(c.allJudged()); ok {
			return smaller
		}
	}
	p := c.prove(f)
	if len(c.chains) > 0 {
		p = c.settle(p)
	}
	return p
}

// settle judges the operations of a proof about blocks by themselves, until that finds nothing
// smaller: what linked them in the whole may be needed no more.
func (c *slotCheck) settle(p proof) proof {
	for around := c.surroundings(); ; {
		around.searchLeft = partSearchLimit
		_, smaller, wrong := explain(c.x.h, p.ops, around)
		switch {
		case !wrong:
			return p
		case len(smaller.ops) >= len(p.ops):
			return smaller
		}
		p = smaller
	}
}

// stretch returns the operations at the positions from lo to hi, the writes of what they read,
// and each delete elsewhere that a miss among them may depend on. All that is left out is left
// out soundly: see Units.
func (c *slotCheck) stretch(lo, hi int32) []int {
	var keep []int32
	var misses steps
	for i := lo; i <= hi; i++ {
		switch what := c.what[i]; {
		case what == leftOut:
			continue
		case what == miss || made(c.op(i)):
			op := c.op(i)
			misses = append(misses, step{key: op.Return, least: op.Call})
		case what >= 0:
			keep = append(keep, c.clusters[what].write)
		}
		keep = append(keep, i)
	}
	misses = newSteps(misses)
	shown := c.shownByLastCall()
	for i, what := range c.what {
		deletes := what == deletion || c.op(int32(i)).Kind == history.Take && what >= 0
		if deletes && mayExplain(c.op(int32(i)), misses, shown) {
			keep = append(keep, int32(i))
		}
	}
	slices.Sort(keep)
	keep = slices.Compact(keep)
	ops := make([]int, len(keep))
	for i, position := range keep {
		ops[i] = c.at(position)
	}
	return ops
}

// minimize leaves out units for as long as the rest is wrong, many at first, then fewer. It
// returns false if the operations are right to begin with.
func (c *slotCheck) minimize(ops []int) (proof, bool) {
	h := c.x.h
	around := c.surroundings()
	around.searchLeft = c.searchLimit
	_, best, wrong := explain(h, ops, around)
	if !wrong {
		return proof{}, false
	}
	ops = best.ops
	budget := reduceBudget
	for size := max(len(ops)/2, 1); size > 0; {
		smaller, p := c.trim(ops, size, around, &budget)
		switch {
		case budget < 0:
			return best, true
		case len(smaller) < len(ops):
			ops, best = smaller, p
			size = min(size, max(len(ops)/2, 1))
		default:
			size /= 2
		}
	}
	return best, true
}

// trim tries to leave out each group of size units in turn, and returns what is left after
// the first that could go, or all.
func (c *slotCheck) trim(ops []int, size int, around *surroundings, budget *int) ([]int, proof) {
	for group := range slices.Chunk(Units(c.x.h, ops), size) {
		rest := without(ops, slices.Concat(group...))
		if *budget -= len(ops); *budget < 0 {
			break
		}
		if _, p, wrong := explain(c.x.h, rest, around); wrong {
			return p.ops, p
		}
	}
	return ops, proof{}
}

// without returns the ascending ops that are not among those that go.
func without(ops, gone []int) []int {
	slices.Sort(gone)
	rest := make([]int, 0, len(ops))
	for _, i := range ops {
		if !among(gone, i) {
			rest = append(rest, i)
		}
	}
	return rest
}
