package fault_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"memrace/store"
	"memrace/store/ability"
	"memrace/store/disk"
	"memrace/store/proc"
	"memrace/store/shared"
	"memrace/store/sqlite"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/fault"
)

// serveVariable has the variant that this program serves instead of running tests.
const serveVariable = "MEMRACE_FAULT_TEST_SERVES"

func TestMain(m *testing.M) {
	if name := os.Getenv(serveVariable); name != "" {
		name, lies := strings.CutPrefix(name, "liar:")
		v, err := sqlite.ParseVariant(name)
		open := v.Opener()
		if lies {
			open = lying(open)
		}
		if err == nil {
			err = proc.Serve(context.Background(), os.Stdin, os.Stdout, open)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// liar is a store that answers before its commits are on the disk, and does not say so.
type liar struct{ *sqlite.Store }

func (l liar) Describe(ctx context.Context) (store.Description, error) {
	d, err := l.Store.Describe(ctx)
	d.Lossy = false
	return d, err
}

func lying(open store.Opener) store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		s, err := open(ctx, dir)
		if err != nil {
			return nil, err
		}
		return liar{s.(*sqlite.Store)}, nil
	}
}

// served opens the variant in a child process.
func served(t *testing.T, variant string) store.Opener {
	self, err := os.Executable()
	require.NoError(t, err)
	c := proc.Command{Argv: []string{self}, Env: []string{serveVariable + "=" + variant}}
	return c.Opener()
}

func openHurt(t *testing.T, variant string) store.Store {
	s, err := fault.Opener(served(t, variant))(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestKilledStoreComesBack(t *testing.T) {
	s := openHurt(t, "wal")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan error, 1)
	var events []fault.Event
	go func() {
		var err error
		events, err = fault.Faults{KillEvery: 20 * time.Millisecond}.Do(ctx, s, func() {})
		done <- err
	}()
	kept := map[string]string{}
	for i := range 3000 {
		key := fmt.Sprint("k", i%50)
		value := fmt.Sprint("v", i)
		if _, err := s.Upsert(t.Context(), "s", key, value); err != nil {
			delete(kept, key) // nobody knows
			continue
		}
		got, found, err := s.Get(t.Context(), "s", key)
		if err == nil {
			require.True(t, found, "an acknowledged write outlives a kill")
			require.Equal(t, value, got)
		}
		kept[key] = value
	}
	stop()
	require.NoError(t, <-done)
	require.NotEmpty(t, events, "3000 upserts take longer than 20ms")
	for _, e := range events {
		require.Equal(t, "killed", e.What)
		require.Positive(t, e.Back)
	}
	for key, value := range kept {
		got, _, err := s.Get(t.Context(), "s", key)
		require.NoError(t, err)
		require.Equal(t, value, got)
	}
}

// Of several processes on one file one at a time is killed, and the others go on.
func TestKilledInstances(t *testing.T) {
	open := shared.Opener(2, func(int) store.Opener { return fault.Opener(served(t, "wal")) })
	r := hurt(t, open, "kill every 20ms", stress.Config{Ops: 8000, Profile: "hot"})
	require.Equal(t, check.Holds, r.State(), "%v", r.Verdicts)
	seen := map[string]bool{}
	for _, e := range r.Events {
		seen[e.What] = true
	}
	require.Equal(t, map[string]bool{"killed in instance 0": true, "killed in instance 1": true},
		seen)

	s, err := open(t.Context(), t.TempDir())
	require.NoError(t, err)
	over := false
	_, err = fault.Faults{CutAt: time.Millisecond}.Do(t.Context(), s, func() { over = true })
	require.ErrorContains(t, err, "cut power: 2 instances have the files open")
	require.True(t, over)
	require.NoError(t, s.Close())
}

func TestKeeperHasWhatTheStoreHas(t *testing.T) {
	require.Equal(t, ability.Names(), ability.Of(openHurt(t, "wal")))
}

func TestStoreThatCannotBeKilled(t *testing.T) {
	v, err := sqlite.ParseVariant("wal")
	require.NoError(t, err)
	_, err = fault.Opener(v.Opener())(t.Context(), t.TempDir())
	require.EqualError(t, err,
		"the store cannot be killed: it is in no process of its own")
	s, err := v.Opener()(t.Context(), t.TempDir())
	require.NoError(t, err)
	defer s.Close()
	_, err = fault.Faults{KillEvery: time.Second}.Do(t.Context(), s, func() {})
	require.EqualError(t, err, "kill every 1s: the store is in no process of its own")
}

// A store that does not come back is an error, and no call hangs.
func TestStoreThatStaysDead(t *testing.T) {
	opens := 0
	open := served(t, "wal")
	s, err := fault.Opener(func(ctx context.Context, dir string) (store.Store, error) {
		if opens++; opens > 2 {
			return nil, os.ErrNotExist
		}
		return open(ctx, dir)
	})(t.Context(), t.TempDir())
	require.NoError(t, err)
	events, err := fault.Faults{KillEvery: time.Millisecond}.Do(t.Context(), s, func() {})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Len(t, events, 1)
	_, _, err = s.Get(t.Context(), "s", "k")
	require.ErrorIs(t, err, store.ErrNotApplied)
	require.NoError(t, s.Close())
}

// Without power a store stays down, and whoever calls it is let go.
func TestPowerLoss(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("package disk needs Linux")
	}
	s := openHurt(t, "wal,synchronous=full,disk=on")
	_, err := s.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
	over := false
	faults := fault.Faults{CutAt: time.Millisecond, Seed: 7}
	events, err := faults.Do(t.Context(), s, func() { over = true })
	require.NoError(t, err)
	require.True(t, over)
	require.Len(t, events, 1)
	require.Equal(t, "cut off from power", events[0].String())
	_, _, err = s.Get(t.Context(), "s", "k")
	require.ErrorIs(t, err, store.ErrNotApplied)
	require.EqualError(t, err, "the store is dead: it has no power")
}

// A store that says that it keeps what it acknowledged, and syncs it later, is caught in some of
// its losses of power; one that syncs first never is.
func TestWhoeverAnswersBeforeItSyncsIsCaught(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("package disk needs Linux")
	}
	for variant, caught := range map[string]bool{
		"liar:wal,disk=on": true, "liar:wal,synchronous=full,disk=on": false,
	} {
		violated := 0
		for seed := range uint64(15) {
			r, err := stress.Check(t.Context(), served(t, variant),
				filepath.Join(t.TempDir(), "run"), stress.Config{
					Seed: seed + 1, Profile: "hot", Ops: 100_000,
					Faults: fault.Faults{CutAt: 30 * time.Millisecond},
				})
			require.NoError(t, err)
			final := r.Verdict(check.FinalValue)
			if final.State == check.Violated {
				violated++
				require.Equal(t, check.LostAfterReopen, final.Violations[0].Anomaly)
				require.Positive(t, final.Loss.Writes)
			}
		}
		require.Equal(t, caught, violated > 0, "%s: %d of 15", variant, violated)
	}
}

