package workers_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

func TestProgress(t *testing.T) {
	for _, discard := range []bool{false, true} {
		var p workers.Progress
		require.Zero(t, p.Count(), "nothing has begun")
		var calls atomic.Int64
		var counts []int
		s := hook(func(context.Context, history.Kind) error {
			if calls.Add(1)%100 == 0 {
				counts = append(counts, p.Count())
			}
			return nil
		})
		run, _ := play(t, s, workload.Spec{Clients: 1},
			workers.Config{Ops: 300, Progress: &p, Discard: discard})
		require.Equal(t, []int{99, 199, 299}, counts, "the call that is under way has not returned")
		require.Equal(t, 300, p.Count())
		require.Equal(t, 300, run.Ops)
	}
}

func TestDiscard(t *testing.T) {
	m := newMemory()
	run, h := play(t, m, workload.Spec{}, workers.Config{Ops: 300, Discard: true})
	require.Equal(t, 300, run.Ops)
	require.Empty(t, h.Ops)
	require.NotEmpty(t, m.copy(), "the store is called all the same")
}
