//go:build cgo

package script_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/script"
	"memrace/store/sqlite"
)

// requireError wants a class, and to know whether it is certain that nothing happened.
func requireError(t *testing.T, err error, class string, certain bool) {
	t.Helper()
	var c store.Classer
	require.ErrorAs(t, err, &c)
	require.Equal(t, class, c.Class(), "%v", err)
	require.Equal(t, certain, errors.Is(err, store.ErrNotApplied), "%v", err)
}

// Each kind of error says of the whole operation what is certain.
func TestOutcomes(t *testing.T) { eachPool(t, outcomes) }

func outcomes(t *testing.T, pool func(*script.Config)) {
	const two = `
INSERT INTO log VALUES (:session, :key, 'first');
INSERT INTO m (s, k, value) VALUES (:session, :key, :value);
`
	for _, c := range []struct {
		name, upsert, class string
		certain             bool
		notes               int
		why                 string
	}{
		{"one statement", "INSERT INTO m (s, k, value) VALUES (:session, :key, :value);",
			"constraint", true, 0, "SQLite has undone it"},
		{"none", "-- tx: none" + two, "constraint", false, 1, "the first statement stays"},
		{"immediate", "-- tx: immediate" + two, "constraint", true, 0, "both are rolled back"},
		{"exclusive", "-- tx: exclusive" + two, "constraint", true, 0, "both are rolled back"},
		{"read, then fail", "-- tx: none\nSELECT 1;\n" +
			"INSERT INTO m (s, k, value) VALUES (:session, :key, :value);",
			"constraint", true, 0, "only the last statement writes"},
		{"at the commit", "-- tx: immediate\nINSERT INTO log VALUES (:session, :key, :value);\n" +
			"INSERT INTO child VALUES (1);", "constraint", true, 0, "the commit is refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, strings.Replace(table, "-- name: get", `
CREATE TABLE IF NOT EXISTS parent (id INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS child (id REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
-- name: get`, 1)+"-- name: upsert\n"+c.upsert, foreignKeys, pool)
			for range 4 {
				_, err := s.Upsert(t.Context(), "s", "k", "bad")
				requireError(t, err, c.class, c.certain)
				require.ErrorContains(t, err, "f.sql:")
			}
			require.Len(t, s.notes(t), 4*c.notes, c.why)
			require.NoError(t, s.Delete(t.Context(), "s", "k"), "no lock is left")
		})
	}
}

func foreignKeys(c *script.Config) {
	c.Write.Prepare = func(ctx context.Context, conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, "PRAGMA foreign_keys = on")
		return err
	}
}

func TestBusy(t *testing.T) {
	const two = "INSERT INTO log VALUES (:session, :key, 'first');\n" +
		"INSERT INTO m (s, k, value) VALUES (:session, :key, :value);"
	for _, c := range []struct {
		name, upsert string
		judge        func(string, error) error
		certain      bool
	}{
		{"one statement", "INSERT INTO log VALUES (:session, :key, :value);", sqlite.Wrap, true},
		{"immediate", "-- tx: immediate\n" + two, sqlite.Wrap, true},
		{"deferred", "-- tx: deferred\n" + two, sqlite.Wrap, true},
		{"nobody knows the driver", "INSERT INTO log VALUES (:session, :key, :value);", nil, false},
		{"nobody knows, but nothing began", "-- tx: immediate\n" + two, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, table+"-- name: upsert\n"+c.upsert,
				func(x *script.Config) { x.Judge = c.judge })
			holder, err := s.db.BeginTx(t.Context(), nil)
			require.NoError(t, err)
			_, err = s.Upsert(t.Context(), "s", "k", "v")
			require.NoError(t, holder.Rollback())
			class := "busy"
			if c.judge == nil {
				class = "other"
			}
			requireError(t, err, class, c.certain)
			s.set(t, "s", "k", "v")
		})
	}
}

func TestCanceled(t *testing.T) {
	s := open(t, table+upsert)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Upsert(ctx, "s", "k", "v")
	requireError(t, err, "canceled", true)
}

// A caller that gives up in the middle of a transaction has it rolled back.
func TestCanceledInATransaction(t *testing.T) {
	s := open(t, table+upsert+`-- name: update
-- tx: immediate
SELECT value AS old FROM m WHERE s = :session AND k = :key;
INSERT INTO log VALUES (:session, :key, 'first');
INSERT INTO log VALUES (:session, :key, :value);
`)
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err := s.Update(ctx, "s", "k", func(string, bool) string { cancel(); return "v" })
	requireError(t, err, "canceled", true)
	require.Empty(t, s.notes(t))
	s.set(t, "s", "k", "v")
}

func TestOldThatIsNoText(t *testing.T) {
	s := open(t, strings.Replace(table, "n INTEGER,", "n TIMESTAMP,", 1)+upsert+`-- name: update
-- tx: none
SELECT n AS old FROM m;
UPDATE m SET value = :value;
`)
	s.set(t, "s", "k", "v")
	_, err := s.db.ExecContext(t.Context(), "UPDATE m SET n = 1")
	require.NoError(t, err)
	_, _, err = s.Update(t.Context(), "s", "k", func(string, bool) string { return "w" })
	requireError(t, err, "other", true)
	require.ErrorContains(t, err, "f.sql:17: update: the value is time.Time and no text")
	s.want(t, "s", "k", "v")
}

// ioError is an error after which a connection is not to be trusted.
type ioError struct{ error }

func (ioError) Class() string { return "ioerr" }

func TestConnectionThatBrokeIsReplaced(t *testing.T) { eachPool(t, connectionThatBrokeIsReplaced) }

func connectionThatBrokeIsReplaced(t *testing.T, pool func(*script.Config)) {
	seen := map[any]bool{}
	s := open(t, table+upsert, func(c *script.Config) {
		c.Judge = func(_ string, err error) error { return ioError{err} }
		c.Write.Prepare = func(_ context.Context, conn *sql.Conn) error {
			return conn.Raw(func(raw any) error { seen[raw] = true; return nil })
		}
	}, pool)
	for range 3 {
		s.set(t, "s", "k", "v")
	}
	before := len(seen)
	_, err := s.Upsert(t.Context(), "s", "k", "bad")
	requireError(t, err, "ioerr", false)
	for range 3 {
		s.want(t, "s", "k", "v")
	}
	require.Len(t, seen, before+1)
}

// A connection that cannot be made anew now is tried again by the next call.
func TestConnectionThatIsNotReplaced(t *testing.T) {
	refuse := error(nil)
	s := open(t, table+upsert, func(c *script.Config) {
		c.Judge = func(_ string, err error) error { return ioError{err} }
		c.Write.Prepare = func(context.Context, *sql.Conn) error { return refuse }
		require.NoError(t, c.Write.Hold(t.Context(), 1))
	})
	_, err := s.Upsert(t.Context(), "s", "k", "bad")
	requireError(t, err, "ioerr", false)
	refuse = errors.New("not now")
	for range 2 {
		_, err = s.Upsert(t.Context(), "s", "k", "v")
		require.ErrorContains(t, err, "not now")
		require.ErrorIs(t, err, store.ErrNotApplied)
	}
	refuse = nil
	s.set(t, "s", "k", "v")
}

// A pool that cannot have all that it is to hold has none.
func TestHoldGivesBackWhatItHas(t *testing.T) {
	left := 2
	open(t, table+upsert, func(c *script.Config) {
		pool := &script.Pool{DB: c.Write.DB, Prepare: func(context.Context, *sql.Conn) error {
			left--
			return map[bool]error{true: errors.New("no more")}[left < 0]
		}}
		require.EqualError(t, pool.Hold(t.Context(), 3), "no more")
		require.NoError(t, pool.Close())
		require.Zero(t, pool.DB.Stats().InUse)
	})
}

// Who waits for a connection that another call has may give up.
func TestCanceledWhileWaiting(t *testing.T) {
	s := open(t, table+upsert+`-- name: update
-- tx: immediate
SELECT value AS old FROM m;
INSERT INTO m (value) VALUES (:value);
`, func(c *script.Config) { require.NoError(t, c.Write.Hold(t.Context(), 1)) })
	_, _, err := s.Update(t.Context(), "s", "k", func(string, bool) string {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := s.Upsert(ctx, "s", "k", "v")
		requireError(t, err, "deadline", true)
		return "v"
	})
	require.NoError(t, err)
}

func TestWhatIsMissing(t *testing.T) {
	s := open(t, table+upsert)
	require.Equal(t, []string{"dump"}, s.Abilities())
	_, err := s.List(t.Context(), "s")
	requireError(t, err, "other", true)
	require.ErrorContains(t, err, "f.sql has no list; write one with -- name: list")
}

func TestWrongRows(t *testing.T) {
	s := open(t, table+upsert+`-- name: list
SELECT k FROM m WHERE s = :session;
-- name: take
DELETE FROM m WHERE s = :session AND k = :key RETURNING NULL;
`)
	s.set(t, "s", "k", "v")
	_, err := s.List(t.Context(), "s")
	require.ErrorContains(t, err, "f.sql:14: list: the rows have 1 columns and not 2")
	require.ErrorIs(t, err, store.ErrNotApplied)
	_, _, err = s.Take(t.Context(), "s", "k")
	require.ErrorContains(t, err, "f.sql:16: take: the value is NULL and no text")
	require.NotErrorIs(t, err, store.ErrNotApplied, "the value is gone")
	s.want(t, "s", "k", "")
}
