//go:build cgo

package script_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/script"
	"memrace/store/sqlite"
)

const table = `-- schema:
CREATE TABLE IF NOT EXISTS m (s TEXT, k TEXT, value TEXT CHECK (value <> 'bad'), at INTEGER,
  n INTEGER, PRIMARY KEY (s, k));
CREATE TABLE IF NOT EXISTS log (s TEXT, k TEXT, note TEXT);
-- name: get
SELECT value FROM m WHERE s = :session AND k = :key;
-- name: delete
DELETE FROM m WHERE s = :session AND k = :key;
-- name: dump
SELECT s, k, note FROM log;
`

const upsert = `-- name: upsert
INSERT INTO m (s, k, value, at) VALUES (:session, :key, :value, :now)
ON CONFLICT DO UPDATE SET value = excluded.value, at = excluded.at;
`

// stage is a store and the pool that it writes through.
type stage struct {
	*script.Store
	db *sql.DB
}

// open opens a store of three connections that do not wait for locks.
func open(t *testing.T, text string, change ...func(*script.Config)) stage {
	t.Helper()
	v, err := sqlite.ParseVariant("wal-pool,writers=3,busy=0s,synchronous=off")
	require.NoError(t, err)
	pools, err := sqlite.OpenPools(t.Context(), t.TempDir(), v)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pools.Close()) })
	parsed, err := script.Parse(strings.NewReader(text), "f.sql")
	require.NoError(t, err)
	pool := &script.Pool{DB: pools.Write}
	config := script.Config{Write: pool, Read: pool, Judge: sqlite.Wrap}
	for _, c := range change {
		c(&config)
	}
	s, err := script.Open(t.Context(), parsed, config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return stage{s, pools.Write}
}

// eachPool runs a test on a pool that lends connections of database/sql, and on one that holds two
// of the three.
func eachPool(t *testing.T, test func(*testing.T, func(*script.Config))) {
	t.Run("lent", func(t *testing.T) { test(t, func(*script.Config) {}) })
	t.Run("held", func(t *testing.T) {
		test(t, func(c *script.Config) { require.NoError(t, c.Write.Hold(t.Context(), 2)) })
	})
}

func (s stage) set(t *testing.T, session, key, value string) {
	t.Helper()
	_, err := s.Upsert(t.Context(), session, key, value)
	require.NoError(t, err)
}

func (s stage) want(t *testing.T, session, key, want string) {
	t.Helper()
	got, found, err := s.Get(t.Context(), session, key)
	require.NoError(t, err)
	require.Equal(t, want != "", found)
	require.Equal(t, want, got)
}

// notes returns the third column of the table log, which tests have statements write to.
func (s stage) notes(t *testing.T) (notes []string) {
	t.Helper()
	rows, err := s.Dump(t.Context())
	require.NoError(t, err)
	for _, r := range rows {
		notes = append(notes, r.Value.Text)
	}
	return notes
}

func TestStatementsSeeWhatCameBefore(t *testing.T) {
	eachPool(t, statementsSeeWhatCameBefore)
}

func statementsSeeWhatCameBefore(t *testing.T, pool func(*script.Config)) {
	s := open(t, table+`-- name: upsert
-- tx: immediate
SELECT n + 1 AS next, value AS was FROM m WHERE s = :session AND k = :key;
-- if: :found
UPDATE m SET n = :next, value = :was || ',' || :value WHERE s = :session AND k = :key;
-- unless: :found
INSERT INTO m (s, k, value, n) VALUES (:session, :key, :value || coalesce(:was, ''), 1);
INSERT INTO log VALUES (:session, :key, 'found ' || :found || ' changed ' || :changed);
-- if: :next
-- unless: :was
INSERT INTO log VALUES (:session, :key, 'was nothing');
`, pool)
	for _, value := range []string{"a", "b", "c"} {
		s.set(t, "s", "k", value)
	}
	s.want(t, "s", "k", "a,b,c")
	require.Equal(t, []string{"found 0 changed 1", "found 1 changed 1", "found 1 changed 1"},
		s.notes(t))
	_, err := s.db.ExecContext(t.Context(), "UPDATE m SET value = ''")
	require.NoError(t, err)
	s.set(t, "s", "k", "d")
	require.Equal(t, "was nothing", s.notes(t)[4], "an empty text is as good as none")
}

