package report

import (
	"fmt"
	"strings"

	"memrace/bench"
)

// curve is what a chart shows of one series.
type curve struct {
	Class string
	// Line goes from point to point, Whiskers are the intervals round them; both may be empty.
	Line, Whiskers string
	Marks          []mark
}

// mark is a point that stands out, and what it says.
type mark struct{ Path, Text string }

// point is a point of a curve.
type point struct {
	x, y float64
	// low and high are the ends of the interval round y; both 0: there is none.
	low, high float64
	// text is what the point says; empty: no mark shows where it is.
	text string
}

// newPoint is what rounds say of a number there.
func newPoint(x float64, e bench.Estimate, text string) point {
	p := point{x: x, y: e.Median, text: text}
	if e.Interval() {
		p.low, p.high = e.Low, e.High
	}
	return p
}

// addCurve draws points, whose order is that of the line. Those that have no place on the upright
// axis are left out: nothing, where distances are factors.
func (c *chart) addCurve(s series, points []point) {
	drawn := &curve{Class: s.class()}
	var path, whiskers strings.Builder
	command := "M"
	for _, p := range points {
		if p.y < c.Y.least {
			continue
		}
		x, y := c.X.at(p.x), c.Y.at(p.y)
		fmt.Fprintf(&path, "%s%v %v", command, x, y)
		command = "L"
		if p.high > 0 {
			low := c.Y.at(max(p.low, c.Y.least))
			fmt.Fprintf(&whiskers, "M%v %vV%vm-3 0h6M%v %vm-3 0h6", x, low,
				c.Y.at(p.high), x, low)
		}
		if p.text != "" {
			drawn.Marks = append(drawn.Marks, mark{s.mark(x, y), s.label + ", " + p.text})
		}
	}
	drawn.Line, drawn.Whiskers = path.String(), whiskers.String()
	c.Curves = append(c.Curves, drawn)
}
