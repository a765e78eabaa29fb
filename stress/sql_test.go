package stress_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
	"memrace/stress"
	"memrace/stress/check"
)

// openDB opens a database as its owner would, with a pool of connections.
func openDB(t *testing.T) *sql.DB {
	t.Helper()
	require.NoError(t, sqlite.Ready())
	path := filepath.Join(t.TempDir(), "my.db")
	db, err := sql.Open("sqlite3", "file:"+path+"?_journal_mode=WAL&_busy_timeout=10000")
	require.NoError(t, err)
	db.SetMaxOpenConns(4)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// article is the memory of docs/examples/sql/good.sql, as statements in Go.
func article() stress.Statements {
	return stress.Statements{
		Schema: `CREATE TABLE IF NOT EXISTS memories (session_id TEXT NOT NULL, key TEXT NOT NULL,
			value TEXT NOT NULL, PRIMARY KEY (session_id, key)) STRICT`,
		Upsert: `INSERT INTO memories VALUES (:session, :key, :value)
			ON CONFLICT (session_id, key) DO UPDATE SET value = excluded.value`,
		Get:    `SELECT value FROM memories WHERE session_id = :session AND key = :key`,
		Delete: `DELETE FROM memories WHERE session_id = :session AND key = :key`,
		Update: `-- tx: immediate
			SELECT value AS old FROM memories WHERE session_id = :session AND key = :key;
			INSERT INTO memories VALUES (:session, :key, :value)
			ON CONFLICT (session_id, key) DO UPDATE SET value = excluded.value`,
		Dump: `SELECT session_id, key, value FROM memories`,
	}
}

func TestRunSQL(t *testing.T) {
	stress.RunSQL(t, openDB(t), article(), stress.Config{Profile: "updates", Ops: 800})
}

func TestStatementsAreTold(t *testing.T) {
	unlocked := article()
	unlocked.Update = "-- tx: none\n" + unlocked.Update[len("-- tx: immediate"):]
	forgetful := article()
	forgetful.Get = `SELECT value FROM memories WHERE key = :key AND :session <> ''`
	noList := article()
	noList.Dump = ""
	for _, c := range []struct {
		name, profile string
		statements    stress.Statements
		property      check.Property
		want          check.State
	}{
		{"right", "uniform", article(), check.Uniqueness, check.Holds},
		{"no dump", "uniform", noList, check.Uniqueness, check.Skipped},
		{"session forgotten", "uniform", forgetful, check.Isolation, check.Violated},
		{"no transaction", "updates", unlocked, check.Linearizability, check.Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.statements.Judge = sqlite.Wrap
			open, err := c.statements.Opener(openDB(t))
			require.NoError(t, err)
			r, err := stress.Check(t.Context(), open, t.TempDir(),
				stress.Config{Profile: c.profile, Ops: 1500, Seed: 3})
			require.NoError(t, err)
			require.Equal(t, "sql", r.Config.Store)
			require.Equal(t, c.want, r.Verdict(c.property).State)
		})
	}
}

// What the statements lack is skipped where all can see it.
func TestStatementsThatLackAnOperation(t *testing.T) {
	open, err := article().Opener(openDB(t))
	require.NoError(t, err)
	r, err := stress.Check(t.Context(), open, t.TempDir(),
		stress.Config{Profile: "takes", Ops: 100, Seed: 3})
	require.NoError(t, err)
	require.Equal(t, "the store has no Take, which the profile takes needs", r.Skipped)
}

func TestOpenerOfStatementsRefuses(t *testing.T) {
	db := openDB(t)
	for _, c := range []struct {
		name   string
		db     *sql.DB
		change func(*stress.Statements)
		want   string
	}{
		{"no database", nil, func(*stress.Statements) {}, "there is no database"},
		{"nothing", db, func(s *stress.Statements) { *s = stress.Statements{} },
			"Statements.Upsert is empty; write the SQL of upsert"},
		{"no get", db, func(s *stress.Statements) { s.Get = " " },
			"Statements.Get is empty; write the SQL of get"},
		{"no items", db, func(s *stress.Statements) { s.Append = "INSERT INTO i VALUES (:value)" },
			"Statements.Items is empty; write the SQL of items"},
		{"a key", db, func(s *stress.Statements) { s.Delete = "DELETE FROM m\nWHERE k = :kye" },
			"Statements.Delete:2: delete: nothing sets :kye; there are :session, :key, :now, and " +
				"the columns that an earlier statement returns by name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := article()
			c.change(&s)
			_, err := s.Opener(c.db)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// Rows of somebody else would be values from nowhere.
func TestStatementsOnADatabaseInUse(t *testing.T) {
	db := openDB(t)
	open, err := article().Opener(db)
	require.NoError(t, err)
	s, err := open(t.Context(), "")
	require.NoError(t, err)
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	_, err = open(t.Context(), "")
	require.ErrorContains(t, err, "there are 1 rows already; take an empty database")
}
