package workers_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/stress/history"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

type classed string

func (c classed) Error() string { return "error of class " + string(c) }
func (c classed) Class() string { return string(c) }

func TestOutcomes(t *testing.T) {
	tests := []struct {
		name    string
		err     error
		outcome history.Outcome
		class   history.Class
		why     string
	}{
		{"none", nil, history.OK, history.ClassNone, "no error means that it took effect"},
		{"plain", errors.New("x"), history.Unknown, history.ClassOther, "when in doubt, unknown"},
		{"refused", store.ErrNotApplied, history.NotApplied, history.ClassOther, "the promise"},
		{"refused, wrapped with a class",
			fmt.Errorf("upsert: %w: %w", store.ErrNotApplied, classed("busy")),
			history.NotApplied, history.ClassBusy, "the class is found through wrappers"},
		{"class alone", classed("ioerr"), history.Unknown, history.ClassIOErr,
			"a class is no promise"},
		{"class unheard of", classed("gremlins"), history.Unknown, history.ClassOther,
			"the list of classes is fixed"},
		{"canceled", fmt.Errorf("get: %w", context.Canceled), history.Unknown,
			history.ClassCanceled, "a cancelled call may have taken effect"},
		{"deadline", context.DeadlineExceeded, history.Unknown, history.ClassDeadline,
			"so may one that was too slow"},
		{"class before cause", fmt.Errorf("%w: %w", context.Canceled, classed("interrupted")),
			history.Unknown, history.ClassInterrupted, "the store knows better what happened"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := hook(func(context.Context, history.Kind) error { return tt.err })
			run, h := play(t, s, workload.Spec{Clients: 1}, workers.Config{Ops: 60})
			kinds := make(map[history.Kind]bool)
			for _, op := range h.Ops {
				kinds[op.Kind] = true
				require.Equal(t, tt.outcome, op.Outcome, tt.why)
				require.Equal(t, tt.class, op.Class, tt.why)
			}
			require.Len(t, kinds, 3)
			want := map[history.Class]string{}
			if tt.err != nil {
				want[tt.class] = tt.err.Error()
			}
			require.Empty(t, cmp.Diff(want, run.FirstErrors))
		})
	}
}

func TestUnknownGoesOnUnderANewNumber(t *testing.T) {
	var calls atomic.Int64
	s := hook(func(context.Context, history.Kind) error {
		switch calls.Add(1) {
		case 2, 3:
			return errors.New("nobody knows")
		case 5:
			return store.ErrNotApplied
		}
		return nil
	})
	spec := workload.Spec{Clients: 1, Mix: workload.Mix{Upsert: 1}}
	_, h := play(t, s, spec, workers.Config{Ops: 7})
	var got []string
	for _, op := range h.Ops {
		got = append(got, fmt.Sprintf("%v %v %v", op.Client, h.Text(op.Value), op.Outcome))
	}
	require.Equal(t, []string{
		"c0 v0.0 ok", "c0 v0.1 unknown", "c1 v1.0 unknown", "c2 v2.0 ok",
		"c2 v2.1 not-applied", "c2 v2.2 ok", "c2 v2.3 ok",
	}, got, "a refused call is over and needs no new number")
}

func TestNewNumbersBelongToNobodyElse(t *testing.T) {
	s := hook(func(context.Context, history.Kind) error { return errors.New("nobody knows") })
	_, h := play(t, s, workload.Spec{Clients: 3}, workers.Config{Ops: 30})
	clients := byClient(h)
	require.Len(t, clients, 30, "each call has a client of its own")
	for c := range history.Client(30) {
		require.Len(t, clients[c], 1, "%v", c)
	}
}

func TestPanics(t *testing.T) {
	s := hook(func(_ context.Context, kind history.Kind) error {
		if kind == history.Get {
			panic("the store lost its mind")
		}
		return nil
	})
	run, h := play(t, s, workload.Spec{Clients: 3}, workers.Config{Ops: 300})
	require.Len(t, h.Ops, 300, "workers go on after a panic")
	for _, op := range h.Ops {
		if op.Kind == history.Get {
			require.Equal(t, history.Unknown, op.Outcome)
			require.Equal(t, history.ClassPanic, op.Class)
		} else {
			require.Equal(t, history.OK, op.Outcome)
		}
	}
	text := run.FirstErrors[history.ClassPanic]
	require.Contains(t, text, "panic: the store lost its mind\n")
	require.Contains(t, text, "hooked.Get", "the stack says where in the store")
}

func TestGoexit(t *testing.T) {
	var calls atomic.Int64
	s := hook(func(context.Context, history.Kind) error {
		if calls.Add(1) == 5 {
			runtime.Goexit()
		}
		return nil
	})
	run, h := play(t, s, workload.Spec{Profile: "births", Clients: 3}, workers.Config{Ops: 30})
	require.Len(t, byClient(h), 3)
	require.Equal(t, run.Ops, len(h.Ops))
	require.Less(t, len(h.Ops), 30, "the goroutine is lost, and its share with it")
	require.Greater(t, len(h.Ops), 20, "the others go on and do not wait for it")
	require.Contains(t, run.FirstErrors[history.ClassPanic], "runtime.Goexit")
}

func TestCallTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hook(func(ctx context.Context, _ history.Kind) error {
			<-ctx.Done()
			return ctx.Err()
		})
		cfg := workers.Config{Ops: 6, CallTimeout: 50 * time.Millisecond}
		run, h := play(t, s, workload.Spec{Clients: 2}, cfg)
		require.Equal(t, 150*time.Millisecond, run.Elapsed)
		for _, op := range h.Ops {
			require.Equal(t, history.ClassDeadline, op.Class)
		}
	})
}

func TestWithoutCallTimeoutNothingCanBeCancelled(t *testing.T) {
	s := hook(func(ctx context.Context, _ history.Kind) error {
		if ctx.Done() != nil {
			return errors.New("drivers start a goroutine for a context that can be cancelled")
		}
		return nil
	})
	run, _ := play(t, s, workload.Spec{}, workers.Config{Ops: 10})
	require.Empty(t, run.FirstErrors)
}
