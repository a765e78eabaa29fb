package stress_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/stress"
	"memrace/stress/check"
)

// Stores that do not get as far as a workload: the run cannot be made, which is no wrong usage.
func TestStoreThatDoesNotOpen(t *testing.T) {
	gate := make(chan struct{})
	defer close(gate) // lets the goroutine go that hangs in Open
	for _, c := range []struct {
		name string
		open store.Opener
		want string
		left string // a file that says more
	}{
		{
			name: "fails", want: "open the store: the disk is on fire",
			open: func(context.Context, string) (store.Store, error) { return nil, errBroken },
		}, {
			name: "panics", want: "open the store: panic: out of luck; the stack is in",
			open: func(context.Context, string) (store.Store, error) { panic("out of luck") },
			left: "panic.txt",
		}, {
			name: "hangs", want: "open the store: no answer within 50ms; the stack is in",
			open: func(context.Context, string) (store.Store, error) {
				<-gate
				return nil, errBroken
			},
			left: "goroutines.txt",
		}, {
			name: "returns nothing", want: "neither a store nor an error",
			open: func(context.Context, string) (store.Store, error) { return nil, nil },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			r, err := stress.Check(t.Context(), c.open, dir,
				stress.Config{Ops: 10, Stall: 50 * time.Millisecond})
			require.Nil(t, r)
			require.ErrorContains(t, err, c.want)
			require.NotErrorIs(t, err, stress.ErrUsage)
			if c.left != "" {
				text, err := os.ReadFile(filepath.Join(dir, c.left))
				require.NoError(t, err)
				require.Contains(t, string(text), "trouble_test.go", "the stack names the culprit")
			}
		})
	}
}

// faulty is a right store with one method that is not.
type faulty struct {
	store.Store
	close func() error
	get   func() error
}

func (f *faulty) Close() error {
	if err := f.Store.Close(); err != nil || f.close == nil {
		return err
	}
	return f.close()
}

func (f *faulty) Get(ctx context.Context, session, key string) (string, bool, error) {
	if f.get != nil {
		if err := f.get(); err != nil {
			return "", false, err
		}
	}
	return f.Store.Get(ctx, session, key)
}

func TestStoreThatDoesNotClose(t *testing.T) {
	opener := func(ctx context.Context, dir string) (store.Store, error) {
		s, err := open(t, "wal")(ctx, dir)
		return &faulty{Store: s, close: func() error { return errBroken }}, err
	}
	dir := t.TempDir()
	r, err := stress.Check(t.Context(), opener, dir, stress.Config{Profile: "hot", Ops: 2000})
	require.ErrorContains(t, err, "close the store: the disk is on fire")
	require.NotNil(t, r, "what happened before is judged all the same")
	require.Equal(t, check.Holds, r.Verdict(check.Linearizability).State)
	require.NotEqual(t, check.Holds, r.State())
	require.FileExists(t, filepath.Join(dir, stress.HistoryFile))
}

func TestStoreThatDoesNotOpenAgain(t *testing.T) {
	opened := false
	opener := func(ctx context.Context, dir string) (store.Store, error) {
		if opened {
			return nil, errBroken
		}
		opened = true
		return open(t, "wal")(ctx, dir)
	}
	r, err := stress.Check(t.Context(), opener, t.TempDir(), stress.Config{Ops: 200})
	require.ErrorContains(t, err, "open the store again: the disk is on fire")
	require.NotNil(t, r)
	require.NotEqual(t, check.Holds, r.State())
}

func TestStoreThatHangsInACall(t *testing.T) {
	gate := make(chan struct{})
	defer close(gate)
	opener := func(ctx context.Context, dir string) (store.Store, error) {
		s, err := open(t, "memory")(ctx, dir)
		return &faulty{Store: s, get: func() error { <-gate; return errBroken }}, err
	}
	dir := t.TempDir()
	r, err := stress.Check(t.Context(), opener, dir,
		stress.Config{Profile: "hot", Ops: 4000, Stall: 100 * time.Millisecond})
	require.NoError(t, err)
	progress := r.Verdict(check.Progress)
	require.Equal(t, check.Violated, progress.State)
	require.Equal(t, check.Hang, progress.Violations[0].Anomaly)
	text, err := os.ReadFile(filepath.Join(dir, "goroutines.txt"))
	require.NoError(t, err)
	require.Contains(t, string(text), "trouble_test.go", "the stack names the culprit")
	require.FileExists(t, filepath.Join(dir, stress.HistoryFile))
}

func TestStoreThatPanicsInACall(t *testing.T) {
	calls := 0
	opener := func(ctx context.Context, dir string) (store.Store, error) {
		s, err := open(t, "memory")(ctx, dir)
		return &faulty{Store: s, get: func() error {
			if calls++; calls == 3 {
				panic("out of luck")
			}
			return nil
		}}, err
	}
	r, err := stress.Check(t.Context(), opener, t.TempDir(),
		stress.Config{Profile: "hot", Clients: 1, Ops: 2000, Volatile: true})
	require.NoError(t, err)
	require.Len(t, r.FirstErrors, 1)
	for class, text := range r.FirstErrors {
		require.Equal(t, "panic", class.String())
		require.Contains(t, text, "out of luck")
	}
}
