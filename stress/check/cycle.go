package check

import "slices"

// cycle is calls of which each has to take effect before the next, and the last before the first.
type cycle struct{ hops []hop }

// hop is why one call comes before another, with the operations of both that say so, as indices
// into History.Ops.
type hop struct {
	why            reason
	from, to       int32 // calls
	fromOp, toOp   int32
	earlier, later *holding // where that is why
}

// maxStarts is at how many calls a shortest cycle is looked for.
const maxStarts = 64

// findCycle returns a cycle of two calls or more, or nil if there is none.
func (g *skew) findCycle() *cycle {
	var best []edge
	for _, part := range g.strongParts() {
		var calls []int32
		for _, node := range part {
			if g.isCall(node) {
				calls = append(calls, node)
			}
		}
		if len(calls) < 2 {
			continue
		}
		within := make(map[int32]bool, len(part))
		for _, node := range part {
			within[node] = true
		}
		slices.Sort(calls)
		for _, start := range calls[:min(len(calls), maxStarts)] {
			way := g.wayRound(start, within)
			if way != nil && (best == nil || g.calls(way) < g.calls(best)) {
				best = way
			}
		}
		if best != nil {
			return g.cycleOf(best)
		}
	}
	return nil
}

func (g *skew) isCall(node int32) bool { return int(node) < len(g.s.calls) }

// calls counts the calls that a way comes to.
func (g *skew) calls(way []edge) (n int) {
	for _, e := range way {
		if g.isCall(e.to) {
			n++
		}
	}
	return n
}

// wayRound returns the edges of a way from start back to it that goes through another call, and
// through as few as possible; nil if there is none within the given nodes.
func (g *skew) wayRound(start int32, within map[int32]bool) []edge {
	type step struct {
		node, calls int32
	}
	came := map[int32]edge{} // the edge by which a node was reached first, from whence to
	whence := map[int32]int32{}
	settled := map[int32]bool{}
	now, next := []step{{start, 0}}, []step(nil)
	for len(now) > 0 {
		at := now[len(now)-1]
		now = now[:len(now)-1]
		if !settled[at.node] {
			settled[at.node] = true
			for _, e := range g.edges[at.node] {
				if e.to == start && at.calls > 0 {
					return wayTo(at.node, start, e, came, whence)
				}
				if !within[e.to] || settled[e.to] {
					continue
				}
				if _, known := came[e.to]; !known || !g.isCall(e.to) {
					came[e.to], whence[e.to] = e, at.node
				}
				if g.isCall(e.to) {
					next = append(next, step{e.to, at.calls + 1})
				} else {
					now = append(now, step{e.to, at.calls})
				}
			}
		}
		if len(now) == 0 {
			now, next = next, nil
		}
	}
	return nil
}

// wayTo follows the way that led to a node back to the start, and adds the last edge.
func wayTo(
	node, start int32, last edge, came map[int32]edge, whence map[int32]int32,
) []edge {
	way := []edge{last}
	for node != start {
		way = append(way, came[node])
		node = whence[node]
	}
	slices.Reverse(way)
	return way
}

// cycleOf takes the nodes out of a way that are no calls.
func (g *skew) cycleOf(way []edge) *cycle {
	c := &cycle{}
	from := way[len(way)-1].to
	var h hop
	for i, e := range way {
		if i == 0 || g.isCall(way[i-1].to) {
			h = hop{why: e.why, from: from, fromOp: e.from, earlier: e.earlier}
		}
		if !g.isCall(e.to) {
			continue
		}
		h.to, h.toOp = e.to, e.at
		if h.why == sawEarlier {
			h.later = g.byValue[cell{place: h.earlier.place, value: g.x.h.Ops[h.toOp].Value}]
		}
		c.hops = append(c.hops, h)
		from = e.to
	}
	c.useSameLines()
	return c
}

// useSameLines lets what is said about time be said by the operation of a call that another hop
// names, since any will do.
func (c *cycle) useSameLines() {
	for i := range c.hops {
		h := &c.hops[i]
		before, after := c.hops[(i+len(c.hops)-1)%len(c.hops)], c.hops[(i+1)%len(c.hops)]
		if h.why == inTime && before.why != inTime {
			h.fromOp = before.toOp
		}
		if h.why == inTime && after.why != inTime {
			h.toOp = after.fromOp
		}
	}
}

// strongParts returns the strongly connected parts of the graph that have more than one node
// (Tarjan, Depth-first search and linear graph algorithms, 1972), without recursion.
func (g *skew) strongParts() (parts [][]int32) {
	n := len(g.edges)
	t := tarjan{index: make([]int32, n), low: make([]int32, n), on: make([]bool, n)}
	at := make([]int32, n) // the next edge of each node
	for root := range int32(n) {
		if t.index[root] != 0 {
			continue
		}
		way := []int32{root}
		t.enter(root)
		for len(way) > 0 {
			node := way[len(way)-1]
			if int(at[node]) < len(g.edges[node]) {
				to := g.edges[node][at[node]].to
				at[node]++
				if t.index[to] == 0 {
					t.enter(to)
					way = append(way, to)
				} else if t.on[to] {
					t.low[node] = min(t.low[node], t.index[to])
				}
				continue
			}
			way = way[:len(way)-1]
			if len(way) > 0 {
				above := way[len(way)-1]
				t.low[above] = min(t.low[above], t.low[node])
			}
			if t.low[node] == t.index[node] {
				if part := t.leave(node); len(part) > 1 {
					parts = append(parts, part)
				}
			}
		}
	}
	return parts
}

type tarjan struct {
	index, low []int32 // index counts from 1; 0 is a node that was not seen
	on         []bool
	stack      []int32
	count      int32
}

func (t *tarjan) enter(node int32) {
	t.count++
	t.index[node], t.low[node], t.on[node] = t.count, t.count, true
	t.stack = append(t.stack, node)
}

// leave takes the part whose first node is given off the stack.
func (t *tarjan) leave(node int32) []int32 {
	i := len(t.stack) - 1
	for t.stack[i] != node {
		i--
	}
	part := slices.Clone(t.stack[i:])
	t.stack = t.stack[:i]
	for _, other := range part {
		t.on[other] = false
	}
	return part
}
