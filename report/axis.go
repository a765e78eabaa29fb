package report

import (
	"math"
	"slices"
	"strconv"
)

// px is a length in pixels.
type px float64

// String is the length as a drawing has it: to a tenth.
func (p px) String() string {
	return strconv.FormatFloat(math.Round(float64(p)*10)/10, 'f', -1, 64)
}

// span is the least and the greatest of some numbers. The zero span is of none.
type span struct {
	low, high float64
	any       bool
}

func (s *span) add(numbers ...float64) {
	for _, n := range numbers {
		if !s.any {
			*s = span{n, n, true}
		}
		s.low, s.high = min(s.low, n), max(s.high, n)
	}
}

// axis says where on a chart a number is.
type axis struct {
	// Name says what the numbers are, and in which unit.
	Name  string
	Ticks []axisTick

	low, high float64               // the numbers at its ends
	least     float64               // what has a place on it at least
	place     func(float64) float64 // of a number on a scale, whatever the chart is like
	from, to  px                    // where the ends are
}

// axisTick is a number on an axis; its text is empty where there is no room for one.
type axisTick struct {
	At   px
	Text string
	// TextX is where the text of a tick of a level axis begins.
	TextX px

	number float64
}

// Base is the base line of the text of a tick of an upright axis.
func (t axisTick) Base() px { return t.At + textBelowLine }

// at returns where a number is.
func (a *axis) at(number float64) px {
	low := a.place(a.low)
	part := (a.place(number) - low) / (a.place(a.high) - low)
	return a.from + px(part)*(a.to-a.from)
}

// put says where on the chart the axis begins and ends. Another chart with the same axis is not
// touched.
func (a *axis) put(from, to px) {
	a.from, a.to = from, to
	a.Ticks = slices.Clone(a.Ticks)
	for i := range a.Ticks {
		a.Ticks[i].At = a.at(a.Ticks[i].number)
	}
}

// placeTexts puts the texts of a level axis below their ticks, or as near to it as the ends of the
// chart let them, and takes those away that have no room beside the one before.
func (a *axis) placeTexts(right px) {
	const apart = 6
	free := px(math.Inf(-1))
	for i := range a.Ticks {
		t := &a.Ticks[i]
		width := px(textWidth(t.Text))
		if t.TextX = min(max(t.At-width/2, 0), right-width); t.TextX < free {
			t.Text = ""
			continue
		}
		free = t.TextX + width + apart
	}
}

func (a *axis) tick(number float64, text string) {
	a.Ticks = append(a.Ticks, axisTick{number: number, Text: text})
}

// linear returns an axis from 0 on that has room for the numbers of a span.
func linear(name string, s span, text func(float64) string) axis {
	const ticks = 4
	a := axis{Name: name, place: func(v float64) float64 { return v }}
	high := max(s.high, least)
	step := above(high / ticks)
	for i := 0; a.high < high; i++ {
		a.high = float64(i) * step
		a.tick(a.high, text(a.high))
	}
	return a
}

// above returns the least of 1, 2 and 5 times a power of ten that is not below x.
func above(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range []float64{1, 2, 5} {
		if digit*power >= x {
			return digit * power
		}
	}
	return 10 * power
}

// below returns the greatest of 1, 2 and 5 times a power of ten that is not above x.
func below(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range []float64{5, 2} {
		if digit*power <= x {
			return digit * power
		}
	}
	return power
}

// least is the least number that has a place where distances are factors, and the least end of an
// axis.
const least = 1e-3

// logarithmic returns an axis on which equal distances are equal factors.
func logarithmic(name string, s span, text func(float64) string) axis {
	a := axis{Name: name, low: below(max(s.low, least)), high: above(max(s.high, least)),
		least: least, place: math.Log10}
	if a.low == a.high {
		a.low, a.high = a.low/10, a.high*10
	}
	decades := math.Log10(a.high / a.low)
	const few, many = 2.5, 7
	if decades <= few {
		for v := a.low; v < 1.01*a.high; v = above(1.01 * v) {
			a.tick(v, text(v))
		}
		return a
	}
	factor := math.Pow(10, math.Ceil(decades/many))
	first := math.Pow(10, math.Ceil(math.Log10(a.low)-1e-9))
	for v := first; v < 1.01*a.high; v *= factor {
		a.tick(v, text(v))
	}
	return a
}

// counts is an axis of numbers of clients: equal distances are equal factors.
func counts(name string, numbers []int) axis {
	var s span
	a := axis{Name: name, place: math.Log2}
	for _, n := range numbers {
		s.add(float64(n))
		a.tick(float64(n), strconv.Itoa(n))
	}
	const room = 1.25 // beside the first and the last
	a.low, a.high = s.low/room, s.high*room
	return a
}
