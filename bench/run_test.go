package bench_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/store"
	"memrace/stress/workload"
)

// recording returns subjects that note in which order they are opened and closed, and where.
func recording(names ...string) (subjects []bench.Subject, events *[]string, dirs *[]string) {
	events, dirs = &[]string{}, &[]string{}
	for _, name := range names {
		subjects = append(subjects, bench.Subject{Store: name,
			Open: func(_ context.Context, dir string) (store.Store, error) {
				*events = append(*events, name)
				*dirs = append(*dirs, dir)
				return &fake{closed: func() { *events = append(*events, "-"+name) }}, nil
			}})
	}
	return subjects, events, dirs
}

func TestRoundsAreInterleaved(t *testing.T) {
	subjects, events, dirs := recording("a", "b", "c")
	loads := []bench.Load{upserts(1, 0), upserts(2, 0)}
	config := quick()
	config.Rounds, config.For = 2, time.Millisecond
	var told []string
	turns, err := bench.Run(t.Context(), t.TempDir(), subjects, loads, config,
		func(s bench.Subject, l bench.Load) {
			told = append(told, fmt.Sprintf("%s%d", s.Store, l.Clients))
		})
	require.NoError(t, err)
	want := []string{"a", "-a", "b", "-b", "c", "-c"}
	require.Empty(t, cmp.Diff(
		append(append(append(append([]string{}, want...), want...), want...), want...), *events),
		"one store after the other, and only one at a time")
	want = []string{"a1", "b1", "c1", "a2", "b2", "c2"}
	require.Empty(t, cmp.Diff(append(append([]string{}, want...), want...), told))
	var made []string
	for _, turn := range turns {
		made = append(made, fmt.Sprintf("%s%d", turn.Subject.Store, turn.Load.Clients))
	}
	require.Empty(t, cmp.Diff(told, made))
	require.Equal(t, []int{0, 1}, []int{turns[0].Round, turns[len(turns)-1].Round})

	seen := map[string]bool{}
	for _, dir := range *dirs {
		require.False(t, seen[dir], "each turn has a directory of its own")
		seen[dir] = true
		require.NoDirExists(t, dir, "which is removed after it")
	}
}

func TestAnInterruptKeepsWholeRounds(t *testing.T) {
	subjects, events, _ := recording("a", "b")
	ctx, cancel := context.WithCancel(t.Context())
	config := quick()
	config.Rounds, config.For = 5, time.Millisecond
	dir := t.TempDir()
	turns, err := bench.Run(ctx, dir, subjects, []bench.Load{upserts(1, 0)}, config,
		func(s bench.Subject, _ bench.Load) {
			if len(*events) == 2*5 { // the second store of the third round comes
				cancel()
			}
		})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, turns, 4, "two rounds, and nothing of the third")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// A turn ends when it is interrupted, however long it was to last.
func TestATurnCanBeInterrupted(t *testing.T) {
	for _, rate := range []int{0, 10} {
		ctx, cancel := context.WithCancel(t.Context())
		config := quick()
		config.For = time.Hour
		calls := 0
		f := &fake{upsert: func(string) error {
			if calls++; calls > 6 { // four of them fill it
				cancel()
			}
			return nil
		}}
		_, err := bench.Run(ctx, t.TempDir(), []bench.Subject{{Store: "fake", Open: always(f)}},
			[]bench.Load{upserts(1, rate)}, config, nil)
		require.ErrorIs(t, err, context.Canceled)
	}
}

func TestAStoreThatFailsEndsTheRun(t *testing.T) {
	wrong := errors.New("wrong")
	opened := 0
	fails := func(context.Context, string) (store.Store, error) {
		if opened++; opened > 1 {
			return nil, wrong
		}
		return &fake{}, nil
	}
	config := quick()
	config.Rounds = 3
	turns, err := bench.Run(t.Context(), t.TempDir(), []bench.Subject{{Store: "x", Open: fails}},
		[]bench.Load{upserts(1, 0)}, config, nil)
	require.ErrorIs(t, err, wrong)
	require.ErrorContains(t, err, "x: ")
	require.Len(t, turns, 1)

	full := &fake{upsert: func(string) error { return wrong }}
	_, err = bench.Run(t.Context(), t.TempDir(), []bench.Subject{{Store: "x", Open: always(full)}},
		[]bench.Load{upserts(1, 0)}, quick(), nil)
	require.ErrorContains(t, err, "x: fill it: wrong")
}

func TestWhatMakesNoSenseIsRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*bench.Config, *bench.Load)
		want   string
	}{
		{"no rounds", func(c *bench.Config, _ *bench.Load) { c.Rounds = 0 }, "0 rounds"},
		{"many rounds", func(c *bench.Config, _ *bench.Load) { c.Rounds = 101 }, "101 rounds"},
		{"no time", func(c *bench.Config, _ *bench.Load) { c.For = 0 }, "a turn of 0s"},
		{"warm-up", func(c *bench.Config, _ *bench.Load) { c.WarmUp = -1 }, "a warm-up of -1ns"},
		{"clients", func(_ *bench.Config, l *bench.Load) { l.Clients = 0 }, "0 clients"},
		{"rate", func(_ *bench.Config, l *bench.Load) { l.Rate = -1 }, "a rate of -1/s"},
		{"too many due", func(c *bench.Config, l *bench.Load) {
			c.For, l.Rate = time.Hour, 1_000_000
		}, "shorten it"},
		{"mix", func(_ *bench.Config, l *bench.Load) { l.Mix = workload.Mix{Add: 1} },
			"add and items"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, load := quick(), upserts(1, 0)
			c.change(&config, &load)
			subjects, events, _ := recording("a")
			_, err := bench.Run(t.Context(), t.TempDir(), subjects, []bench.Load{load}, config, nil)
			require.ErrorContains(t, err, c.want)
			require.Empty(t, *events, "before anything is opened")
		})
	}
	_, err := bench.Run(t.Context(), t.TempDir(), nil, []bench.Load{upserts(1, 0)}, quick(), nil)
	require.ErrorContains(t, err, "no store")
}

func TestDescribe(t *testing.T) {
	subjects, events, _ := recording("a", "b")
	dir := t.TempDir()
	about, err := bench.Describe(t.Context(), dir, subjects, []bench.Load{upserts(1, 0)})
	require.NoError(t, err)
	require.Len(t, about, 2)
	require.Empty(t, cmp.Diff([]string{"a", "-a", "b", "-b"}, *events))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	update := bench.Load{Mix: workload.Mix{Update: 1}, Clients: 1}
	_, err = bench.Describe(t.Context(), dir, subjects, []bench.Load{update})
	require.ErrorContains(t, err, "a: the store has no Update")
}

// Clients call at once, as many as there are, in both loops.
func TestClientsCallAtOnce(t *testing.T) {
	for _, rate := range []int{0, 10_000} {
		var inside, most atomic.Int64
		f := &fake{upsert: func(string) error {
			n := inside.Add(1)
			defer inside.Add(-1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			pause(time.Millisecond)
			return nil
		}}
		one(t, f, upserts(7, rate), quick())
		require.Equal(t, int64(7), most.Load(), "rate %d", rate)
	}
}
