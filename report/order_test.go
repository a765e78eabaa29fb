package report_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"memrace/report"
	"memrace/stress/history"
)

// drawOps draws operations, a few of them with equal stamps or an unknown outcome, in the order
// of their calls.
func drawOps(t *rapid.T) (*history.History, []int) {
	h := &history.History{Slots: []history.Slot{{Session: "s", Key: "k"}},
		Values: []history.Value{0, history.TagValue(1, 0)}}
	call, ops := int64(0), []int{}
	for i := range rapid.IntRange(1, 25).Draw(t, "operations") {
		call += rapid.SampledFrom([]int64{0, 1, 5, 80, 1_000_000}).Draw(t, "later")
		op := history.Op{Call: call, Kind: history.Get, Outcome: history.OK,
			Client: history.Client(rapid.IntRange(0, 5).Draw(t, "client"))}
		op.Return = call + rapid.SampledFrom([]int64{0, 1, 7, 300, 2_000_000}).Draw(t, "length")
		if rapid.IntRange(0, 7).Draw(t, "outcome") == 0 {
			op.Outcome, op.Return = history.Unknown, 0
		}
		h.Ops, ops = append(h.Ops, op), append(ops, i)
	}
	return h, ops
}

// reached returns the closure of the edges.
func reached(n int, edges []report.Edge) map[[2]int]bool {
	closure := map[[2]int]bool{}
	for _, e := range edges {
		from, to := e.Ends()
		closure[[2]int{from, to}] = true
	}
	for k := range n {
		for i := range n {
			for j := range n {
				if closure[[2]int{i, k}] && closure[[2]int{k, j}] {
					closure[[2]int{i, j}] = true
				}
			}
		}
	}
	return closure
}

// The arrows say all that is known of the order, and with any one less they would not.
func TestForcedIsTheTransitiveReduction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, ops := drawOps(t)
		want := map[[2]int]bool{}
		for i := range ops {
			for j := range ops {
				if h.Precedes(i, j) {
					want[[2]int{i, j}] = true
				}
			}
		}
		edges := report.Forced(h, ops)
		require.Empty(t, cmp.Diff(want, reached(len(ops), edges)))
		for i := range edges {
			rest := append(append([]report.Edge{}, edges[:i]...), edges[i+1:]...)
			require.NotEqual(t, len(want), len(reached(len(ops), rest)), "edge %d is needless", i)
		}
	})
}
