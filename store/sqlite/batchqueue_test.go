//go:build cgo

package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/sqlite"
)

// TestBatchOfALockedFile: all that wait when BEGIN is tried are told that the file is busy, rather
// than have each wait as long again.
func TestBatchOfALockedFile(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, "wal-batch,busy=5ms")
	upsert(t, s, "s", "k", "old")
	begins, commits := counted(t, s)
	release := holdAs(t, dir, "wal", "BEGIN IMMEDIATE")
	write := upserting(t, s, "k", "new")
	for _, err := range gathered(t, s, write, write, write) {
		requireClass(t, err, "busy", true)
	}
	require.Equal(t, 1, *begins)
	require.Zero(t, *commits)
	requireValue(t, s, "s", "k", "old")
	release()
	upsert(t, s, "s", "k", "after")
}

// TestCancelledBeforeABatch: whoever waits, to lead or not, leaves at once and for good.
func TestCancelledBeforeABatch(t *testing.T) {
	for _, text := range []string{"wal-batch", "wal-batch,delay=1ms"} {
		for leaves := range 3 {
			t.Run(fmt.Sprint(text, " ", leaves), func(t *testing.T) {
				s := open(t, t.TempDir(), text)
				release, err := s.HoldWriter(t.Context())
				require.NoError(t, err)
				ctx, cancel := context.WithCancel(t.Context())
				left := make(chan error, 1)
				var others sync.WaitGroup
				for i := range 3 {
					if i == leaves {
						go func() {
							_, err := s.Upsert(ctx, "s", fmt.Sprint(i), "v")
							left <- err
						}()
					} else {
						others.Go(func() {
							if err := upserting(t, s, fmt.Sprint(i), "v")(); err != nil {
								t.Error(err)
							}
						})
					}
					s.AwaitQueue(i + 1)
				}
				cancel()
				requireClass(t, <-left, "canceled", true)
				release()
				others.Wait()
				want := map[string]string{"0": "v", "1": "v", "2": "v"}
				delete(want, fmt.Sprint(leaves))
				requireList(t, s, "s", want)
			})
		}
	}
}

// TestCancelledInABatch: it is not known what becomes of a call whose COMMIT is under way.
func TestCancelledInABatch(t *testing.T) {
	s := open(t, t.TempDir(), "wal-batch")
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error, 1)
	require.NoError(t, s.Before(t.Context(), func() {}, func() {
		cancel()
		requireClass(t, <-left, "canceled", false)
	}))
	errs := gathered(t, s, upserting(t, s, "leader", "v"), func() error {
		_, err := s.Upsert(ctx, "s", "k", "v")
		left <- err
		return err
	})
	require.NoError(t, errs[0])
	requireValue(t, s, "s", "k", "v")
}

// TestManyAreCancelled: whatever a call is told is true.
func TestManyAreCancelled(t *testing.T) {
	const each = 200
	for _, text := range []string{"wal-batch", "wal-batch,batch=3,delay=1ms"} {
		s := open(t, t.TempDir(), text+",synchronous=off")
		var mu sync.Mutex
		did, might := map[string]bool{}, map[string]bool{}
		together(func(i int) {
			for n := range each {
				item := fmt.Sprint(i, " ", n)
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n)*time.Microsecond)
				err := s.Append(ctx, "s", item)
				cancel()
				mu.Lock()
				did[item] = err == nil
				might[item] = !errors.Is(err, store.ErrNotApplied)
				mu.Unlock()
			}
		})
		items, err := s.Items(t.Context(), "s")
		require.NoError(t, err)
		for _, item := range items {
			require.True(t, might[item], "%s was refused, or is there twice", item)
			delete(might, item)
			delete(did, item)
		}
		for item, is := range did {
			require.False(t, is, "%s is lost", item)
		}
	}
}

