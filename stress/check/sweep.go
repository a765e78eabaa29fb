package check

import (
	"slices"

	"memrace/stress/history"
)

// sweep goes through the time of one slot and puts its operations in an order that a register
// allows, if there is one.
//
// Zones stand where they are. What else there is, misses, deletes and backward clusters, has a
// window of time in which it may be placed, at one instant, but not within a zone: it is released
// at the start of its window and due at the end. The sweep knows whether a value is present and
// puts everything off for as long as it can:
//
//   - a miss is placed at once where nothing is present, a backward cluster where something is;
//   - a block whose value was taken at its end is used as a delete is: see blocks.go;
//   - a delete is used only when it is due or when a miss is due that needs one, and of several
//     that one which is due first; one of which nobody knows whether it took effect is never due;
//   - a block that an update made where it found nothing is placed when it is due, with a delete
//     before it if need be; or before, whenever nothing is there and something has to be, or is
//     deleted: of several that one which is due first. If it ends in a take, it is as a miss is;
//   - right before a delete is used, everything else that waits for presence comes for free.
//
// Each of these choices can be put in place of any other without harm, so the sweep finds an
// order if there is one. Absent values are the only ones that are "written" more than once, by
// deletes; this is what makes one bit of state enough.
//
// At one instant, releases come first, then what is due: deletes, misses, clusters. A zone that
// starts then comes last. Windows are closed, as intervals are.
type sweep struct {
	present bool
	// clip is the end of the last zone: what is released before is released then.
	clip  int64
	zone  int32 // the number of the cluster whose zone was the last
	order []int32

	deletes  dueHeap // those that took effect
	makers   dueHeap // blocks that begin where nothing is
	optional []int32 // those of which nobody knows
	misses   []int32
	clusters []int32
	// missDue and clusterDue are the first times at which one of those that wait is due;
	// firstMiss is the miss.
	missDue, clusterDue int64
	firstMiss           int32
}

func (s *sweep) reset() {
	*s = sweep{
		clip: -never, zone: -1, missDue: never, clusterDue: never,
		order: s.order[:0], deletes: s.deletes[:0], optional: s.optional[:0],
		misses: s.misses[:0], clusters: s.clusters[:0],
	}
}

// place places all items and zones. The order it leaves has positions of misses and deletes, and
// clusters as the position of their write; the other operations of a cluster are left to replay.
func (c *slotCheck) place() (fault, bool) {
	s := &c.sweep
	s.reset()
	s.order = slices.Grow(s.order, len(c.items)+len(c.zones))
	items := c.items
	for _, number := range c.zones {
		zone := &c.clusters[number]
		var f fault
		if items, f = c.advance(items, zone.f); f.kind != noFault {
			return f, false
		}
		if f := c.placeZone(zone, number); f.kind != noFault {
			f.until = zone.last
			return f, false
		}
	}
	_, f := c.advance(items, never)
	return f, f.kind == noFault
}

// placeZone places a zone, and before it all that is due before its end.
func (c *slotCheck) placeZone(zone *cluster, number int32) fault {
	s := &c.sweep
	if f := s.clear(zone); f.kind != noFault {
		return f
	}
	if c.made(number) {
		if f := s.vacate(zone); f.kind != noFault {
			return f
		}
	} else {
		s.arise()
	}
	s.put(zone.write)
	s.present, s.clip, s.zone = true, zone.s, number
	if c.taken(number) {
		s.leave()
	} else {
		s.placeClusters()
	}
	return fault{}
}

// vacate sees to it that nothing is there before a zone that an update made where it found nothing.
func (s *sweep) vacate(zone *cluster) fault {
	if s.clusterDue < zone.s {
		s.placeClusters()
	}
	if s.present {
		return s.empty(zone.write)
	}
	return fault{}
}

// advance goes on until the given time and returns the items that are released later.
func (c *slotCheck) advance(items []int32, until int64) ([]int32, fault) {
	s := &c.sweep
	for {
		release := int64(never)
		if len(items) > 0 {
			release = c.op(items[0]).Call
		}
		due := min(s.deletes.due(), s.missDue, s.makers.due(), s.clusterDue)
		if min(release, due) > until || len(items) == 0 && due == never {
			return items, fault{}
		}
		var f fault
		if len(items) > 0 && release <= due {
			f = c.release(items[0])
			items = items[1:]
		} else if f = s.fire(due); f.kind != noFault {
			f.until = c.calledUntil(due)
		}
		if f.kind != noFault {
			return nil, f
		}
	}
}

// calledUntil returns the position of the last operation called at time t or before.
func (c *slotCheck) calledUntil(t int64) int32 {
	lo, hi := 0, len(c.order)
	for lo < hi {
		if mid := (lo + hi) / 2; c.op(int32(mid)).Call <= t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return int32(lo) - 1
}

// release opens the window of an item. A window that would end before it opens lies within the
// last zone.
func (c *slotCheck) release(item int32) fault {
	s, op := &c.sweep, c.op(item)
	what := c.what[item]
	if what >= 0 {
		return c.releaseCluster(c.head(what))
	}
	due := returned(op)
	switch {
	case due < s.clip:
		return fault{kind: insideZone, a: s.zone, item: item}
	case what == miss:
		s.releaseMiss(item, due)
	case op.Outcome == history.Unknown:
		s.optional = append(s.optional, item)
	default:
		s.deletes.push(dueItem{due, item})
	}
	return fault{}
}

func (c *slotCheck) releaseCluster(number int32) fault {
	s, cl := &c.sweep, &c.clusters[number]
	switch {
	case cl.f < s.clip:
		return fault{kind: clustersConflict, a: s.zone, b: number}
	case c.made(number) && c.taken(number):
		s.releaseMiss(cl.write, cl.f)
	case c.taken(number):
		s.deletes.push(dueItem{cl.f, cl.write})
	case c.made(number):
		s.makers.push(dueItem{cl.f, cl.write})
	case s.present:
		s.put(cl.write)
	default:
		s.clusters = append(s.clusters, cl.write)
		s.clusterDue = min(s.clusterDue, cl.f)
	}
	return fault{}
}

func (s *sweep) releaseMiss(item int32, due int64) {
	if !s.present {
		s.put(item)
		return
	}
	s.misses = append(s.misses, item)
	if due < s.missDue {
		s.missDue, s.firstMiss = due, item
	}
}

// fire does what is due at time t.
func (s *sweep) fire(t int64) fault {
	switch {
	case s.deletes.due() <= t:
		s.use(s.deletes.pop())
	case s.missDue <= t:
		return s.empty(s.firstMiss)
	case s.makers.due() <= t:
		return s.make()
	default:
		s.placeClusters()
	}
	return fault{}
}
