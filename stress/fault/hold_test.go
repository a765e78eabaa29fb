package fault_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/shared"
	"memrace/store/sqlfile"
	"memrace/store/sqlite"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/fault"
)

func variant(t *testing.T, text string) store.Opener {
	v, err := sqlite.ParseVariant(text)
	require.NoError(t, err)
	return v.Opener()
}

// impatient is a store in SQL that does not wait for a lock.
const impatient = `-- journal_mode: wal
-- busy_timeout: 0
-- schema:
CREATE TABLE IF NOT EXISTS m (s TEXT, k TEXT, v TEXT, PRIMARY KEY (s, k));
-- name: upsert
INSERT INTO m VALUES (:session, :key, :value) ON CONFLICT DO UPDATE SET v = excluded.v;
-- name: get
SELECT v FROM m WHERE s = :session AND k = :key;
-- name: delete
DELETE FROM m WHERE s = :session AND k = :key;
`

func written(t *testing.T) store.Opener {
	f, err := sqlfile.Parse(strings.NewReader(impatient), "impatient.sql")
	require.NoError(t, err)
	return f.Opener()
}

// Whoever else holds the write lock keeps every kind of store from writing and none from being
// right; a store that does not wait says so of each write that is refused.
func TestHeldWriteLock(t *testing.T) {
	twice := func(int) store.Opener { return variant(t, "wal") }
	for _, c := range []struct {
		name    string
		open    store.Opener
		refuses bool
	}{
		{"wal", variant(t, "wal"), false},
		{"rollback journal", variant(t, "pool"), false},
		{"two handles", shared.Opener(2, twice), false},
		{"does not wait", variant(t, "wal,busy=0s"), true},
		{"file of SQL", written(t), true},
		{"other process", served(t, "wal,busy=0s"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := hurt(t, c.open, "hold write lock 30ms every 60ms", stress.Config{
				For: 300 * time.Millisecond})
			require.Equal(t, check.Holds, r.State(), "%v", r.Verdicts)
			require.NotEmpty(t, r.Events)
			for _, e := range r.Events {
				require.Equal(t, fault.Locked, e.What)
				require.Positive(t, e.Back)
			}
			require.Equal(t, c.refuses, refused(r, "busy") > 0)
		})
	}
}

// hurt runs a workload on a store while faults are done to it.
func hurt(t *testing.T, open store.Opener, text string, c stress.Config) *stress.Result {
	faults, err := fault.Parse(text)
	require.NoError(t, err)
	if c.Seed == 0 {
		c.Seed = 1
	}
	c.Faults = faults
	r, err := stress.Check(t.Context(), open, filepath.Join(t.TempDir(), "run"), c)
	require.NoError(t, err)
	return r
}

// refused counts the operations with an error of that class.
func refused(r *stress.Result, class string) (n int) {
	for _, op := range r.Evidence.History.Ops {
		if op.Class.String() == class {
			n++
		}
	}
	return n
}

// No write is acknowledged while another has the lock.
func TestHeldMeansHeld(t *testing.T) {
	dir := t.TempDir()
	s, err := variant(t, "wal,busy=0s")(t.Context(), dir)
	require.NoError(t, err)
	defer s.Close()
	release, err := s.(fault.Holder).HoldWrites(t.Context())
	require.NoError(t, err)
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.ErrorIs(t, err, store.ErrNotApplied)
	_, _, err = s.Get(t.Context(), "s", "k")
	require.NoError(t, err, "who reads is not kept from it")

	ended, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	v, err := sqlite.ParseVariant("wal")
	require.NoError(t, err)
	_, err = sqlite.Hold(ended, dir, v)
	require.Error(t, err, "only one can have it")

	require.NoError(t, release())
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
}

func TestLockThatCannotBeHeld(t *testing.T) {
	for _, c := range []struct {
		name, want string
		open       store.Opener
	}{
		{"no file", "a database in memory has none", variant(t, "memory")},
		{"no SQLite", "this store has none that another could take", bare(t)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := c.open(t.Context(), t.TempDir())
			require.NoError(t, err)
			defer s.Close()
			f := fault.Faults{HoldFor: time.Millisecond, HoldEvery: 2 * time.Millisecond}
			if err = f.Begin(t.Context(), s); err == nil {
				_, err = f.Do(t.Context(), s, func() {})
			}
			require.ErrorContains(t, err, c.want)
		})
	}
	v, err := sqlite.ParseVariant("wal")
	require.NoError(t, err)
	_, err = sqlite.Hold(t.Context(), t.TempDir(), v)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// bare opens a store that has nothing but the four methods.
func bare(t *testing.T) store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		s, err := variant(t, "memory")(ctx, dir)
		return struct{ store.Store }{s}, err
	}
}
