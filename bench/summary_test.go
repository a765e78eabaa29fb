package bench_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/stress/history"
)

// ops returns n operations of one client that took effect, the first of which took 1 us, the
// second 2 us, and so on.
func ops(n int) *history.History {
	h := &history.History{}
	for i := range n {
		h.Ops = append(h.Ops, history.Op{Outcome: history.OK, Return: int64(i+1) * 1000})
	}
	return h
}

func TestLatencyNeedsSamples(t *testing.T) {
	for _, c := range []struct {
		name    string
		n       int
		percent float64
		want    time.Duration
		why     string
	}{
		{"nothing", 0, 50, 0, "there is nothing to take the median of"},
		{"median", 9, 50, 5 * time.Microsecond, "a median needs few samples"},
		{"maximum", 9, 100, 9 * time.Microsecond, "the longest is known at once"},
		{"too few", 999, 99, 0, "fewer than ten lie above"},
		{"enough", 1000, 99, 990 * time.Microsecond, "ten lie above"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s bench.Summary
			s.Add(ops(c.n), time.Second)
			got := s.Latency(c.percent)
			// A histogram of three digits rounds.
			require.InDelta(t, float64(c.want), float64(got), float64(c.want)/500, c.why)
		})
	}
}

func TestWhatDidNotTakeEffectIsNoOperation(t *testing.T) {
	h := ops(10)
	h.Ops[8].Outcome, h.Ops[8].Class = history.NotApplied, history.ClassBusy
	h.Ops[9].Outcome, h.Ops[9].Class = history.Unknown, history.ClassIOErr
	h.Ops = append(h.Ops, history.Op{Client: history.Final, Outcome: history.OK})
	var s bench.Summary
	s.Add(h, 2*time.Second)
	require.Equal(t, 10, s.Operations, "reads after the end are not the workload's")
	require.Equal(t, 8, s.OK)
	require.Equal(t, 4.0, s.PerSecond(), "operations that took effect, in a second")
	require.Empty(t, cmp.Diff(map[string]int{"busy": 1, "unknown ioerr": 1}, s.Errors))
	require.InDelta(t, 8000, s.Latency(100), 8, "what was refused is in no latency")
}

func TestRunsAddUp(t *testing.T) {
	var s bench.Summary
	require.Zero(t, s.PerSecond(), "no run has no speed")
	require.Zero(t, s.Latency(50))
	s.Add(ops(3), time.Second)
	s.Add(ops(5), time.Second)
	require.Equal(t, 8, s.OK)
	require.Equal(t, 4.0, s.PerSecond())
}