func TestPowerThatCannotBeCut(t *testing.T) {
	s := openHurt(t, "wal")
	over := false
	_, err := fault.Faults{CutAt: time.Millisecond}.Do(t.Context(), s, func() { over = true })
	require.ErrorContains(t, err, "cut the power: ")
	require.True(t, over, "the workload ends all the same")
}

func TestValidate(t *testing.T) {
	require.NoError(t, fault.Faults{}.Validate())
	require.NoError(t, fault.Faults{KillEvery: time.Millisecond}.Validate())
	require.EqualError(t, fault.Faults{KillEvery: 1}.Validate(),
		"kill every 1ns: it goes from 1ms to 1h0m0s")
	require.EqualError(t, fault.Faults{KillEvery: -time.Second}.Validate(),
		"kill every -1s: it goes from 1ms to 1h0m0s")
	require.EqualError(t, fault.Faults{CutAt: 1}.Validate(),
		"cut power at 1ns: it goes from 1ms to 1h0m0s")
	require.EqualError(t, fault.Faults{HoldFor: time.Second}.Validate(),
		"hold write lock: it needs two times, as in hold write lock 200ms every 1s")
	require.Equal(t, 90*time.Second, fault.Faults{HoldFor: 10 * time.Second, HoldEvery: time.Minute,
		Disk: disk.Faults{SlowSync: disk.Strike{P: 1}, SlowBy: 10 * time.Second}}.Wait())
}
