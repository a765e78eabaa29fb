package workers_test

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

// deed is what a client did, without the times, which alone may differ between two runs.
type deed struct {
	act  history.Act
	slot history.Slot
}

func deeds(h *history.History) map[history.Client][]deed {
	m := make(map[history.Client][]deed)
	for i, op := range h.Ops {
		if !h.Continues(i) {
			m[op.Client] = append(m[op.Client], deed{op.Act(), h.Slots[op.Slot]})
		}
	}
	return m
}

func TestPlayIsThePlan(t *testing.T) {
	for _, p := range workload.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			spec := workload.Spec{Profile: p.Name, Seed: 5, Clients: 7}
			run, h := play(t, newMemory(), spec, workers.Config{Ops: 1000})
			require.Equal(t, 1000, run.Ops)
			require.False(t, run.Interrupted)
			require.Empty(t, run.Stalled)
			require.Empty(t, run.FirstErrors)
			require.Positive(t, run.Elapsed)
			plan, err := workload.New(spec)
			require.NoError(t, err)
			want := make(map[history.Client][]deed)
			for i := range history.Client(7) {
				all := plan.Client(int(i))
				for range 142 + btoi(i < 1000-7*142) {
					step, _ := all.Next()
					want[i] = append(want[i], deed{step.Act, plan.Slot(step.Slot)})
				}
			}
			require.Equal(t, want, deeds(h), "each client makes its share of the plan, no more")
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestHistoryIsWhatTheStoreSaw(t *testing.T) {
	m := newMemory()
	spec := workload.Spec{Profile: "takes", Clients: 4}
	_, h := play(t, m, spec, workers.Config{Ops: 2000})
	written := make(map[history.ValueID]bool)
	for client, ops := range byClient(h) {
		last := int64(-1)
		for i, op := range ops {
			require.Equal(t, history.OK, op.Outcome)
			require.Greater(t, op.Call, last, "client %d is one sequence of calls", client)
			require.GreaterOrEqual(t, op.Return, op.Call)
			last = op.Return
			if op.Kind.Writes() {
				require.Equal(t, history.TagValue(client, uint32(i)), h.Values[op.Value],
					"a value names its client and which operation of that client wrote it")
				require.False(t, written[op.Value], "values are unique")
				written[op.Value] = true
			}
		}
	}
	for _, op := range h.Ops {
		seen := op.Value
		if op.Kind == history.Update {
			seen = op.Seen
		}
		if op.Kind.Reads() && seen != history.None {
			require.True(t, written[seen], "what was read had been written")
		}
	}
	require.Empty(t, h.Foreign)
	plan, err := workload.New(spec)
	require.NoError(t, err)
	for slot, text := range m.copy() {
		tag, ok := history.ParseTag(text)
		require.True(t, ok, "%q", text)
		require.Equal(t, slot, plan.Slot(tag.Slot))
		require.Len(t, text, 64, "values have the size of the spec")
	}
}

// A run that is short is to be a mixture of all clients even where they have one processor.
func TestClientsTakeTurns(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	_, h := play(t, newMemory(), workload.Spec{Clients: 8}, workers.Config{Ops: 8 * 40})
	stretches := 1
	for i, op := range h.Ops[1:] {
		if op.Client != h.Ops[i].Client {
			stretches++
		}
	}
	require.GreaterOrEqual(t, stretches, 3*8-2, "15, 15 and 10 steps of each client in a row")
}

// BenchmarkShortRun says in how many short runs on a store that is a map any operations overlap.
func BenchmarkShortRun(b *testing.B) {
	overlapping := 0
	for range b.N {
		_, h := play(b, newMemory(), workload.Spec{Clients: 8}, workers.Config{Ops: 8 * 40})
		if slices.ContainsFunc(h.Ops, func(op history.Op) bool { return overlapped(h, op) }) {
			overlapping++
		}
	}
	b.ReportMetric(float64(overlapping)/float64(b.N), "overlapping/run")
}

// overlapped reports whether another client was called during op.
func overlapped(h *history.History, op history.Op) bool {
	return slices.ContainsFunc(h.Ops, func(other history.Op) bool {
		return other.Client != op.Client && op.Call <= other.Call && other.Call <= op.Return
	})
}

func TestOpsAreShared(t *testing.T) {
	_, h := play(t, newMemory(), workload.Spec{Clients: 8}, workers.Config{Ops: 3})
	require.Len(t, h.Ops, 3, "more clients than operations: some make none")
	require.Len(t, byClient(h), 3)
}

func TestPlayRefuses(t *testing.T) {
	plan, err := workload.New(workload.Spec{})
	require.NoError(t, err)
	tests := []struct {
		name string
		cfg  workers.Config
		want string
	}{
		{"endless", workers.Config{}, "play the workload: neither ops nor for is given, " +
			"so the run would not end; give one of them"},
		{"negative ops", workers.Config{Ops: -1},
			"play the workload: ops is -1; it goes from 1 to 1073741824, and 0 means no limit"},
		{"negative for", workers.Config{For: -1},
			"play the workload: for is -1ns; it cannot be negative"},
		{"negative least", workers.Config{For: 1, Least: -1},
			"play the workload: least is -1; it cannot be negative"},
		{"negative call timeout", workers.Config{Ops: 1, CallTimeout: -time.Second},
			"play the workload: call timeout is -1s; it cannot be negative"},
		{"negative stall", workers.Config{Ops: 1, Stall: -time.Second},
			"play the workload: stall is -1s; it cannot be negative"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := workers.Play(t.Context(), newMemory(), plan, tt.cfg)
			require.EqualError(t, err, tt.want)
		})
	}
	_, err = workers.Play(t.Context(), nil, plan, workers.Config{Ops: 1})
	require.EqualError(t, err, "play the workload: there is no store or no plan")
}

