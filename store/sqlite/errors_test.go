//go:build cgo

package sqlite_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"testing"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"
	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/sqlite"
)

func requireClass(t testing.TB, err error, class string, certain bool) {
	t.Helper()
	var classer store.Classer
	require.ErrorAs(t, err, &classer)
	require.Equal(t, class, classer.Class(), "class of %v", err)
	require.Equal(t, certain, errors.Is(err, store.ErrNotApplied), "certainty of %v", err)
}

func TestWrapGoesByCode(t *testing.T) {
	code := func(c sqlite3.ErrNo) error { return sqlite3.Error{Code: c} }
	extended := func(c sqlite3.ErrNoExtended) error {
		return sqlite3.Error{Code: sqlite3.ErrNo(c & 0xff), ExtendedCode: c}
	}
	for _, tc := range []struct {
		name    string
		err     error
		class   string
		certain bool
		why     string
	}{
		{"error", code(sqlite3.ErrError), "error", true, "SQL that is wrong does nothing"},
		{"busy", code(sqlite3.ErrBusy), "busy", true, "the statement was undone"},
		{"busy recovery", extended(sqlite3.ErrBusyRecovery), "busy", true, ""},
		{"snapshot", extended(sqlite3.ErrBusySnapshot), "busy-snapshot", true, ""},
		{"locked", code(sqlite3.ErrLocked), "locked", true, ""},
		{"shared cache", extended(sqlite3.ErrLockedSharedCache), "locked", true, ""},
		{"constraint", extended(sqlite3.ErrConstraintUnique), "constraint", true, ""},
		{"read only", code(sqlite3.ErrReadonly), "readonly", true, ""},
		{"schema", code(sqlite3.ErrSchema), "schema", true, ""},
		{"too big", code(sqlite3.ErrTooBig), "error", true, ""},
		{"mismatch", code(sqlite3.ErrMismatch), "error", true, ""},
		{"interrupt", code(sqlite3.ErrInterrupt), "interrupted", false, "perhaps too late"},
		{"i/o", extended(sqlite3.ErrIoErrFsync), "ioerr", false, "the commit may be on disk"},
		{"full", code(sqlite3.ErrFull), "full", false, "the commit may be on disk"},
		{"corrupt", code(sqlite3.ErrCorrupt), "corrupt", false, ""},
		{"cannot open", code(sqlite3.ErrCantOpen), "cantopen", false, ""},
		{"not a database", code(sqlite3.ErrNotADB), "notadb", false, ""},
		{"no memory", code(sqlite3.ErrNomem), "other", false, "a code without a class"},
		{"canceled", context.Canceled, "canceled", false, ""},
		{"deadline", context.DeadlineExceeded, "deadline", false, ""},
		{"given back", sql.ErrConnDone, "closed", false, "it may have been used before"},
		{"bad connection", driver.ErrBadConn, "other", false, ""},
		{"text", errors.New("database is locked"), "other", false, "by code, never by text"},
		{"wrapped", fmt.Errorf("commit: %w", code(sqlite3.ErrBusy)), "busy", true, ""},
		{"twice", sqlite.Wrap("insert", code(sqlite3.ErrFull)), "full", false, "as it was"},
		{"known", fmt.Errorf("begin: %w: %w", context.Canceled, store.ErrNotApplied),
			"canceled", true, "the caller knows more"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := sqlite.Wrap("upsert", tc.err)
			requireClass(t, err, tc.class, tc.certain)
			require.ErrorIs(t, err, tc.err, tc.why)
			require.Equal(t, "upsert: "+tc.err.Error(), err.Error())
		})
	}
	require.NoError(t, sqlite.Wrap("upsert", nil))
}

// hold executes sql on one connection to the store in dir, outside of the store under test, and
// keeps whatever lock that takes until release is called.
func hold(t testing.TB, dir string, sqls ...string) (release func()) {
	t.Helper()
	return holdAs(t, dir, "shared", sqls...)
}

