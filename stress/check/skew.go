package check

import (
	"cmp"
	"slices"
	"sort"

	"memrace/stress/history"
)

// An order of calls on several slots can be forced although each slot by itself leaves it open. The
// edges of this graph are such an order, "takes effect before":
//
//   - a write, before whoever saw what it wrote;
//   - whoever saw nothing in a slot of which nothing was ever deleted, before each write to it;
//   - a write and whoever saw it, before another write to the slot if it is forced that one value
//     was there before the other: something that has to do with the first had returned before
//     something that has to do with the second was called;
//   - a call, before another that was made when it had returned.
//
// All of them hold in any order of calls that take effect at one instant each, so a cycle means
// that there is none. This is the serialization graph of Adya (Weak consistency, MIT 1999), with
// no version order given but that which values that are written once and time make certain. A
// session without a cycle may be wrong all the same.
//
// So that the graph stays as large as the history, edges go through nodes that stand for a moment,
// or for what a slot held up to a moment.
type skew struct {
	x *index
	s *session
	// edges has those of each node: calls first, then the other nodes.
	edges  [][]edge
	values []*holding
	// byValue finds a holding by place and value.
	byValue map[cell]*holding
}

// edge leads to a node. The operations say why: that of the call it comes from, and that of the
// call it leads to, or -1.
type edge struct {
	to       int32
	why      reason
	from, at int32
	earlier  *holding // that was there earlier, where that is why
}

// reason says why one comes before another.
type reason uint8

const (
	inTime     reason = iota // it had returned when the other was called
	sawWrite                 // the other saw what it wrote
	sawNothing               // it saw nothing where the other wrote
	sawEarlier               // it wrote or saw an earlier value
	passing                  // a step between nodes that are no calls
)

// holding is a value that a place held for a while: a write and all who saw what it wrote.
type holding struct {
	place   int32
	value   history.ValueID
	writer  int32 // the call, or -1 for the nothing that was there first
	write   int32 // its operation
	members []member
	// f is the first return of all members, s their last call; first and last are the operations.
	f, s        int64
	first, last int32
}

type member struct{ call, op int32 }

// skew returns a cycle of calls that would each have to take effect before the next, as short as
// one is found, or nil if nothing forces one.
func (s *session) skew(x *index) *cycle {
	g := &skew{x: x, s: s, edges: make([][]edge, len(s.calls)), byValue: map[cell]*holding{}}
	g.collect()
	g.orderInTime()
	g.orderByValue()
	return g.findCycle()
}

func (g *skew) node() int32 {
	g.edges = append(g.edges, nil)
	return int32(len(g.edges) - 1)
}

func (g *skew) edge(from int32, e edge) { g.edges[from] = append(g.edges[from], e) }

// collect finds what each place held, and who saw it.
func (g *skew) collect() {
	deleted := map[int32]bool{}
	for i := range g.s.calls {
		for _, c := range g.s.calls[i].makes {
			if c.value == history.None {
				deleted[c.place] = true
			} else if _, from := g.x.source(g.s.slots[c.place], c.value); from == fromSlot {
				h := &holding{place: c.place, value: c.value, writer: int32(i), write: c.op,
					f: never, s: -1}
				h.join(g.s, int32(i), c.op)
				g.byValue[cell{place: c.place, value: c.value}] = h
				g.values = append(g.values, h)
			}
		}
	}
	for i := range g.s.calls {
		if g.s.calls[i].unknown {
			continue
		}
		for _, c := range g.s.calls[i].sees {
			key := cell{place: c.place, value: c.value}
			h := g.byValue[key]
			if h == nil && c.value == history.None && !deleted[c.place] {
				h = &holding{place: c.place, writer: -1, write: -1, f: never, s: -1}
				g.byValue[key] = h
				g.values = append(g.values, h)
			}
			if h != nil {
				h.join(g.s, int32(i), c.op)
			}
		}
	}
	g.dropUnseen()
}

