package witness

import "cmp"

// style is how much room a drawing gives itself.
type style struct {
	margin int // dashes on each side of a label
	gap    int // least distance of two stamps, in columns
}

// styles from the airy to the tight; the first that fits with the fewest panels is taken.
var styles = []style{{3, 3}, {2, 3}, {2, 2}, {1, 2}}

const (
	stub    = "---"  // the least that is shown of a bar that goes on in another panel
	openEnd = "...>" // instead of the end of a bar of which nobody knows when it ended
)

// panel is a part of a timeline: the ranks [lo, hi), side by side.
type panel struct {
	*timeline
	style
	lo, hi int
	// x holds the columns of the left edge, of each rank from lo on, and of the right edge.
	x []int
}

// layOut cuts the timeline into panels of at most width columns. A panel is wider only where a
// single rank with its labels is.
func (t *timeline) layOut(width int) []panel {
	best := t.cut(styles[0], width)
	for _, s := range styles[1:] {
		panels := t.cut(s, width)
		if cmp.Or(cmp.Compare(excess(panels, width), excess(best, width)),
			cmp.Compare(len(panels), len(best))) < 0 {
			best = panels
		}
	}
	return best
}

// excess is by how many columns the widest panel is too wide.
func excess(panels []panel, width int) int {
	most := 0
	for _, p := range panels {
		most = max(most, p.width()-width)
	}
	return most
}

func (t *timeline) cut(s style, width int) []panel {
	var panels []panel
	for lo := 0; lo < len(t.stamps); {
		p := t.panel(s, lo, lo+1)
		for hi := lo + 2; hi <= len(t.stamps); hi++ {
			if wider := t.panel(s, lo, hi); wider.width() <= width {
				p = wider
			}
		}
		panels = append(panels, p)
		lo = p.hi
	}
	return panels
}

func (p *panel) width() int { return p.x[len(p.x)-1] + 1 }

// left and right are the places in x where b begins and ends, or is cut off.
func (p *panel) left(b bar) int  { return max(b.from-p.lo+1, 0) }
func (p *panel) right(b bar) int { return min(b.to-p.lo+1, len(p.x)-1) }

func (p *panel) shows(b bar) bool    { return b.from < p.hi && b.to >= p.lo }
func (p *panel) beginsIn(b bar) bool { return b.from >= p.lo && b.from < p.hi }
func (p *panel) endsIn(b bar) bool   { return b.to >= p.lo && b.to < p.hi }
func (p *panel) lastOpen(b bar) bool { return p.open(b) && p.hi == len(p.stamps) }
func (p *panel) column(rank int) int { return p.x[rank-p.lo+1] }
func (p *panel) rightEdge() int      { return len(p.x) - 1 }

// room is how far apart the ends of b must be to have the label between them.
func (p *panel) room(b bar) int { return 1 + p.margin + 1 + len(b.label) + 1 + p.margin }

// distance asks that place to of x is at least columns right of place from.
type distance struct{ from, to, columns int }

// panel finds the least columns that satisfy all distances: each place is as far left as those
// before it allow.
func (t *timeline) panel(s style, lo, hi int) panel {
	p := panel{timeline: t, style: s, lo: lo, hi: hi, x: make([]int, hi-lo+2)}
	asked := make([][]distance, len(p.x))
	for _, d := range p.distances() {
		asked[d.to] = append(asked[d.to], d)
	}
	for to := range p.x {
		for _, d := range asked[to] {
			p.x[to] = max(p.x[to], p.x[d.from]+d.columns)
		}
	}
	return p
}

func (p *panel) distances() []distance {
	edge := p.rightEdge()
	var ds []distance
	if p.lo > 0 && p.long(p.lo-1) {
		ds = append(ds, distance{0, 1, len(longGap(p.between(p.lo - 1)))})
	}
	ds = append(ds, distance{edge - 1, edge, 0})
	for i := 1; i < edge-1; i++ {
		ds = append(ds, distance{i, i + 1, p.segment(p.lo + i - 1)})
	}
	for n, b := range p.bars {
		if p.shows(b) {
			ds = append(ds, p.barDistances(n, b)...)
		}
	}
	return ds
}

// segment is the least distance between a rank and the next.
func (p *panel) segment(rank int) int {
	if p.long(rank) {
		return max(p.gap, len(longGap(p.between(rank)))+1)
	}
	return p.gap
}

// barDistances gives a bar room for its label in the panel in which it begins, and for a stub
// in the others.
func (p *panel) barDistances(n int, b bar) []distance {
	from, to := p.left(b), p.right(b)
	var ds []distance
	switch {
	case p.beginsIn(b) && b.point():
		return p.pointDistances(n, b)
	case p.lastOpen(b) && p.beginsIn(b):
		ds = append(ds, distance{from, to, p.room(b) + len(openEnd) - 1})
	case p.beginsIn(b):
		ds = append(ds, distance{from, to, p.room(b)})
	default:
		ds = append(ds, distance{0, 1, len(stub)})
	}
	if !p.endsIn(b) {
		ds = append(ds, distance{p.rightEdge() - 1, p.rightEdge(), len(stub) + 1})
	}
	return ds
}

// pointDistances leaves room for the label of a point, which stands to its right.
func (p *panel) pointDistances(n int, b bar) []distance {
	ds := []distance{{p.left(b), p.rightEdge(), 1 + len(b.label)}}
	if n+1 < len(p.bars) {
		if next := p.bars[n+1]; next.lane == b.lane && p.beginsIn(next) {
			ds = append(ds, distance{p.left(b), p.left(next), len(b.label) + 4})
		}
	}
	return ds
}
