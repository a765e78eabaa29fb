package check

import "memrace/stress/history"

// An update that saw one value and wrote another is the last operation of the one cluster and the
// write of the next: the two stand next to each other, with nothing between. So do a cluster and
// the take that removed its value. Clusters that are linked so are a block. A block stands
// together in any order that a register allows, so that all that is said of clusters holds of it,
// with the first return and the last call of all its operations. Within it the order is known;
// nothing of a later cluster may have returned before something of an earlier one was called.
//
// The record of the first cluster, the head, is that of the block. A cluster by itself is a block
// of one.

// link says that the operation at a position saw, and replaced or removed, the value of a cluster.
type link struct{ by, old int32 }

// chain is the place of a cluster in its block. The zero chain is that of a block of one.
type chain struct {
	// head is 1 + the number of the first cluster, and 0 if that is this one; before and after are
	// 1 + the numbers of its neighbours, or 0.
	head, before, after int32
	// consumer is 1 + the position of the update or take that saw the value last, or 0.
	consumer int32
	// made is true for the write of an update that found nothing, so that nothing was there before
	// the block; taken is true for a head if the value that the block ends with was taken, so that
	// nothing is there after it.
	made, taken bool
}

// scanUpdate notes what an update wrote and what it saw.
func (c *slotCheck) scanUpdate(i int32, op *history.Op) {
	number := c.clusterOf(i)
	c.join(number, i, op)
	if op.Outcome == history.OK {
		c.countRead(op)
	}
	switch {
	case op.Seen != history.None:
		c.see(i, op, op.Seen)
	case op.Outcome == history.OK:
		c.creators = append(c.creators, number)
	}
}

// scanTake notes what a take removed. One that found nothing is a miss, one of unknown outcome a
// delete.
func (c *slotCheck) scanTake(i int32, op *history.Op) {
	c.what[i] = deletion
	if op.Outcome != history.OK {
		return
	}
	c.countRead(op)
	if op.Value == history.None {
		c.what[i] = miss
		return
	}
	c.see(i, op, op.Value)
}

func (c *slotCheck) countRead(op *history.Op) {
	c.reads++
	if op.Client.Numbered() {
		c.clientReads++
	}
}

// see links an operation to the cluster of the value that it saw. What others accuse stays what it
// is without the value.
func (c *slotCheck) see(i int32, op *history.Op, value history.ValueID) {
	switch place, from := c.x.sourceAt(c.x.start[c.slot]+i, c.slot, value); {
	case from == fromSlot:
		old := c.clusterOf(place - c.x.start[c.slot])
		c.links = append(c.links, link{i, old})
		if op.Kind == history.Take {
			c.what[i] = old
		}
	case from == fromAmbiguous:
		c.unclear = true
	case op.Outcome == history.OK:
		c.accused++
		if op.Client.Numbered() {
			c.clientReads--
		}
	}
}

// glue makes blocks of the clusters that are linked. It returns why they are no blocks, if so.
func (c *slotCheck) glue() fault {
	if len(c.links) == 0 && len(c.creators) == 0 {
		return fault{}
	}
	c.chains = resizeChains(c.chains, len(c.clusters))
	if f := c.consume(); f.kind != noFault {
		return f
	}
	for number := range c.clusters {
		if c.chains[number].before > 0 || c.chains[number].consumer == 0 {
			continue
		}
		if f := c.walk(int32(number)); f.kind != noFault {
			return f
		}
	}
	for _, number := range c.creators {
		c.chains[number].made = true
	}
	return c.findCircle()
}

func resizeChains(s []chain, n int) []chain {
	if cap(s) < n {
		return make([]chain, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// consume records who saw each value last. An update of unknown outcome counts if the value that
// it wrote was seen, by a read or by one that counts itself.
func (c *slotCheck) consume() fault {
	waiting := c.links
	for again := true; again; {
		again = false
		later := waiting[:0]
		for _, l := range waiting {
			op, old := c.op(l.by), &c.chains[l.old]
			if op.Outcome == history.Unknown && !c.wasSeen(c.what[l.by]) {
				later = append(later, l)
				continue
			}
			if old.consumer > 0 {
				return fault{kind: seenTwice, a: l.old, item: l.by}
			}
			old.consumer = l.by + 1
			if op.Kind == history.Update {
				old.after = c.what[l.by] + 1
				c.chains[c.what[l.by]].before = l.old + 1
			}
			again = true
		}
		waiting = later
	}
	return fault{}
}

func (c *slotCheck) wasSeen(number int32) bool {
	return c.clusters[number].f < never || c.chains[number].consumer > 0
}

// walk goes through a block from its head and makes the head's record that of the whole.
func (c *slotCheck) walk(head int32) fault {
	whole := c.clusters[head]
	latest, latestOf := int64(-never), head // of all clusters so far, the last call
	for number := head; number >= 0; number = c.chains[number].after - 1 {
		f, s, last := c.span(number)
		switch {
		case f < c.op(c.clusters[number].write).Call:
			return fault{kind: readBeforeWrite, a: number}
		case f < latest:
			return fault{kind: againstBlock, a: latestOf, b: number}
		}
		if s >= latest {
			latest, latestOf = s, number
		}
		whole.f, whole.s, whole.last = min(whole.f, f), max(whole.s, s), max(whole.last, last)
		if number != head {
			c.chains[number].head = head + 1
		}
		c.chains[head].taken = c.chains[number].consumer > 0
	}
	if by := c.takenBy(head); by >= 0 && returned(c.op(by)) < latest {
		return fault{kind: afterTake, a: latestOf, item: by}
	}
	c.clusters[head] = whole
	return fault{}
}

// span returns the first return and the last call of a cluster together with the operation that saw
// its value last, and the position of the one called last.
func (c *slotCheck) span(number int32) (f, s int64, last int32) {
	cl := &c.clusters[number]
	f, s, last = cl.f, cl.s, cl.last
	if by := c.chains[number].consumer - 1; by >= 0 {
		f, s, last = min(f, returned(c.op(by))), max(s, c.op(by).Call), max(last, by)
	}
	return f, s, last
}

// findCircle reports updates that saw each other's values in a circle, so that no walk led there.
func (c *slotCheck) findCircle() fault {
	for number, chain := range c.chains {
		if chain.before > 0 && chain.head == 0 {
			return fault{kind: circle, a: int32(number)}
		}
	}
	return fault{}
}

// head returns the number of the first cluster of a block.
func (c *slotCheck) head(number int32) int32 {
	if len(c.chains) == 0 || c.chains[number].head == 0 {
		return number
	}
	return c.chains[number].head - 1
}

// takenBy returns the position of the take that a block ends with, or -1.
func (c *slotCheck) takenBy(head int32) int32 {
	for number := head; ; number = c.chains[number].after - 1 {
		if c.chains[number].after == 0 {
			return c.chains[number].consumer - 1
		}
	}
}

// made and taken report whether nothing was there before a block, and after it.
func (c *slotCheck) made(head int32) bool  { return len(c.chains) > 0 && c.chains[head].made }
func (c *slotCheck) taken(head int32) bool { return len(c.chains) > 0 && c.chains[head].taken }
