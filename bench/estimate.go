package bench

import (
	"fmt"
	"math"

	"golang.org/x/perf/benchmath"
)

// Estimate is what several values of the same thing, one from each round, say about it.
type Estimate struct {
	// N is how many values there are; 0 means that nothing is known.
	N int
	// Median is the value in the middle, Low and High are the ends of an interval that has the true
	// median in it in 95 of 100 cases. They are infinite if the values are too few to tell.
	Median, Low, High float64

	sample *benchmath.Sample
}

// confidence is how sure an interval is.
const confidence = 0.95

// NewEstimate returns the estimate that the values make.
func NewEstimate(values []float64) Estimate {
	if len(values) == 0 {
		return Estimate{}
	}
	thresholds := benchmath.DefaultThresholds
	e := Estimate{N: len(values), sample: benchmath.NewSample(values, &thresholds)}
	s := benchmath.AssumeNothing.Summary(e.sample, confidence)
	e.Median, e.Low, e.High = s.Center, s.Lo, s.Hi
	return e
}

// Interval reports whether the values are enough for an interval.
func (e Estimate) Interval() bool {
	return e.N > 0 && !math.IsInf(e.Low, 0) && !math.IsInf(e.High, 0)
}

// Spread returns how far the interval goes from the median at most: "±3%". Without an interval it
// is "±?".
func (e Estimate) Spread() string {
	switch {
	case !e.Interval():
		return "±?"
	case e.Low == e.High:
		return "±0%"
	case e.Median == 0:
		return "±∞"
	}
	far := max(e.High-e.Median, e.Median-e.Low) / math.Abs(e.Median)
	return fmt.Sprintf("±%.0f%%", 100*far)
}
