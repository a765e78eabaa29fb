package check

import (
	"slices"
)

// proof is why a slot is wrong: a few operations, by their indices into History.Ops, and what
// each of them shows. A field that a kind of proof does not use is -1.
type proof struct {
	kind faultKind
	// ops are all operations that the proof rests on, in the order of their calls.
	ops []int
	// x is the cluster that is accused, y the one that came between or, for readBeforeWrite and
	// the misses, nothing.
	x, y evidence
	// item is the miss or delete in question, or the second operation that saw a value last.
	item int
	// blocks is true if the clusters are blocks of linked ones.
	blocks bool
}

// linked reports whether the proof is about the order of blocks, of which the words for single
// clusters do not say enough.
func (p proof) linked() bool {
	return p.blocks && (p.kind == clustersConflict || p.kind == insideZone)
}

// evidence is of a cluster its write, an operation that had returned, and one that was called
// after something else.
type evidence struct{ write, early, late int }

var noEvidence = evidence{-1, -1, -1}

// prove names the operations that a fault rests on.
func (c *slotCheck) prove(f fault) proof {
	p := proof{kind: f.kind, x: noEvidence, y: noEvidence, item: -1}
	if len(c.chains) > 0 && (f.kind == clustersConflict || f.kind == insideZone) {
		c.proveBetween(&p, f)
		return p
	}
	switch f.kind {
	case readBeforeWrite:
		cl := &c.clusters[f.a]
		early := c.firstReturned(cl)
		if len(c.chains) > 0 {
			early = c.earliestOf(f.a)
		}
		p.x = evidence{write: c.at(cl.write), early: c.at(early), late: -1}
	case clustersConflict:
		c.proveConflict(&p, f)
	case insideZone:
		c.proveInside(&p, f)
	case unexplainedMiss:
		c.proveMiss(&p, f)
		return p
	case seenTwice, circle, againstBlock, afterTake:
		c.proveBlock(&p, f)
		return p
	default:
		p.ops = c.allJudged()
		return p
	}
	p.ops = distinct(p.item, p.x.write, p.x.early, p.x.late, p.y.write, p.y.early, p.y.late)
	return p
}

// proveConflict: something of x had returned before something of y was called, and something of
// y before something of x. The cluster with the later last call is x: that call is a read's,
// since a write called so late could not have been preceded by what y is preceded by.
// The writes serve as evidence wherever they can.
func (c *slotCheck) proveConflict(p *proof, f fault) {
	x, y := &c.clusters[f.a], &c.clusters[f.b]
	if x.s < y.s {
		x, y = y, x
	}
	yEarly := c.earlyBefore(y, x.s)
	yLate := y.write
	if c.op(yLate).Call <= x.f {
		yLate = y.last
	}
	xEarly := c.earlyBefore(x, c.op(yLate).Call)
	xLate := c.firstReadAfter(x, c.op(yEarly).Return)
	p.x = evidence{c.at(x.write), c.at(xEarly), c.at(xLate)}
	p.y = evidence{c.at(y.write), c.at(yEarly), c.at(yLate)}
}

// proveInside: a miss or delete was called after something of x had returned, and had returned
// before something of x was called.
func (c *slotCheck) proveInside(p *proof, f fault) {
	x, item := &c.clusters[f.a], c.op(f.item)
	p.item = c.at(f.item)
	p.x = evidence{
		write: c.at(x.write),
		early: c.at(c.earlyBefore(x, item.Call)),
		late:  c.at(c.firstReadAfter(x, item.Return)),
	}
}

// proveMiss: all that was judged says that nothing explains a miss. To be told, it needs the
// last cluster that was surely there before.
func (c *slotCheck) proveMiss(p *proof, f fault) {
	p.ops, p.item = c.allJudged(), c.at(f.item)
	asked := c.op(f.item).Call
	var last *cluster
	for i := range c.clusters {
		if cl := &c.clusters[i]; cl.f < asked && (last == nil || cl.f > last.f) {
			last = cl
		}
	}
	if last != nil {
		early := c.earlyBefore(last, asked)
		if returned(c.op(early)) >= asked { // another value of its block was shown by then
			early = c.firstOf(c.head(c.what[last.write]))
		}
		p.x.write, p.x.early = c.at(c.clusters[c.what[early]].write), c.at(early)
	}
}

// at returns the index into History.Ops of the operation at a position.
func (c *slotCheck) at(position int32) int { return int(c.order[position]) }

func (c *slotCheck) allJudged() (ops []int) {
	for i, what := range c.what {
		if what != leftOut || refuted(c.op(int32(i))) {
			ops = append(ops, int(c.order[i]))
		}
	}
	return ops
}

// firstReturned returns the position of the operation of a cluster that returned first, the write
// if several did.
func (c *slotCheck) firstReturned(cl *cluster) int32 {
	first := cl.write
	for i := cl.first; i >= 0; i = c.next[i] {
		if returned(c.op(i)) < returned(c.op(first)) {
			first = i
		}
	}
	return first
}

// earlyBefore returns the position of an operation of the cluster that had returned before t,
// the write if it had.
func (c *slotCheck) earlyBefore(cl *cluster, t int64) int32 {
	if returned(c.op(cl.write)) < t {
		return cl.write
	}
	return c.firstReturned(cl)
}

// firstReadAfter returns the position of the first read of the cluster called after t.
func (c *slotCheck) firstReadAfter(cl *cluster, t int64) int32 {
	for i := cl.first; i >= 0; i = c.next[i] {
		if i != cl.write && c.op(i).Call > t {
			return i
		}
	}
	return cl.last
}

// distinct returns the indices in ascending order, each once, without those that are -1.
func distinct(indices ...int) []int {
	slices.Sort(indices)
	indices = slices.Compact(indices)
	if indices[0] < 0 {
		indices = indices[1:]
	}
	return indices
}

// through returns the proof with each index replaced by the one that stands at it in ops.
func (p proof) through(ops []int) proof {
	to := func(i int) int {
		if i < 0 {
			return i
		}
		return ops[i]
	}
	mapped := make([]int, len(p.ops))
	for i, op := range p.ops {
		mapped[i] = ops[op]
	}
	p.ops, p.item = mapped, to(p.item)
	p.x = evidence{to(p.x.write), to(p.x.early), to(p.x.late)}
	p.y = evidence{to(p.y.write), to(p.y.early), to(p.y.late)}
	return p
}