// dropUnseen drops the writes of which nobody knows whether they took effect, and nobody saw it.
func (g *skew) dropUnseen() {
	g.values = slices.DeleteFunc(g.values, func(h *holding) bool { return h.f == never })
}

func (h *holding) join(s *session, i, op int32) {
	c := &s.calls[i]
	if c.ret < h.f {
		h.f, h.first = c.ret, op
	}
	if c.call > h.s {
		h.s, h.last = c.call, op
	}
	h.members = append(h.members, member{i, op})
}

// orderInTime has a node for each return, one after the other.
func (g *skew) orderInTime() {
	byReturn := make([]int32, 0, len(g.s.calls))
	for i := range g.s.calls {
		if !g.s.calls[i].unknown {
			byReturn = append(byReturn, int32(i))
		}
	}
	slices.SortFunc(byReturn, func(a, b int32) int {
		return cmp.Compare(g.s.calls[a].ret, g.s.calls[b].ret)
	})
	nodes := make([]int32, len(byReturn))
	for k, i := range byReturn {
		nodes[k] = g.node()
		g.edge(i, edge{to: nodes[k], why: inTime, from: int32(g.s.calls[i].op()), at: -1})
		if k > 0 {
			g.edge(nodes[k-1], edge{to: nodes[k], why: passing, from: -1, at: -1})
		}
	}
	for i := range g.s.calls {
		c := &g.s.calls[i]
		k := sort.Search(len(byReturn), func(k int) bool {
			return g.s.calls[byReturn[k]].ret >= c.call
		})
		if k > 0 {
			g.edge(nodes[k-1], edge{to: int32(i), why: passing, from: -1, at: int32(c.op())})
		}
	}
}

// orderByValue puts the values of each place in order, as far as that is forced.
func (g *skew) orderByValue() {
	byPlace := map[int32][]*holding{}
	for _, h := range g.values {
		if h.writer >= 0 {
			byPlace[h.place] = append(byPlace[h.place], h)
			g.orderReaders(h)
		}
	}
	for _, h := range g.values {
		if h.writer < 0 {
			g.orderFirst(h, byPlace[h.place])
		}
	}
	for _, holdings := range byPlace {
		g.orderHoldings(holdings)
	}
}

func (g *skew) orderReaders(h *holding) {
	for _, m := range h.members {
		if m.call != h.writer {
			g.edge(h.writer, edge{to: m.call, why: sawWrite, from: h.write, at: m.op})
		}
	}
}

// orderFirst puts those who saw nothing before all writes.
func (g *skew) orderFirst(nothing *holding, others []*holding) {
	node := g.node()
	for _, m := range nothing.members {
		g.edge(m.call, edge{to: node, why: sawNothing, from: m.op, at: -1})
	}
	for _, h := range others {
		g.edge(node, edge{to: h.writer, why: passing, from: -1, at: h.write})
	}
}

// orderHoldings puts all who have to do with a value before the write of another that is later.
// The values stand in the order of their first returns; a node for each stands for it and all
// before it.
func (g *skew) orderHoldings(holdings []*holding) {
	slices.SortFunc(holdings, func(a, b *holding) int {
		return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(a.write, b.write))
	})
	nodes := make([]int32, len(holdings))
	for k, h := range holdings {
		nodes[k] = g.node()
		for _, m := range h.members {
			g.edge(m.call, edge{to: nodes[k], why: sawEarlier, from: m.op, at: -1, earlier: h})
		}
		if k > 0 {
			g.edge(nodes[k-1], edge{to: nodes[k], why: passing, from: -1, at: -1})
		}
	}
	for k, h := range holdings {
		before := sort.Search(len(holdings), func(k int) bool { return holdings[k].f >= h.s })
		if before = min(before, k); before > 0 {
			g.edge(nodes[before-1], edge{to: h.writer, why: passing, from: -1, at: h.write})
		}
	}
}
