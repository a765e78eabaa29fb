package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"memrace/stress/history"
)

// scale says where on the page a time is. Distances are real ones as far as the eye is served:
// a stretch between two neighbouring stamps is never so short that their order cannot be seen,
// and one that is far longer than the others is cut, or it would leave no room for them.
type scale struct {
	stamps []int64 // ascending, each once
	x      []int   // where they are, in pixels
	long   []bool  // of each stretch, whether it is cut
	short  bool    // whether any is drawn longer than it is
}

const (
	// leastStretch is how many pixels there are at least between two stamps, if there is room.
	leastStretch = 12
	// longStretch is how many pixels a stretch has that is cut, if there is room.
	longStretch = 90
	// longTimes is how many times more than something else is far more.
	longTimes = 10
)

func newScale(stamps []int64, left, right int) scale {
	s := scale{stamps: stamps, x: []int{left}, long: make([]bool, len(stamps)-1)}
	if len(stamps) == 1 {
		return s
	}
	room := float64(right - left)
	cut := s.cut(room)
	long := min(longStretch, room/2/float64(max(cut, 1)))
	room -= long * float64(cut)
	least := min(leastStretch, room/float64(len(s.long)-cut))
	ratio := s.fit(room, least)
	at := float64(left)
	for i := range s.long {
		real := ratio * s.between(i)
		if s.long[i] {
			at += long
		} else {
			s.short = s.short || real < 0.99*least
			at += max(real, least)
		}
		s.x = append(s.x, int(math.Round(at)))
	}
	return s
}

// cut marks the stretches that are far longer than any other and would leave the others, by their
// median, far less than the least room; half of all at most. It returns how many they are.
func (s *scale) cut(room float64) (cut int) {
	order := make([]int, len(s.long))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.between(b), s.between(a)) })
	for n := 1; n <= len(order)/2; n++ {
		rest := order[n:]
		far := s.between(order[n-1]) >= longTimes*s.between(rest[0])
		usual := s.between(rest[(len(rest)-1)/2])
		if !far || longTimes*room*usual/s.shown() >= leastStretch {
			continue
		}
		for _, i := range order[cut:n] {
			s.long[i] = true
		}
		cut = n
	}
	return cut
}

// shown is how long all stretches together are that are not cut, in nanoseconds.
func (s *scale) shown() (ns float64) {
	for i, long := range s.long {
		if !long {
			ns += s.between(i)
		}
	}
	return ns
}

// fit returns how many pixels a nanosecond has so that the stretches that are not cut fill the
// room.
func (s *scale) fit(room, least float64) float64 {
	low, high := 0.0, room // a stretch of one nanosecond has all the room at most
	for range 100 {
		middle, filled := (low+high)/2, 0.0
		for i, long := range s.long {
			if !long {
				filled += max(middle*s.between(i), least)
			}
		}
		if filled < room {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// between is how long a stretch is, in nanoseconds.
func (s *scale) between(i int) float64 { return float64(s.stamps[i+1] - s.stamps[i]) }

// at returns where a stamp is.
func (s *scale) at(stamp int64) int {
	i, _ := slices.BinarySearch(s.stamps, stamp)
	return s.x[i]
}

// stampsOf returns the times of calls and returns.
func stampsOf(h *history.History, ops []int) []int64 {
	var stamps []int64
	for _, i := range ops {
		stamps = append(stamps, h.Ops[i].Call)
		if h.Ops[i].Outcome != history.Unknown {
			stamps = append(stamps, h.Ops[i].Return)
		}
	}
	slices.Sort(stamps)
	return slices.Compact(stamps)
}

// unit is what times are given in.
type unit struct {
	Name string
	ns   float64
}

var units = []unit{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}}

// unitFor returns the unit in which so many nanoseconds are a handy number.
func unitFor(ns float64) unit {
	for _, u := range units {
		if ns >= u.ns {
			return u
		}
	}
	return units[len(units)-1]
}

// format returns a time without its unit, to three digits or so.
func (u unit) format(ns float64) string {
	v, digits := ns/u.ns, 0
	if v < 10 {
		digits = 2
	} else if v < 1000 {
		digits = 1
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if digits > 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// human returns a time with its unit.
func human(ns float64) string {
	u := unitFor(ns)
	return fmt.Sprintf("%s %s", u.format(ns), u.Name)
}

// tick is a mark on the axis; its text is empty where there is no room for one.
type tick struct {
	X, TextX int
	Text     string
}

// newTick puts a text in the middle below x, or as near to it as the right end lets it.
func newTick(x int, text string, right int) tick {
	return tick{X: x, TextX: min(x-textWidth(text)/2, right-textWidth(text)), Text: text}
}

// ticks returns a mark for each stamp, with the time since the first where there is room. The
// last has its text whatever stands before it.
func (s *scale) ticks(u unit, right int) []tick {
	const apart = 8
	var ticks []tick
	for i, x := range s.x {
		ticks = append(ticks, newTick(x, u.format(float64(s.stamps[i]-s.stamps[0])), right))
	}
	last := ticks[len(ticks)-1]
	free, before := math.MinInt, ""
	for i := range ticks[:len(ticks)-1] {
		t := &ticks[i]
		end := t.TextX + textWidth(t.Text) + apart
		if t.TextX < free || end > last.TextX || t.Text == before {
			t.Text = ""
			continue
		}
		free, before = end, t.Text
	}
	return ticks
}
