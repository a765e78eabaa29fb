//go:build cgo

package sqlite_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

// file writes the database's file of a store in dir by hand, before SQLite knows of it.
func file(t *testing.T, dir string, content []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "memories.db"), content, 0o644))
}

// schema makes a database in dir by other SQL than a store's.
func schema(t *testing.T, dir, sql string) {
	t.Helper()
	pools, err := sqlite.OpenPools(t.Context(), dir, variant(t, "shared"))
	require.NoError(t, err)
	_, err = pools.Write.ExecContext(t.Context(), sql)
	require.NoError(t, err)
	require.NoError(t, pools.Close())
}

// readOnly takes the right to write away from dir, and skips the test for whoever has it anyway.
func readOnly(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { require.NoError(t, os.Chmod(dir, 0o755)) })
	if os.Mkdir(filepath.Join(dir, "probe"), 0o755) == nil {
		t.Skip("this user may write everywhere; run the test as another one")
	}
}

var refusals = []struct {
	name  string
	make  func(t *testing.T, dir string)
	class string
	want  string
	why   string
}{
	{"missing directory",
		func(t *testing.T, dir string) { require.NoError(t, os.Remove(dir)) },
		"cantopen", "unable to open database file: no such file or directory", ""},
	{"directory that is a file", func(t *testing.T, dir string) {
		require.NoError(t, os.Remove(dir))
		require.NoError(t, os.WriteFile(dir, nil, 0o644))
	}, "cantopen", "unable to open database file: not a directory", ""},
	{"directory that is read-only", readOnly, "cantopen",
		"unable to open database file: no such file or directory; " +
			"the directory is there, but no file can be made in it",
		"SQLite's own words lead to the wrong place"},
	{"file that is read-only", func(t *testing.T, dir string) {
		schema(t, dir, "CREATE TABLE t (c)")
		readOnly(t, dir)
		require.NoError(t, os.Chmod(filepath.Join(dir, "memories.db"), 0o444))
	}, "readonly", "attempt to write a readonly database", ""},
	{"file that is a directory", func(t *testing.T, dir string) {
		require.NoError(t, os.Mkdir(filepath.Join(dir, "memories.db"), 0o755))
	}, "cantopen", "unable to open database file: is a directory", ""},
	{"garbage", func(t *testing.T, dir string) {
		file(t, dir, bytes.Repeat([]byte("no database"), 1000))
	}, "notadb", "file is not a database", ""},
	{"half a database", func(t *testing.T, dir string) {
		schema(t, dir, "CREATE TABLE t AS SELECT zeroblob(100000)")
		require.NoError(t, os.Truncate(filepath.Join(dir, "memories.db"), 5000))
	}, "corrupt", "database disk image is malformed", ""},
	{"other columns", func(t *testing.T, dir string) {
		schema(t, dir, "CREATE TABLE memories (id, text)")
	}, "other", "memories is there already and was made by other SQL", ""},
	{"weaker table", func(t *testing.T, dir string) {
		schema(t, dir, `CREATE TABLE memories (session_id, key COLLATE NOCASE, value, updated_at,
			PRIMARY KEY (session_id, key))`)
	}, "other", "memories is there already and was made by other SQL",
		"each statement would run, and the store would be wrong under a right one's name"},
	{"view", func(t *testing.T, dir string) {
		schema(t, dir, "CREATE VIEW memories AS SELECT 1 AS session_id")
	}, "other", "memories is there already and was made by other SQL", ""},
}

func TestOpenRefuses(t *testing.T) {
	for _, tc := range refusals {
		for _, text := range []string{"shared", "pool", "wal"} {
			t.Run(tc.name+"/"+text, func(t *testing.T) {
				dir := t.TempDir()
				tc.make(t, dir)
				before := descriptors(t)
				s, err := variant(t, text).Opener()(t.Context(), dir)
				require.Nil(t, s, "and no interface that holds a nil")
				requireRefusal(t, err, text, dir, tc.want)
				requireClass(t, err, tc.class, tc.class == "readonly")
				require.Equal(t, before, descriptors(t), "open files")
			})
		}
	}
}

func TestOpenRefusesVariant(t *testing.T) {
	s, err := sqlite.Variant{Name: "shred"}.Opener()(t.Context(), t.TempDir())
	require.ErrorContains(t, err, `open store: no variant is called "shred"; there are memory`)
	require.Nil(t, s, "and no interface that holds a nil")
}

// requireRefusal wants one line that says what was opened, where, and what is wrong.
func requireRefusal(t *testing.T, err error, text, dir, want string) {
	t.Helper()
	where := fmt.Sprintf("open %s at %q: ", variant(t, text), filepath.Join(dir, "memories.db"))
	require.ErrorContains(t, err, where)
	require.ErrorContains(t, err, words(want))
	require.NotContains(t, err.Error(), "\n")
}

// TestOpenRefusesLockedFile: the file of a connection that failed stays open until the lock is
// gone, since to close it would take the lock away from the one that holds it.
func TestOpenRefusesLockedFile(t *testing.T) {
	for _, lock := range []string{"BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"} {
		for _, text := range []string{"shared,busy=5ms", "pool,busy=0s", "wal,busy=5ms"} {
			t.Run(lock+"/"+text, func(t *testing.T) {
				dir := t.TempDir()
				before := descriptors(t)
				release := hold(t, dir, lock)
				_, err := sqlite.Open(t.Context(), dir, variant(t, text))
				requireRefusal(t, err, text, dir, "database is locked")
				requireClass(t, err, "busy", true)
				_, err = sqlite.OpenPools(t.Context(), dir, variant(t, "wal,busy=5ms"))
				require.ErrorContains(t, err, "database is locked")
				release()
				require.Equal(t, before, descriptors(t), "open files")
				upsert(t, open(t, dir, text), "s", "k", "v")
			})
		}
	}
}
