package shared_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/shared"
	"memrace/stress"
	"memrace/stress/check"
)

// guarded keeps each slot in a file of its own, and reads and writes it in an update. Its lock is
// one of this handle alone, which is all it takes as long as there is no other.
type guarded struct {
	dir string
	mu  sync.Mutex
}

func openGuarded(_ context.Context, dir string) (store.Store, error) {
	return &guarded{dir: dir}, nil
}

func (g *guarded) path(session, key string) string { return filepath.Join(g.dir, session+"."+key) }

func (g *guarded) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	_, _, err := g.Update(ctx, session, key, func(string, bool) string { return value })
	return time.Time{}, err
}

func (g *guarded) Get(_ context.Context, session, key string) (string, bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.read(session, key)
}

func (g *guarded) read(session, key string) (string, bool, error) {
	text, err := os.ReadFile(g.path(session, key))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return string(text), err == nil, err
}

func (g *guarded) Update(_ context.Context, session, key string,
	change func(string, bool) string) (string, bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	old, found, err := g.read(session, key)
	if err != nil {
		return "", false, err
	}
	value := change(old, found)
	next, err := os.CreateTemp(g.dir, "next")
	if err != nil {
		return "", false, err
	}
	_, err = next.WriteString(value)
	if err := errors.Join(err, next.Close()); err != nil {
		return "", false, err
	}
	return old, found, os.Rename(next.Name(), g.path(session, key))
}

func (g *guarded) Delete(_ context.Context, session, key string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := os.Remove(g.path(session, key)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (g *guarded) Close() error { return nil }

// A lock of a process is worth nothing to a second one, and one handle alone does not show it.
func TestLockOfOneHandle(t *testing.T) {
	for _, tc := range []struct {
		name      string
		instances int
		want      check.State
	}{
		{"one handle", 1, check.Holds},
		{"two handles", 2, check.Violated},
	} {
		t.Run(tc.name, func(t *testing.T) {
			open := shared.Opener(tc.instances, func(int) store.Opener { return openGuarded })
			r, err := stress.Check(t.Context(), open, filepath.Join(t.TempDir(), "run"),
				stress.Config{Profile: "updates", Ops: 1200, Seed: 1})
			require.NoError(t, err)
			got := r.Verdict(check.Linearizability).State
			if diff := cmp.Diff(tc.want.String(), got.String()); diff != "" {
				t.Errorf("linearizability (-want +got):\n%s", diff)
			}
		})
	}
}