// holdAs is hold on a connection of a variant.
func holdAs(t testing.TB, dir, text string, sqls ...string) (release func()) {
	t.Helper()
	pools, err := sqlite.OpenPools(t.Context(), dir, variant(t, text))
	require.NoError(t, err)
	conn, err := pools.Write.Conn(t.Context())
	require.NoError(t, err)
	for _, text := range sqls {
		_, err := conn.ExecContext(t.Context(), text)
		require.NoError(t, err)
	}
	return func() {
		_, err := conn.ExecContext(t.Context(), "ROLLBACK")
		require.NoError(t, err)
		require.NoError(t, conn.Close())
		require.NoError(t, pools.Close())
	}
}

func TestBusyIsNotApplied(t *testing.T) {
	for _, tc := range []struct {
		name, variant string
		lock          []string
		reads         bool
		why           string
	}{
		{"statement", "shared,busy=0s", []string{"BEGIN IMMEDIATE"}, true, "no lock to write"},
		{"begin", "pool,busy=0s", []string{"BEGIN IMMEDIATE"}, true, "no lock to write"},
		{"deferred", "pool,busy=0s,txlock=deferred", []string{"BEGIN IMMEDIATE"}, true, ""},
		{"batch", "pool,writers=1,batch=8,busy=0s", []string{"BEGIN IMMEDIATE"}, true, ""},
		{"commit past a reader", "pool,busy=5ms", []string{"BEGIN",
			"CREATE TEMP TABLE t AS SELECT * FROM memories"}, true, "only COMMIT needs it gone"},
		{"statement past a reader", "shared,busy=5ms", []string{"BEGIN",
			"CREATE TEMP TABLE t AS SELECT * FROM memories"}, true, "its own commit needs it"},
		{"all", "shared,busy=0s", []string{"BEGIN EXCLUSIVE"}, false, "not even reading"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, tc.variant+",commits=on")
			upsert(t, s, "s", "k", "old")
			add(t, s, "s", "item")
			release := hold(t, dir, tc.lock...)
			for _, c := range calls {
				if c.writes || !tc.reads && c.name != "describe" {
					requireClass(t, c.call(t.Context(), s), "busy", true)
				}
			}
			if tc.reads {
				requireValue(t, s, "s", "k", "old")
				requireItems(t, s, "s", "item")
			}
			release()
			requireValue(t, s, "s", "k", "old")
			requireItems(t, s, "s", "item")
			upsert(t, s, "s", "k", "after")
			hold(t, dir, "BEGIN EXCLUSIVE")()
			requireValue(t, s, "s", "k", "after")
		})
	}
}

// endless is an Upsert that only a cancelled context ends.
const endless = `INSERT INTO memories SELECT :session, :key, :value,
  (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) + :now FROM c)`

func TestStoppedStatement(t *testing.T) {
	for _, tc := range []struct {
		variant string
		certain bool
		why     string
	}{
		{"memory", false, "the statement is its own commit"},
		{"wal", false, "the statement is its own commit"},
		{"wal-batch", true, "nobody shares the batch"},
		{"pool", true, "no COMMIT was tried and the ROLLBACK succeeded"},
	} {
		t.Run(tc.variant, func(t *testing.T) {
			statements := sqlite.DefaultStatements()
			statements.Upsert = endless
			s, err := sqlite.OpenStatements(t.Context(), t.TempDir(), variant(t, tc.variant),
				statements)
			require.NoError(t, err)
			defer s.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			_, err = s.Upsert(ctx, "s", "k", "v")
			requireClass(t, err, "deadline", tc.certain)
			requireNothing(t, s, "s", "k")
			require.NoError(t, s.Delete(t.Context(), "s", "k"), "the connection is still good")
		})
	}
}

func TestCancelledBeforeTheCall(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name+",commits=on")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for _, c := range calls {
			requireClass(t, c.call(ctx, s), "canceled", true)
		}
		requireNothing(t, s, "s", "k")
		requireItems(t, s, "s")
	})
}