// slow is a store whose calls take d; only for use with the clock of synctest.
func slow(d time.Duration) func(context.Context, history.Kind) error {
	return func(context.Context, history.Kind) error {
		<-time.After(d)
		return nil
	}
}

func TestFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := workers.Config{For: time.Second}
		run, h := play(t, hook(slow(30*time.Millisecond)), workload.Spec{Clients: 3}, cfg)
		require.Equal(t, 1020*time.Millisecond, run.Elapsed, "the call that runs is finished")
		require.Len(t, h.Ops, 3*34)
		require.False(t, run.Interrupted, "the time being up is the planned end")
	})
}

// Each call takes 37 milliseconds, so three clients make 30 calls in 370.
func TestLeast(t *testing.T) {
	tests := []struct {
		name    string
		least   int
		elapsed time.Duration
		why     string
	}{
		{"reached", 3, 111 * time.Millisecond, "the time alone counts"},
		{"not reached", 30, 407 * time.Millisecond, "it ends when the operations are there"},
		{"out of reach", 1000, 1036 * time.Millisecond, "it ends at ten times its time"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cfg := workers.Config{For: 100 * time.Millisecond, Least: tt.least}
				run, h := play(t, hook(slow(37*time.Millisecond)), workload.Spec{Clients: 3}, cfg)
				require.Equal(t, tt.elapsed, run.Elapsed, tt.why)
				require.Len(t, h.Ops, 3*int(tt.elapsed/(37*time.Millisecond)))
			})
		})
	}
}

func TestCancelKeepsTheHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan, err := workload.New(workload.Spec{Profile: "births", Clients: 3})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 95*time.Millisecond)
		defer cancel()
		run, err := workers.Play(ctx, hook(slow(10*time.Millisecond)), plan,
			workers.Config{Ops: 1000, For: time.Hour})
		require.NoError(t, err)
		require.True(t, run.Interrupted)
		require.Equal(t, 100*time.Millisecond, run.Elapsed)
		h := run.History(nil)
		require.Len(t, h.Ops, 30)
		for _, op := range h.Ops {
			require.Equal(t, history.OK, op.Outcome, "calls that run are finished, not cut off")
		}
	})
}

func TestMeet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const clients = 5
		var n atomic.Int64
		vary := func(context.Context, history.Kind) error {
			<-time.After(time.Duration(1+n.Add(1)%7) * time.Millisecond)
			return nil
		}
		_, h := play(t, hook(vary), workload.Spec{Profile: "births", Clients: clients},
			workers.Config{Ops: clients * 40})
		first := make(map[uint32][]int64)
		for _, op := range h.Ops {
			first[op.Slot] = append(first[op.Slot], op.Call)
		}
		require.Len(t, first, 10)
		for slot, calls := range first {
			for _, at := range calls[:clients] {
				require.Equal(t, calls[0], at, "slot %d is born under all clients at once", slot)
			}
		}
	})
}
