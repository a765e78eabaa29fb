package check

import (
	"math"
	"slices"

	"memrace/stress/history"
)

// A cluster is a write and all reads that returned what it wrote. In any order of operations
// that a register allows, a cluster stands together, since values are written once.
//
// If some operation of a cluster returned before another was called, the value was there all
// the time between, from f to s: the cluster is forward and [f,s] is its zone. Otherwise the
// cluster is backward: all its operations may have taken effect at one instant in [s,f].
//
// Gibbons and Korach, Testing shared memories, SIAM J. Comput. 26(4), 1997; the names are those
// of Golab, Li and Shah, Analyzing consistency properties for fun and profit, PODC 2011.
type cluster struct {
	// f is the first return of the cluster, s its last call.
	f, s int64
	// write is the position of the write; first and last are those of the operations called
	// first and last.
	write, first, last int32
}

func (c *cluster) forward() bool { return c.f < c.s }

// never is the return of an operation of which nobody knows whether it took effect.
const never = math.MaxInt64

func returned(op *history.Op) int64 {
	if op.Outcome == history.Unknown {
		return never
	}
	return op.Return
}

// What an operation is for the check of its slot; numbers from 0 are those of clusters.
const (
	unset    int32 = -1 - iota
	leftOut        // it neither changed nor told anything, or another property accuses it
	miss           // a read that found nothing
	deletion       // a delete that took effect, or may have
	unclear        // a read of a value that was written more than once
	appended       // an append, which only a search can judge
)

// refuted reports whether an update was not applied since what it wanted to see was not there,
// which tells something of what was.
func refuted(op *history.Op) bool {
	return op.Kind == history.Update && op.Class == history.ClassMismatch &&
		op.Seen != history.None
}

// stage says which of the reads after the end of the workload are judged.
type stage uint8

const (
	operations   stage = iota // none
	withFinal                 // those by Final and Dumped
	withReopened              // all
)

func (s stage) includes(c history.Client) bool {
	return c.Numbered() || s == withReopened || s == withFinal && c != history.Reopened
}

// slotCheck judges one slot after the other. A position is an index into the operations of the
// slot, which stand in the order of their calls.
type slotCheck struct {
	x     *index
	slot  uint32
	stage stage
	order []int32 // index into History.Ops, by position
	// near has copies of the operations, by position; nil where they stand close to each other
	// in the history as well.
	near []history.Op

	what     []int32 // what each operation is
	next     []int32 // the operation of the same cluster that was called next, or -1
	clusters []cluster
	items    []int32 // misses, deletes, and the last operations of backward clusters
	zones    []int32 // forward clusters, in the order of their zones
	unclear  bool    // a search has to judge: see whySearch
	telling  bool    // there are updates, takes or appends
	links    []link  // who saw which value, in the order of calls
	creators []int32 // the clusters of updates that found nothing
	chains   []chain // by cluster; empty where nothing is linked
	broken   fault   // why the links make no blocks
	// reads is how many reads succeeded, clientReads how many of them are by clients of the
	// workload and judged, accused how many are left out for others to judge.
	reads, clientReads, accused int
	// searchLimit bounds each search, in states; searchCost is what all searches took so far.
	searchLimit, searchCost int
	sweep                   sweep
	replay                  replay
}

// load takes up a slot.
func (c *slotCheck) load(slot uint32, until stage) {
	lo, hi := c.x.start[slot], c.x.start[slot+1]
	c.slot, c.stage, c.order = slot, until, c.x.order[lo:hi]
	c.what = resize(c.what, len(c.order))
	c.next = resize(c.next, len(c.order))
	for i := range c.what {
		c.what[i], c.next[i] = unset, -1
	}
	c.clusters = slices.Grow(c.clusters[:0], int(c.x.writes[slot]))
	c.items, c.zones = c.items[:0], c.zones[:0]
	c.unclear, c.reads, c.clientReads, c.accused = false, 0, 0, 0
	c.telling, c.broken = false, fault{}
	c.links, c.creators, c.chains = c.links[:0], c.creators[:0], c.chains[:0]
	c.near = nil
	if c.x.near != nil {
		c.near = c.x.near[lo:hi]
	}
	for i := range c.order {
		c.scan(int32(i), c.op(int32(i)))
	}
	c.broken = c.glue()
}

// resize returns a slice of n elements; what they are is undefined.
func resize(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n)
	}
	return s[:n]
}

func (c *slotCheck) op(position int32) *history.Op {
	if c.near != nil {
		return &c.near[position]
	}
	return &c.x.h.Ops[c.order[position]]
}