// A row's columns go no further than the next statement that returns rows, and a column called
// like a parameter does not replace it.
func TestColumnsAndParameters(t *testing.T) {
	s := open(t, table+upsert+`-- name: take
-- tx: immediate
SELECT 'other' AS key, 'x' AS session, 5 AS found, value AS was FROM m
WHERE s = :session AND k = :key;
INSERT INTO log VALUES (:session, :key, :found || coalesce(:was, 'NULL'));
SELECT value AS was FROM m WHERE k = 'nobody';
INSERT INTO log VALUES (:session, :key, :found || coalesce(:was, 'NULL'));
DELETE FROM m WHERE s = :session AND k = :key RETURNING value;
-- name: clear
-- tx: deferred
INSERT INTO log VALUES ('', '', ''), ('', '', '') RETURNING note;
INSERT INTO log VALUES (:session, '', 'wrote ' || :changed);
`)
	s.set(t, "s", "k", "a")
	value, found, err := s.Take(t.Context(), "s", "k")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "a", value)
	rows, err := s.Dump(t.Context())
	require.NoError(t, err)
	row := func(note string) store.Row {
		return store.Row{Session: store.TextField("s"), Key: store.TextField("k"),
			Value: store.TextField(note)}
	}
	require.Equal(t, []store.Row{row("1a"), row("0NULL")}, rows)
	_, found, err = s.Take(t.Context(), "s", "k")
	require.NoError(t, err)
	require.False(t, found)
	require.NoError(t, s.Clear(t.Context(), "s"))
	require.Equal(t, "wrote 2", s.notes(t)[6])
}

// What the store noted is returned, and nothing if it notes no time.
func TestUpsertReturnsNow(t *testing.T) {
	s := open(t, table+upsert)
	at, err := s.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
	var kept int64
	require.NoError(t, s.db.QueryRowContext(t.Context(), "SELECT at FROM m").Scan(&kept))
	require.Equal(t, kept, at.UnixNano())
	s = open(t, table+"-- name: upsert\nINSERT INTO m (value) VALUES (:value);\n")
	at, err = s.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
	require.True(t, at.IsZero())
}

// Only an operation that cannot write is served by connections for readers.
func TestPools(t *testing.T) {
	var lent []string
	note := func(name string) func(context.Context, *sql.Conn) error {
		return func(context.Context, *sql.Conn) error { lent = append(lent, name); return nil }
	}
	s := open(t, table+upsert+`-- name: list
-- tx: immediate
SELECT k, value FROM m WHERE s = :session;
-- name: items
-- tx: deferred
SELECT 1;
SELECT value FROM m;
-- name: append
-- tx: none
SELECT 1;
INSERT INTO log VALUES (:session, '', :value);
`, func(c *script.Config) {
		c.Read = &script.Pool{DB: c.Write.DB, Prepare: note("read")}
		c.Write.Prepare = note("write")
	})
	lent = nil
	s.want(t, "s", "k", "")
	_, err := s.List(t.Context(), "s")
	require.NoError(t, err)
	_, err = s.Items(t.Context(), "s")
	require.NoError(t, err)
	require.NoError(t, s.Append(t.Context(), "s", "x"))
	require.Equal(t, []string{"read", "write", "read", "write", "write"}, lent,
		"get, list, items and the two statements of append")
}

func TestUpdate(t *testing.T) { eachPool(t, update) }

func update(t *testing.T, pool func(*script.Config)) {
	s := open(t, table+upsert+`-- name: update
-- tx: immediate
SELECT value AS old FROM m WHERE s = :session AND k = :key;
INSERT INTO log VALUES (:session, :key, 'read');
-- unless: :found
INSERT INTO m (s, k, value) VALUES (:session, :key, :value);
-- if: :old
UPDATE m SET value = :value WHERE s = :session AND k = :key;
`, pool)
	edit := func(old string, found bool) string {
		if found {
			return old + "+x"
		}
		return "x"
	}
	for _, want := range []struct {
		old   string
		found bool
		after string
	}{{"", false, "x"}, {"x", true, "x+x"}, {"x+x", true, "x+x+x"}} {
		old, found, err := s.Update(t.Context(), "s", "k", edit)
		require.NoError(t, err)
		require.Equal(t, want.old, old)
		require.Equal(t, want.found, found)
		s.want(t, "s", "k", want.after)
	}

	s.set(t, "s", "k", "")
	_, _, err := s.Update(t.Context(), "s", "k", edit)
	requireError(t, err, "other", true)
	require.ErrorContains(t, err, "no statement with :value was run")
	require.Len(t, s.notes(t), 3, "what the update had written is rolled back")

	s.set(t, "s", "k", "y")
	require.PanicsWithValue(t, "the caller's", func() {
		change := func(string, bool) string { panic("the caller's") }
		_, _, _ = s.Update(t.Context(), "s", "k", change)
	})
	require.Len(t, s.notes(t), 3, "and so it is when the change panics")
	for range 3 {
		s.set(t, "s", "k", "z")
	}
	require.NoError(t, s.Close())
	require.Zero(t, s.db.Stats().InUse, "every connection was given back")
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	if err != nil { // who lends connections does not know that the store is closed
		requireError(t, err, "other", true)
		require.ErrorContains(t, err, "the store is closed")
	}
}
