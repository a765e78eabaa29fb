package bench_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
)

func TestJudge(t *testing.T) {
	higher := bench.Ratio{Goal: 14, Floor: 8}
	lower := bench.Ratio{Goal: 0.05, Floor: 0.2, Lower: true}
	for _, tc := range []struct {
		name   string
		ratio  bench.Ratio
		values []float64
		want   bench.Verdict
		why    string
	}{
		{"goal", higher, []float64{14}, bench.Reached, "the goal itself is enough"},
		{"short of the goal", higher, []float64{13.9}, bench.FloorOnly, ""},
		{"floor", higher, []float64{8}, bench.FloorOnly, ""},
		{"below", higher, []float64{7.9}, bench.Below, ""},
		{"median", higher, []float64{1, 15, 15}, bench.Reached, "one bad round is none"},
		{"lower goal", lower, []float64{0.05}, bench.Reached, ""},
		{"lower floor", lower, []float64{0.2}, bench.FloorOnly, ""},
		{"lower below", lower, []float64{0.21}, bench.Below, "more is worse"},
		{"nothing", lower, nil, bench.Below, "what was not measured holds nothing"},
		{"exactly none", bench.Ratio{Lower: true}, []float64{0}, bench.Reached, ""},
		{"one error", bench.Ratio{Lower: true}, []float64{1}, bench.Below, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.want, tc.ratio.Judge(bench.NewEstimate(tc.values)), tc.why)
		})
	}
}

// programmed returns a subject that makes a turn of so many operations in each round.
func programmed(name string, done ...int) bench.Subject {
	round := 0
	return bench.Subject{Store: name, Play: func(_ context.Context, _ string, l bench.Load,
		c bench.Config) (*bench.Turn, error) {
		round++
		k := &bench.Kind{OK: done[round-1], Done: done[round-1]}
		return &bench.Turn{Load: l, For: c.For, Kinds: []*bench.Kind{k}}, nil
	}}
}

// The ratio is that of turns that were neighbours: a and b get faster together, and b remains half
// as fast.
func TestRatiosAreOfOneRound(t *testing.T) {
	config := quick()
	config.Rounds, config.For = 3, time.Second
	turns, err := bench.Run(t.Context(), t.TempDir(),
		[]bench.Subject{programmed("a", 10, 100, 1000), programmed("b", 5, 50, 0)},
		[]bench.Load{upserts(1, 0)}, config, nil)
	require.NoError(t, err)
	rounds := bench.Rounds(turns)
	got := bench.Ratios(rounds, "a", "b", (*bench.Turn).PerSecond)
	require.Empty(t, cmp.Diff([]float64{2, 2}, []float64{got.Median, float64(got.N)}),
		"nothing can be said of the round in which b did nothing")
	require.Zero(t, bench.Ratios(rounds, "a", "c", (*bench.Turn).PerSecond).N)
	sum := bench.Numbers(rounds, func(r bench.Round) float64 {
		if r["a"].PerSecond() > 100 {
			return math.NaN()
		}
		return r["a"].PerSecond() + r["b"].PerSecond()
	})
	require.Empty(t, cmp.Diff([]float64{82.5, 2}, []float64{sum.Median, float64(sum.N)}))
}
