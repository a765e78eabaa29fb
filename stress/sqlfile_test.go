package stress_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/sqlfile"
	"memrace/stress"
	"memrace/stress/check"
)

// sqlFile opens the store of a file in docs/examples/sql.
func sqlFile(t *testing.T, name string) store.Opener {
	t.Helper()
	path := filepath.Join("..", "docs", "examples", "sql", name)
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	parsed, err := sqlfile.Parse(file, path)
	require.NoError(t, err)
	return parsed.Opener()
}

// A file and its right twin differ by a line, and the suite tells them apart.
func TestSQLFiles(t *testing.T) {
	for _, c := range []struct {
		name, profile string
		ops           int
		caughtBy      check.Property // empty for a file that is right
		why           string
	}{
		{"good.sql", "uniform", 2000, "", "it is the article's memory as it should be"},
		{"good.sql", "hot", 2000, "", ""},
		{"good.sql", "births", 2000, "", "an update that changed nothing is followed by an insert"},
		{"good.sql", "churn", 2000, "", ""},
		{"good.sql", "names", 2000, "", "parameters are bound as they are"},
		{"good.sql", "updates", 2000, "", "the update holds the lock while it thinks"},
		{"good.sql", "takes", 2000, "", ""},
		{"good.sql", "sessions", 2000, "", "a list is one statement, and so is a clear"},
		{"good.sql", "chat", 2000, "", "an append counts and inserts in one statement"},
		{"bad.sql", "uniform", 2000, check.Isolation, "the upsert's WHERE forgets the session"},
		{"insert-good.sql", "births", 2000, "", ""},
		{"insert-bad.sql", "births", 2000, check.Uniqueness, "two find no row, and insert one"},
		{"edit-good.sql", "updates", 2000, "", ""},
		{"edit-bad.sql", "updates", 2000, check.Linearizability, "two change the same value"},
	} {
		t.Run(c.name+" "+c.profile, func(t *testing.T) {
			r, err := stress.Check(t.Context(), sqlFile(t, c.name), t.TempDir(),
				stress.Config{Profile: c.profile, Ops: c.ops, Seed: 7})
			require.NoError(t, err)
			require.Equal(t, c.name, r.Config.Store, "the store says its name")
			if c.caughtBy == "" {
				for _, v := range r.Verdicts {
					require.Equal(t, check.Holds, v.State, "%s: %s", v.Property, v.Reason)
				}
				return
			}
			require.Equal(t, check.Violated, r.Verdict(c.caughtBy).State, c.why)
			require.Empty(t, r.FirstErrors)
		})
	}
}

// chat is a file that has nothing but a list of items for each session.
const chat = `
-- pragma: journal_mode=wal
-- pragma: synchronous=normal
-- pragma: busy_timeout=10000
-- pool: writers=4
-- schema:
CREATE TABLE IF NOT EXISTS items (session TEXT NOT NULL, value TEXT NOT NULL) STRICT;
-- name: append
INSERT INTO items VALUES (:session, :value);
-- name: items
SELECT value FROM items WHERE session = :session ORDER BY rowid;
`

func TestSQLFileOfItems(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       check.State
	}{
		{"in order", chat, check.Holds},
		{"in another order", strings.Replace(chat, "BY rowid", "BY value", 1), check.Violated},
	} {
		file, err := sqlfile.Parse(strings.NewReader(c.text), "chat.sql")
		require.NoError(t, err)
		r, err := stress.Check(t.Context(), file.Opener(), t.TempDir(),
			stress.Config{Profile: "chat", Ops: 1000, Seed: 7})
		require.NoError(t, err)
		require.Equal(t, c.want, r.Verdict(check.Linearizability).State, c.name)
		require.Equal(t, c.want, r.State(), c.name)
	}
}
