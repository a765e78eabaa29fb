package report

import (
	"fmt"

	"memrace/bench"
)

// chartBar is a bar of a chart, with its name and its figure above it.
type chartBar struct {
	Class string
	// Name and Figure stand above it, Text is what both say.
	Name, Figure, Text    string
	NameX, FigureX, TextY px
	X, Y, Width, Height   px
	// Whisker is the interval; empty if there is none.
	Whisker string

	estimate bench.Estimate
}

const (
	chartBarHeight = 11
	chartBarGap    = 9
)

// addBars draws bars from 0 on, one below the other, on an axis that is to be below them.
func (c *chart) addBars(bars []*chartBar, x axis) {
	const pitch = textHeight + chartBarHeight + chartBarGap
	c.setAxes(x, axis{place: x.place, high: 1}, px(len(bars)*pitch))
	for i, b := range bars {
		b.TextY = c.Top + px(i*pitch+textHeight-4)
		b.Y = c.Top + px(i*pitch+textHeight)
		b.Height = chartBarHeight
		b.X, b.Width = c.Left, c.X.at(b.estimate.Median)-c.Left
		b.FigureX = c.Right
		b.Name = elide(ascii(b.Name), c.lineOf(b.Figure))
		if b.estimate.Interval() {
			middle := b.Y + chartBarHeight/2.0
			low, high := c.X.at(b.estimate.Low), c.X.at(b.estimate.High)
			b.Whisker = fmt.Sprintf("M%v %vH%vm0-4v8M%v %vv8", low, middle, high, low, middle-4)
		}
	}
	c.Bars = bars
}

// lineOf is how many characters a name can have beside a figure.
func (c *chart) lineOf(figure string) int {
	const apart = 3
	return int(c.Right)*100/charWidth - len([]rune(figure)) - apart
}
