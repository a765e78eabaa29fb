//go:build cgo

package sqlite_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

// TestConnectionThatCannotRollBackIsDiscarded: a transaction left open would swallow what later
// calls write, and lock all others out.
func TestConnectionThatCannotRollBackIsDiscarded(t *testing.T) {
	dir := t.TempDir()
	s, err := openStatements(t, dir, "pool,writers=2", func(s *sqlite.Statements) {
		s.Upsert = strings.Split(s.Upsert, "ON CONFLICT")[0]
	})
	require.NoError(t, err)
	upsert(t, s, "s", "k", "first")
	require.NoError(t, s.BreakRollback(t.Context()))
	for range 2 {
		_, err = s.Upsert(t.Context(), "s", "k", "second")
		requireClass(t, err, "constraint", false)
	}
	hold(t, dir, "BEGIN EXCLUSIVE")()
	upsert(t, s, "s", "other", "kept")
	require.NoError(t, s.Close())
	requireValue(t, open(t, dir, "pool"), "s", "other", "kept")
}

// TestBatchThatCannotRollBack is not made anew on a connection on which it may be half done.
func TestBatchThatCannotRollBack(t *testing.T) {
	s, err := openStatements(t, t.TempDir(), "wal-batch", func(s *sqlite.Statements) {
		s.Upsert = strings.Split(s.Upsert, "ON CONFLICT")[0]
	})
	require.NoError(t, err)
	upsert(t, s, "s", "k", "first")
	require.NoError(t, s.BreakRollback(t.Context()))
	for _, err := range gathered(t, s, upserting(t, s, "a", "v"), upserting(t, s, "k", "second"),
		upserting(t, s, "b", "v")) {
		requireClass(t, err, "constraint", false)
	}
	requireList(t, s, "s", map[string]string{"k": "first"})
	upsert(t, s, "s", "other", "kept")
}

func TestMemoryIsNotMadeAnew(t *testing.T) {
	s, err := openStatements(t, "", "memory,txlock=immediate", func(s *sqlite.Statements) {
		s.Upsert = strings.Split(s.Upsert, "ON CONFLICT")[0]
	})
	require.NoError(t, err)
	upsert(t, s, "s", "k", "first")
	require.NoError(t, s.BreakRollback(t.Context()))
	_, err = s.Upsert(t.Context(), "s", "k", "second")
	requireClass(t, err, "constraint", false)
	_, _, err = s.Get(t.Context(), "s", "k")
	require.ErrorContains(t, err, "get: the database in memory has ended", "not found were a lie")
	requireClass(t, err, "other", true)
}

func TestVersionWarning(t *testing.T) {
	for _, tc := range []struct {
		name   string
		number int
		want   bool
	}{
		{"before WAL", 3006023, false}, {"with WAL", 3007000, true}, {"3.44.5", 3044005, true},
		{"3.44.6", 3044006, false}, {"3.45.0", 3045000, true}, {"3.50.6", 3050006, true},
		{"3.50.7", 3050007, false}, {"3.51.0", 3051000, true}, {"3.51.2", 3051002, true},
		{"3.51.3", 3051003, false}, {"4.0.0", 4000000, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.want, sqlite.VersionWarning(tc.number) != "")
		})
	}
}
