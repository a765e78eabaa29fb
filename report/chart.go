package report

import (
	"cmp"
	"fmt"
	"strings"
)

// chart is a picture with two axes, and the figures in it as a table. All lengths are pixels.
//
// It is plain SVG of our own: what gonum/plot draws has a white ground and a colour in each
// element, so that it cannot be dark on a dark page, and neither classes nor titles for those who
// cannot see it; and it needs eight more modules.
type chart struct {
	About                  string
	Title                  []titleLine
	Width, Height          px
	Left, Right            px // of the area between the axes
	Top, Bottom            px
	NameY, TickY, NumbersY px // of the texts of the axes
	X, Y                   axis
	Guides                 []px // where a vertical line stands
	Curves                 []*curve
	Bars                   []*chartBar
	Legend                 []legendEntry
	Figures                figures

	y px // where what is put next begins
}

// figures is a table.
type figures struct {
	Head []string
	Rows [][]string
}

// legendEntry names the curve of a class.
type legendEntry struct {
	Class, Text  string
	X, End       px // of the line that shows how it is drawn
	Middle, Y    px // of the mark in its middle, and of the text
	MarkX, TextX px
	Mark         string
}

const (
	chartWidth    = 380 // fits on a telephone, and three of them beside each other on a desk
	chartArea     = 190 // height between the axes
	chartMargin   = 16
	textHeight    = 15
	swatchWidth   = 26
	swatchGap     = 5
	legendGap     = 14
	tickLength    = 4
	textBelowLine = 4 // from the middle of a text to its base line
)

// titleLine is a line of the title.
type titleLine struct {
	Text string
	Y    px
}

// newChart returns a chart that has room for its title alone, which is broken at blanks.
func newChart(title, about string) *chart {
	const line, lines = chartWidth * 100 / charWidth, 2
	c := &chart{About: about, Width: chartWidth}
	for rest := elide(ascii(title), lines*line); rest != ""; {
		head := rest
		if len(rest) > line {
			head = rest[:line]
			if blank := strings.LastIndex(head, " "); blank > 0 {
				head = head[:blank]
			}
		}
		rest = strings.TrimPrefix(rest[len(head):], " ")
		c.y += textHeight
		c.Title = append(c.Title, titleLine{head, c.y - textBelowLine + 1})
	}
	return c
}

// addLegend puts names below what there is, as many as there is room for in each line.
func (c *chart) addLegend(names []series) {
	x := px(0)
	for _, s := range names {
		text := elide(ascii(s.label), 40)
		width := px(swatchWidth + swatchGap + textWidth(text))
		if x > 0 && x+width > c.Width {
			x = 0
			c.y += textHeight
		}
		middle := c.y + textHeight/2 + 2
		c.Legend = append(c.Legend, legendEntry{Class: s.class(), Text: text, X: x,
			End: x + swatchWidth, Middle: middle, Y: middle + textBelowLine,
			MarkX: x + swatchWidth/2, TextX: x + swatchWidth + swatchGap,
			Mark: s.mark(x+swatchWidth/2, middle)})
		x += width + legendGap
	}
	if len(names) > 0 {
		c.y += textHeight + 4
	}
}

// setAxes puts axes round an area of that height below what there is.
func (c *chart) setAxes(x, y axis, height px) {
	widest := 0
	for _, t := range y.Ticks {
		widest = max(widest, textWidth(t.Text))
	}
	if y.Name != "" {
		c.y += textHeight
	}
	c.NameY, c.Top = c.y-2, c.y+8
	c.Bottom = c.Top + height
	c.Left, c.Right = 0, c.Width-chartMargin
	if widest > 0 {
		c.Left = px(widest + tickLength + 4)
	}
	c.TickY = c.Bottom + tickLength + textHeight - 2
	c.NumbersY = c.TickY + textHeight + 2
	c.Height = c.NumbersY + 6
	x.put(c.Left, c.Right)
	x.placeTexts(c.Width)
	y.put(c.Bottom, c.Top)
	c.X, c.Y = x, y
}

// YTickX is where the texts of the upright axis end.
func (c *chart) YTickX() px { return c.Left - tickLength - 2 }

// series is something that is drawn in the same way wherever it is.
type series struct {
	label string
	index int    // among all series
	role  string // names the class of what is no store
}

// styles is how many series can be told from each other in one chart.
const styles = 8

// class names the colour and the dashes.
func (s series) class() string {
	return cmp.Or(s.role, fmt.Sprintf("s%d", s.index%styles))
}

// marks are the shapes of the points of a curve, drawn from their middle.
var marks = [styles]string{
	"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",                // circle
	"m-3.5-3.5h7v7h-7z",                                 // square
	"m0-5l4.6 8h-9.2z",                                  // triangle
	"m0-5l5 5l-5 5l-5-5z",                               // rhomb
	"m0 5l4.6-8h-9.2z",                                  // triangle on its head
	"m-1.5-5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z", // cross
	"m-2.5-4.5h5l2.5 4.5l-2.5 4.5h-5l-2.5-4.5z",         // hexagon
	"m-5-2h10v4h-10z",                                   // beam
}

// mark is the shape of a point there; what is no store has none.
func (s series) mark(x, y px) string {
	if s.role != "" {
		return ""
	}
	return fmt.Sprintf("M%v %v%s", x, y, marks[s.index%styles])
}
