package check

import (
	"slices"

	"memrace/stress/history"
)

// proveBlock names the operations that show why clusters make no block.
func (c *slotCheck) proveBlock(p *proof, f fault) {
	write := c.clusters[f.a].write
	p.x.write = c.at(write)
	switch f.kind {
	case seenTwice:
		other := c.chains[f.a].consumer - 1
		p.item, p.y.write = c.at(f.item), c.at(other)
		p.ops = distinct(append(append(c.effect(f.item), c.effect(other)...), p.x.write)...)
	case againstBlock:
		c.proveAgainst(p, f)
	case afterTake:
		late := c.latestOf(f.a)
		p.item, p.x.late = c.at(f.item), c.at(late)
		p.ops = c.linkedOps(c.head(f.a), write, late, f.item)
	default: // circle
		p.ops = c.allJudged()
	}
}

// effect returns an operation and, where nobody knows whether it took effect, what shows that it
// did.
func (c *slotCheck) effect(position int32) []int {
	ops := []int{c.at(position)}
	if c.op(position).Outcome == history.OK {
		return ops
	}
	number := c.what[position]
	if first := c.firstReturned(&c.clusters[number]); returned(c.op(first)) < never {
		return append(ops, c.at(first))
	}
	return append(ops, c.effect(c.chains[number].consumer-1)...)
}

// proveAgainst: something of the later cluster y had returned before something of the earlier one
// x was called. Of the clusters before y, the nearest for which that is so is x.
func (c *slotCheck) proveAgainst(p *proof, f fault) {
	first, _, _ := c.span(f.b)
	x := f.b
	for {
		x = c.chains[x].before - 1
		if _, last, _ := c.span(x); last > first {
			break
		}
	}
	early, late := c.earliestOf(f.b), c.latestOf(x)
	p.x.write, p.x.late = c.at(c.clusters[x].write), c.at(late)
	p.y.write, p.y.early = c.at(c.clusters[f.b].write), c.at(early)
	ops := append(c.effect(early), c.effect(late)...)
	for number := f.b; number != x; number = c.chains[number].before - 1 {
		ops = append(ops, c.effect(c.clusters[number].write)...)
	}
	p.ops = distinct(append(ops, c.effect(c.clusters[x].write)...)...)
}

// proveBetween names, of two blocks or of a block and an item, the operations that put each of
// them before the other.
func (c *slotCheck) proveBetween(p *proof, f fault) {
	if one, simple := c.withoutLinks(f); simple {
		if f.kind == insideZone {
			c.proveInside(p, one)
		} else {
			c.proveConflict(p, one)
		}
		p.ops = distinct(p.item, p.x.write, p.x.early, p.x.late, p.y.write, p.y.early, p.y.late)
		return
	}
	p.blocks = true
	early, late := c.firstOf(f.a), c.lastOf(f.a)
	p.x.write, p.x.early, p.x.late = c.at(c.clusters[f.a].write), c.at(early), c.at(late)
	if f.kind == insideZone {
		p.item = c.at(f.item)
		p.ops = distinct(append(c.linkedOps(f.a, early, late), p.item)...)
		return
	}
	p.y.early, p.y.late = c.at(c.firstOf(f.b)), c.at(c.lastOf(f.b))
	p.y.write = c.at(c.clusters[f.b].write)
	p.ops = distinct(append(c.linkedOps(f.a, early, late),
		c.linkedOps(f.b, c.firstOf(f.b), c.lastOf(f.b))...)...)
}

// withoutLinks returns the fault in terms of single clusters, if what shows it belongs to one of
// each block.
func (c *slotCheck) withoutLinks(f fault) (fault, bool) {
	one := f
	for _, number := range []*int32{&one.a, &one.b} {
		if f.kind == insideZone && number == &one.b {
			break
		}
		early, late := c.firstOf(*number), c.lastOf(*number)
		cluster := c.what[early]
		if cluster != c.what[late] || c.chains[cluster].consumer-1 == early ||
			c.chains[cluster].consumer-1 == late {
			return f, false
		}
		*number = cluster
	}
	return one, true
}

// members returns the clusters of a block in their order.
func (c *slotCheck) members(head int32) (numbers []int32) {
	for number := head; number >= 0; number = c.chains[number].after - 1 {
		numbers = append(numbers, number)
	}
	return numbers
}

// earliestOf returns the position of the operation of a cluster that returned first, latestOf
// that of the one called last; who saw its value last counts.
func (c *slotCheck) earliestOf(number int32) int32 {
	first := c.firstReturned(&c.clusters[number])
	if by := c.chains[number].consumer - 1; by >= 0 && returned(c.op(by)) < returned(c.op(first)) {
		return by
	}
	return first
}

func (c *slotCheck) latestOf(number int32) int32 {
	last := c.clusters[number].write
	for i := c.clusters[number].first; i >= 0; i = c.next[i] {
		last = max(last, i)
	}
	return max(last, c.chains[number].consumer-1)
}

// firstOf and lastOf are earliestOf and latestOf for a whole block.
func (c *slotCheck) firstOf(head int32) int32 {
	first := c.earliestOf(head)
	for _, number := range c.members(head) {
		if i := c.earliestOf(number); returned(c.op(i)) < returned(c.op(first)) {
			first = i
		}
	}
	return first
}

func (c *slotCheck) lastOf(head int32) int32 {
	last := c.latestOf(head)
	for _, number := range c.members(head) {
		last = max(last, c.latestOf(number))
	}
	return last
}

// linkedOps returns some operations of the slot and, for those of a block, the updates that link
// the values that they saw or wrote, in ascending order.
func (c *slotCheck) linkedOps(head int32, positions ...int32) []int {
	var ops []int
	numbers := c.members(head)
	from, to := len(numbers), 0
	for _, position := range positions {
		number := c.what[position]
		ops = append(append(ops, c.effect(position)...), c.effect(c.clusters[number].write)...)
		if at := slices.Index(numbers, number); at >= 0 {
			from, to = min(from, at), max(to, at)
		}
	}
	for i := from; i <= to; i++ {
		ops = append(ops, c.effect(c.clusters[numbers[i]].write)...)
	}
	return distinct(ops...)
}
