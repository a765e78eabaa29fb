// Package bench counts and times: how many operations a store manages in a second, how long each
// of them takes, and whether two measurements differ.
//
// Run makes turns, one of each store and then the next round: a turn is one load on one store in a
// database of its own. Write makes lines of Go's benchmark format of them, which Results reads and
// compares, and WriteLatencies a log of their latencies over time, for ReadLatencies. Summary
// instead counts the operations of histories that were recorded for other ends.
//
// It says nothing of right and wrong (stress/check) and draws nothing.
package bench

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"memrace/stress/history"
)

// Summary counts the operations of one run or several. The zero Summary is one of no run.
type Summary struct {
	// Operations is how many operations clients made, whatever came of them; OK is how many took
	// effect. Reads after the end of a workload do not count.
	Operations, OK int
	// Errors counts the others by class, with "unknown" in front for those that may have taken
	// effect all the same.
	Errors map[string]int
	// Elapsed is how long the workloads took, one after the other.
	Elapsed time.Duration

	took *hdrhistogram.Histogram
}

// digits is how many decimal digits of a latency are kept.
const digits = 3

// Add adds the operations of a run whose workload took elapsed.
func (s *Summary) Add(h *history.History, elapsed time.Duration) {
	if s.took == nil {
		s.took = hdrhistogram.New(shortest, longest, digits)
		s.Errors = map[string]int{}
	}
	s.Elapsed += elapsed
	for i, op := range h.Ops {
		if !op.Client.Numbered() || h.Continues(i) {
			continue
		}
		s.Operations++
		if op.Outcome != history.OK {
			s.Errors[errorName(op)]++
			continue
		}
		s.OK++
		record(s.took, op.Return-op.Call)
	}
}

func errorName(op history.Op) string {
	if op.Outcome == history.Unknown {
		return "unknown " + op.Class.String()
	}
	return op.Class.String()
}

// PerSecond is how many operations took effect in a second.
func (s *Summary) PerSecond() float64 {
	if s.Elapsed <= 0 {
		return 0
	}
	return float64(s.OK) / s.Elapsed.Seconds()
}

// Latency returns a percentile (50, 99, 100) of the time from call to return, over the operations
// that took effect; 0 where they are too few to tell. In a closed loop this is service time: it
// leaves out how long an operation waited until its client was free to ask for it.
func (s *Summary) Latency(percentile float64) time.Duration {
	return latency(s.took, percentile)
}
