package bench

import "time"

// Countable is how long a turn has to be for its counters to be told by the operation: of a shorter
// one the parts of operations at both ends, and when it was looked, are too much.
const Countable = 50 * time.Millisecond

// leastCounted is how many operations have to take effect for that.
const leastCounted = 10

// PerOp is what each operation that took effect has of a number of the turn. It is false where that
// cannot be told: the turn was shorter than Countable, next to nothing took effect, or the calls
// that failed, which have their part in the number too, outnumber those that took effect.
func (t *Turn) PerOp(number float64) (each float64, told bool) {
	all := t.All()
	if t.For < Countable || all.Done < leastCounted || all.Failed() > all.Done {
		return 0, false
	}
	return number / float64(all.Done), true
}

// PerOp is the median of those turns that can tell; 0 where none can.
func (c *Cell) PerOp(number func(*Turn) float64) float64 {
	var values []float64
	for _, t := range c.Turns {
		if each, told := t.PerOp(number(t)); told {
			values = append(values, each)
		}
	}
	return NewEstimate(values).Median
}
