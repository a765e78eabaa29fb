package workers_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/stress/history"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

// lines returns the operations of a history without their times.
func lines(h *history.History) (list []string) {
	for _, op := range h.Ops {
		list = append(list, fmt.Sprintf("%v %v %s -> %s %v",
			op.Client, op.Kind, h.Text(op.Seen), h.Text(op.Value), op.Outcome))
	}
	return list
}

func TestUpdateAndTakeAreRecorded(t *testing.T) {
	spec := workload.Spec{Clients: 1, Sessions: 1, Keys: 1, Mix: workload.Mix{Update: 3, Take: 1}}
	_, h := play(t, newMemory(), spec, workers.Config{Ops: 200})
	last := history.None
	kinds := map[history.Kind]bool{}
	for i, op := range h.Ops {
		kinds[op.Kind] = true
		require.Equal(t, history.OK, op.Outcome)
		switch op.Kind {
		case history.Update:
			require.Equal(t, last, op.Seen, "operation %d", i)
			require.Equal(t, history.TagValue(0, uint32(i)), h.Values[op.Value])
			last = op.Value
		case history.Take:
			require.Equal(t, last, op.Value, "operation %d", i)
			require.Equal(t, history.None, op.Seen)
			last = history.None
		}
	}
	require.Len(t, kinds, 2)
}

func TestUpdateThatFailsLeavesItsValue(t *testing.T) {
	calls := 0
	s := hook(func(context.Context, history.Kind) error {
		switch calls++; calls {
		case 2:
			return store.ErrNotApplied
		case 3:
			return errors.New("nobody knows")
		}
		return nil
	})
	spec := workload.Spec{Clients: 1, Sessions: 1, Keys: 1, Mix: workload.Mix{Update: 1}}
	_, h := play(t, s, spec, workers.Config{Ops: 5})
	require.Equal(t, []string{
		"c0 update nothing -> v0.0 ok", "c0 update nothing -> v0.1 not-applied",
		"c0 update nothing -> v0.2 unknown", "c1 update v0.0 -> v1.0 ok",
		"c1 update v1.0 -> v1.1 ok",
	}, lines(h), "what an update would have written is known, though not what it saw")
}

// again is a memory that begins each update anew, and writes what change returned first or last.
type again struct {
	*memory
	writeFirst bool
}

func (a again) Update(ctx context.Context, session, key string,
	change func(string, bool) string) (string, bool, error) {
	first := change("a value that was gone by then", true)
	return a.memory.Update(ctx, session, key, func(old string, found bool) string {
		second := change(old, found)
		if a.writeFirst {
			return first
		}
		return second
	})
}

// Each attempt of an update has a value of its own, and the last one counts.
func TestUpdateThatIsTriedAgain(t *testing.T) {
	spec := workload.Spec{Clients: 1, Sessions: 1, Keys: 1, Mix: workload.Mix{Update: 1}}
	_, h := play(t, again{memory: newMemory()}, spec, workers.Config{Ops: 3})
	require.Equal(t, []string{"c0 update nothing -> v0.1 ok", "c0 update v0.1 -> v0.3 ok",
		"c0 update v0.3 -> v0.5 ok"}, lines(h))
	require.Empty(t, h.Foreign, "what was seen in vain is not in the history")
	_, h = play(t, again{memory: newMemory(), writeFirst: true}, spec, workers.Config{Ops: 3})
	require.Equal(t, []string{"c0 update nothing -> v0.1 ok", "c0 update v0.0 -> v0.3 ok",
		"c0 update v0.2 -> v0.5 ok"}, lines(h), "v0.0 and v0.2 are written by nobody")
}

// liar is a memory that shows change one value and says that it showed another.
type liar struct{ *memory }

func (l liar) Update(ctx context.Context, session, key string,
	change func(string, bool) string) (string, bool, error) {
	_, _, err := l.memory.Update(ctx, session, key, func(string, bool) string {
		return change("", false)
	})
	return "what was there", true, err
}

func TestUpdateIsJudgedByWhatItShowed(t *testing.T) {
	spec := workload.Spec{Clients: 1, Sessions: 1, Keys: 1, Mix: workload.Mix{Update: 1}}
	_, h := play(t, liar{newMemory()}, spec, workers.Config{Ops: 2})
	require.Equal(t, []string{"c0 update nothing -> v0.0 ok", "c0 update nothing -> v0.1 ok"},
		lines(h))
}

// One in four updates thinks, inside the store, for as long as the plan says.
func TestUpdateThinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const think = 5 * time.Millisecond
		spec := workload.Spec{Profile: "updates", Clients: 1, Think: think}
		run, h := play(t, newMemory(), spec, workers.Config{Ops: 400})
		thought := 0
		for _, op := range h.Ops {
			switch took := time.Duration(op.Return - op.Call); took {
			case 0:
			case think:
				require.Equal(t, history.Update, op.Kind)
				thought++
			default:
				require.Zero(t, took, "nothing else takes time")
			}
		}
		require.InDelta(t, 70, thought, 30)
		require.Equal(t, time.Duration(thought)*think, run.Elapsed)
	})
}

// bare has the four methods of a store and no more.
type bare struct{ store.Store }

func TestLacks(t *testing.T) {
	all := workload.Mix{Upsert: 1, Get: 1, Delete: 1, Update: 1, Take: 1}
	for _, tt := range []struct {
		name  string
		store store.Store
		mix   workload.Mix
		want  string
	}{
		{"has all", newMemory(), all, ""},
		{"needs nothing more", bare{newMemory()}, workload.Mix{Upsert: 1, Get: 1, Delete: 1}, ""},
		{"update", bare{newMemory()}, workload.Mix{Update: 1}, "no Update"},
		{"take", bare{newMemory()}, workload.Mix{Get: 1, Take: 1}, "no Take"},
		{"list", bare{newMemory()}, workload.Mix{Upsert: 1, List: 1}, "no List"},
		{"clear", bare{newMemory()}, workload.Mix{Clear: 1}, "no Clear"},
		{"both", bare{newMemory()}, all, "no Update and no Take"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, workers.Lacks(tt.store, tt.mix))
			plan, err := workload.New(workload.Spec{Mix: tt.mix})
			require.NoError(t, err)
			_, err = workers.Play(t.Context(), tt.store, plan, workers.Config{Ops: 10})
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err,
				"play the workload: the store has "+tt.want+", which the mix needs")
		})
	}
}