// scan says what the operation is.
func (c *slotCheck) scan(i int32, op *history.Op) {
	c.telling = c.telling || op.Kind >= history.Update
	switch {
	case op.Outcome == history.NotApplied:
		c.what[i] = leftOut
		c.unclear = c.unclear || refuted(op)
	case op.Kind == history.Upsert:
		c.join(c.clusterOf(i), i, op)
	case op.Kind == history.Delete:
		c.what[i] = deletion
	case op.Kind == history.Update:
		c.scanUpdate(i, op)
	case op.Kind == history.Take:
		c.scanTake(i, op)
	case op.Kind == history.Append:
		c.what[i] = appended
		c.unclear = true
	case op.Outcome != history.OK || !c.stage.includes(op.Client):
		c.what[i] = leftOut
	default:
		c.scanRead(i, op)
	}
}

func (c *slotCheck) scanRead(i int32, op *history.Op) {
	c.countRead(op)
	if op.Value == history.None {
		c.what[i] = miss
		return
	}
	switch place, from := c.x.sourceAt(c.x.start[c.slot]+i, c.slot, op.Value); from {
	case fromSlot:
		c.join(c.clusterOf(place-c.x.start[c.slot]), i, op)
	case fromAmbiguous:
		c.what[i] = unclear
		c.unclear = true
	default:
		c.leaveOut(i, op)
	}
}

// leaveOut sets a read aside that isolation or integrity accuse.
func (c *slotCheck) leaveOut(i int32, op *history.Op) {
	c.what[i] = leftOut
	c.accused++
	if op.Client.Numbered() {
		c.clientReads--
	}
}

// clusterOf returns the number of the cluster of a write, which a read may meet first.
func (c *slotCheck) clusterOf(write int32) int32 {
	if c.what[write] == unset {
		c.what[write] = int32(len(c.clusters))
		c.clusters = append(c.clusters, cluster{f: never, write: write, first: -1, last: -1})
	}
	return c.what[write]
}

// join adds an operation to its cluster. Operations join in the order of their calls.
func (c *slotCheck) join(number, i int32, op *history.Op) {
	c.what[i] = number
	cl := &c.clusters[number]
	cl.f = min(cl.f, returned(op))
	cl.s = op.Call
	if cl.last < 0 {
		cl.first = i
	} else {
		c.next[cl.last] = i
	}
	cl.last = i
}

// classify finds the zones, tells apart what stands between them, and reports two clusters that
// cannot be put in order, if there are any.
//
// Each cluster is met at its last call, so zones come out ordered by their ends. They have to
// be disjoint, so they are ordered by their starts as well, or two neighbours overlap.
func (c *slotCheck) classify() (fault, bool) {
	if c.broken.kind != noFault {
		return c.broken, false
	}
	c.items = slices.Grow(c.items, len(c.order)-min(c.reads, len(c.order)))
	for i, what := range c.what {
		if what >= 0 {
			what = c.head(what)
		}
		switch {
		case what == miss || what == deletion:
			c.items = append(c.items, int32(i))
		case what < 0 || c.clusters[what].last != int32(i):
		case c.clusters[what].f == never:
			// Nobody saw this write and nobody knows whether it took effect: left out, it
			// disturbs nobody, and neither would it as the last one of all.
		case c.clusters[what].f < c.op(c.clusters[what].write).Call:
			return fault{kind: readBeforeWrite, a: what}, false
		case !c.clusters[what].forward():
			c.items = append(c.items, int32(i))
		default:
			if f, ok := c.addZone(what); !ok {
				return f, false
			}
		}
	}
	return fault{}, true
}

func (c *slotCheck) addZone(number int32) (fault, bool) {
	if n := len(c.zones); n > 0 && c.clusters[number].f < c.clusters[c.zones[n-1]].s {
		return fault{kind: clustersConflict, a: c.zones[n-1], b: number}, false
	}
	c.zones = append(c.zones, number)
	return fault{}, true
}

// fault says why a slot is not linearizable.
type fault struct {
	kind faultKind
	// a is a cluster, b another.
	a, b int32
	// item is the position of a miss or delete; until is the position of the last operation that
	// has to do with it.
	item, until int32
}

type faultKind uint8

const (
	noFault          faultKind = iota
	readBeforeWrite            // a read of cluster a returned before its write was called
	clustersConflict           // clusters a and b must each come before the other
	insideZone                 // the item lies within the zone of cluster a
	unexplainedMiss            // no delete is left that could explain the miss
	seenTwice                  // the item saw the value of cluster a last, and so did another
	againstBlock               // cluster a comes before b in their block, and b before a in time
	afterTake                  // something of cluster a came after the item took the last value
	circle                     // cluster a comes before itself
	searchFailed               // an exhaustive search found no order
)