// TestCloseLetsTheQueueGoOn, and nobody else into it.
func TestCloseLetsTheQueueGoOn(t *testing.T) {
	for _, text := range []string{"wal-batch", "wal-batch,batch=2", "wal-batch,delay=1s"} {
		dir := t.TempDir()
		s, err := sqlite.Open(t.Context(), dir, variant(t, text))
		require.NoError(t, err)
		var closing sync.WaitGroup
		calls := []func() error{upserting(t, s, "a", "v"), upserting(t, s, "b", "v"),
			func() error {
				_, _, err := s.Update(t.Context(), "s", "c", to("v"))
				return err
			}, upserting(t, s, "d", "v")}
		release, err := s.HoldWriter(t.Context())
		require.NoError(t, err)
		for i, call := range calls {
			closing.Go(func() {
				if err := call(); err != nil {
					t.Error(err)
				}
			})
			s.AwaitQueue(i + 1)
		}
		closing.Go(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		s.AwaitClosing()
		requireClass(t, s.Delete(t.Context(), "s", "a"), "closed", true)
		release()
		closing.Wait()
		requireList(t, open(t, dir, "wal"), "s",
			map[string]string{"a": "v", "b": "v", "c": "v", "d": "v"})
	}
}

// TestLeaderIsCancelledInABatch: it is too late for that, and others are not to suffer from it.
func TestLeaderIsCancelledInABatch(t *testing.T) {
	s := open(t, t.TempDir(), "wal-batch")
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, s.Before(t.Context(), cancel, func() {}))
	errs := gathered(t, s, func() error {
		_, err := s.Upsert(ctx, "s", "leader", "v")
		return err
	}, upserting(t, s, "k", "v"))
	require.Equal(t, []error{nil, nil}, errs)
	requireList(t, s, "s", map[string]string{"leader": "v", "k": "v"})
}

// delayed opens a store in a bubble, where its time is not that of the others.
func delayed(t *testing.T) *sqlite.Store {
	s, err := sqlite.Open(t.Context(), "", variant(t, "memory,txlock=immediate,batch=3,delay=1s"))
	require.NoError(t, err)
	return s
}

func TestDelay(t *testing.T) {
	for _, tc := range []struct {
		name  string
		calls string // u for an upsert, c for an update
		held  bool   // whether the connection is free only once all wait
		want  []time.Duration
		why   string
	}{
		{"one waits", "u", false, []time.Duration{1}, "for nobody"},
		{"two wait", "uu", false, []time.Duration{1, 1}, "the second for what is left"},
		{"a whole batch", "uuu", false, []time.Duration{0, 0, 0}, "nobody waits for a fourth"},
		{"more than a batch", "uuuu", false, []time.Duration{0, 0, 0, 1}, "the fourth leads"},
		{"more at once", "uuuu", true, []time.Duration{0, 0, 0, 1},
			"that it made a batch too large is no reason not to wait for the next one"},
		{"two at once", "uuuuuu", true, []time.Duration{0, 0, 0, 0, 0, 0}, "both are whole"},
		{"an update behind", "uc", false, []time.Duration{0, 0}, "nobody can pass it"},
		{"an update in between", "uuuuc", true, []time.Duration{0, 0, 0, 0, 0}, "the same"},
		{"an update", "c", false, []time.Duration{0}, "it goes alone"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := delayed(t)
				took := times(t, s, tc.calls, tc.held)
				require.NoError(t, s.Close())
				require.True(t, slices.Equal(tc.want, took), "want %v and got %v: %s", tc.want,
					took, tc.why)
			})
		})
	}
}

// times makes calls in turn and returns how many seconds each took.
func times(t *testing.T, s *sqlite.Store, calls string, held bool) []time.Duration {
	took := make([]time.Duration, len(calls))
	release := func() {}
	if held {
		var err error
		release, err = s.HoldWriter(t.Context())
		require.NoError(t, err)
	}
	begin := time.Now()
	var all sync.WaitGroup
	for i, kind := range calls {
		all.Go(func() {
			var err error
			if kind == 'c' {
				_, _, err = s.Update(t.Context(), "s", "k", to("v"))
			} else {
				_, err = s.Upsert(t.Context(), "s", "k", "v")
			}
			if err != nil {
				t.Error(err)
			}
			took[i] = time.Since(begin) / time.Second
		})
		synctest.Wait()
	}
	release()
	all.Wait()
	return took
}

// TestDelayEnds early where the leader leaves, or the store is closed.
func TestDelayEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := delayed(t)
		begin := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		var first, second error
		all.Go(func() { first = s.Delete(ctx, "s", "k") })
		synctest.Wait()
		cancel()
		all.Wait()
		requireClass(t, first, "canceled", true)
		all.Go(func() { second = s.Delete(t.Context(), "s", "k") })
		synctest.Wait()
		require.NoError(t, s.Close())
		all.Wait()
		require.NoError(t, second, "it was there before Close")
		require.Zero(t, time.Since(begin))
	})
}
