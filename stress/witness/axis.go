package witness

import (
	"strings"
	"time"
)

// longTimes is how many times as long as all others together, on average, a stretch of time
// must be to be marked: the reader would not guess it from the columns.
const longTimes = 10

func (t *timeline) between(rank int) int64 { return t.stamps[rank+1] - t.stamps[rank] }

func (t *timeline) total() int64 { return t.stamps[len(t.stamps)-1] - t.stamps[0] }

// long says whether the stretch from rank to the next is far longer than the others are.
func (t *timeline) long(rank int) bool {
	others := float64(len(t.stamps) - 2)
	d := float64(t.between(rank))
	return others > 0 && d*others > longTimes*(float64(t.total())-d)
}

// human returns ns nanoseconds to three digits, in plain ASCII.
func human(ns int64) string {
	d, step := time.Duration(ns), time.Duration(1)
	for d/step >= 1000 {
		step *= 10
	}
	return strings.Replace(d.Round(step).String(), "µ", "u", 1)
}

func longGap(ns int64) string { return "// " + human(ns) + " //" }

// axis is the scale of a panel: a tick for each stamp, and the real time between two of them
// wherever there is room to say so.
func (p *panel) axis() string {
	line := []byte(strings.Repeat("-", p.column(p.hi-1)+1))
	if p.lo > 0 {
		p.measure(line[:p.column(p.lo)], p.lo-1)
	}
	for rank := p.lo; rank < p.hi; rank++ {
		line[p.column(rank)] = '+'
		if rank+1 < p.hi {
			p.measure(line[p.column(rank)+1:p.column(rank+1)], rank)
		}
	}
	return string(line)
}

// measure writes into a segment how long it is from rank to the next, if that fits.
func (p *panel) measure(segment []byte, rank int) {
	text := " " + human(p.between(rank)) + " "
	if p.long(rank) {
		text = longGap(p.between(rank))
	} else if len(segment) < len(text)+2 {
		return
	}
	copy(segment[(len(segment)-len(text))/2:], text)
}
