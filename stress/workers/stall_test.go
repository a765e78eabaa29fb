package workers_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

// stuck is a store whose calls from number n on hang until open is closed.
func stuck(n int64, kind history.Kind, open <-chan struct{}) hooked {
	var calls atomic.Int64
	return hooked{newMemory(), func(_ context.Context, k history.Kind) error {
		if k == kind && calls.Add(1) >= n {
			<-open
		}
		return nil
	}}
}

// dead is the error of a call to a store that is not there any more.
type dead struct{ error }

func (dead) Class() string { return "closed" }

// Clients of a store that is gone for good do not go on calling it; those of one that comes back
// do.
func TestClientsOfADeadStore(t *testing.T) {
	for _, c := range []struct {
		name  string
		gone  int64 // for how many calls
		least int
		reads bool // these go on
	}{
		{"for good", 1 << 40, 2 * 50, false}, {"for a while", 20, 4000, false},
		{"for writes alone", 1 << 40, 4000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls atomic.Int64
			s := hooked{newMemory(), func(_ context.Context, k history.Kind) error {
				if n := calls.Add(1); n > 100 && n <= 100+c.gone && !(c.reads && k.Reads()) {
					return dead{errors.New("it is gone")}
				}
				return nil
			}}
			_, h := play(t, s, workload.Spec{Clients: 2,
				Mix: workload.Mix{Upsert: 1, Get: 1}}, workers.Config{Ops: 4000})
			require.GreaterOrEqual(t, len(h.Ops), c.least)
			if c.least < 4000 {
				require.LessOrEqual(t, len(h.Ops), 100+2*60)
			}
		})
	}
}

func TestStall(t *testing.T) {
	for _, profile := range []string{"uniform", "births"} {
		t.Run(profile, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { testStall(t, profile) })
		})
	}
}

func testStall(t *testing.T, profile string) {
	open := make(chan struct{})
	s := stuck(30, history.Upsert, open)
	spec := workload.Spec{Profile: profile, Clients: 5, Mix: workload.Mix{Upsert: 1, Get: 1}}
	run, h := play(t, s, spec, workers.Config{Ops: 100_000, Stall: 2 * time.Second})
	first, stacks, _ := strings.Cut(run.Stalled, "\n\n")
	require.Regexp(t, "^no call returned for 2s; of 5 clients, [1-5] are inside the store: "+
		"[1-5] in upsert$", first)
	require.Contains(t, stacks, "hooked.Upsert", "the stacks say where")
	require.False(t, run.Interrupted)
	require.InDelta(t, 2, run.Elapsed.Seconds(), 0.4)
	require.GreaterOrEqual(t, len(h.Ops), 30, "nothing of what was done is lost")

	inFlight := 0
	for _, op := range h.Ops {
		if op.Outcome == history.Unknown {
			inFlight++
			require.Equal(t, history.Upsert, op.Kind)
		}
	}
	require.Positive(t, inFlight)
	require.Equal(t, run.Ops+inFlight, len(h.Ops))

	// The store comes back to life: the clients that were given up leave, and change nothing.
	close(open)
	synctest.Wait()
	require.Equal(t, h, run.History(nil))
	require.Len(t, run.FirstErrors, 0)
}

func TestStallOfOneIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := make(chan struct{})
		var calls atomic.Int64
		s := hook(func(context.Context, history.Kind) error {
			if calls.Add(1) == 1 {
				<-open
			} else if calls.Load() == 100 {
				close(open)
			}
			<-time.After(100 * time.Millisecond)
			return nil
		})
		cfg := workers.Config{Ops: 200, Stall: time.Second}
		run, h := play(t, s, workload.Spec{Clients: 2}, cfg)
		require.Empty(t, run.Stalled, "a run gets on as long as any client does")
		require.Len(t, h.Ops, 200)
	})
}

func TestStallAfterCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := make(chan struct{})
		defer close(open)
		plan, err := workload.New(workload.Spec{Clients: 3})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		run, err := workers.Play(ctx, stuck(1, history.Get, open), plan,
			workers.Config{Ops: 1000})
		require.NoError(t, err)
		require.True(t, run.Interrupted)
		require.Contains(t, run.Stalled, "no call returned for 10s; of 3 clients, 3 are inside "+
			"the store: 3 in get\n\n", "a cancelled run may hang too, and ten seconds are enough")
		require.InDelta(t, 10, run.Elapsed.Seconds(), 2)
	})
}

func TestStallWithoutHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := make(chan struct{})
		defer close(open)
		run, h := play(t, stuck(1, history.Delete, open), workload.Spec{Clients: 3},
			workers.Config{Ops: 1000, Discard: true})
		require.Contains(t, run.Stalled, "of 3 clients, 3 are inside the store\n\n")
		require.Empty(t, h.Ops)
	})
}
