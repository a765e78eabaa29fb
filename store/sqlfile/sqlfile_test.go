//go:build cgo

package sqlfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"memrace/store"
	"memrace/store/ability"
	"memrace/store/script"
	"memrace/store/sqlfile"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// least is a file with nothing but what a store needs, in eight lines.
const least = `-- schema:
CREATE TABLE IF NOT EXISTS m (s TEXT, k TEXT, value TEXT, PRIMARY KEY (s, k));
-- name: upsert
INSERT INTO m VALUES (:session, :key, :value) ON CONFLICT DO UPDATE SET value = excluded.value;
-- name: get
SELECT value FROM m WHERE s = :session AND k = :key;
-- name: delete
DELETE FROM m WHERE s = :session AND k = :key;
`

func parse(t testing.TB, text string) *sqlfile.File {
	t.Helper()
	f, err := sqlfile.Parse(strings.NewReader(text), "dir/f.sql")
	require.NoError(t, err)
	return f
}

// open opens the store of a file's text in dir.
func open(t *testing.T, dir, text string) store.Store {
	t.Helper()
	s, err := parse(t, text).Opener()(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// A store has the optional methods whose operations its file has, and no other.
func TestAbilities(t *testing.T) {
	s := open(t, t.TempDir(), least+"-- name: dump\nSELECT s, k, value FROM m;\n"+
		"-- name: list\nSELECT k, value FROM m WHERE s = :session;\n")
	require.Equal(t, []string{"list", "dump"}, ability.Of(s))
}

// A statement that fails in the rehearsal may be right: nobody knows what it will be given.
func TestParseTakesWhatOnlyFailsThere(t *testing.T) {
	parse(t, strings.Replace(least, "value TEXT", "value TEXT CHECK (value LIKE '{%')", 1)+`
-- name: append
-- tx: immediate
INSERT INTO m VALUES (:session, 'last', :value) RETURNING value AS was;
UPDATE m SET value = :was WHERE k = 'last';
-- name: items
SELECT value FROM m WHERE s = :session;
`)
}

// What SQLite has by default is in force where a file says nothing.
func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       string
		volatile   bool
	}{
		{"nothing is said", "",
			"journal_mode=delete synchronous=2 busy_timeout=0 readers=0 writers=1", false},
		{"everything is", "-- pragma: journal_mode = WAL\n-- pragma: synchronous=off\n" +
			"-- pragma: busy_timeout=250\n-- pragma: foreign_keys=on\n" +
			"-- pragma: temp_store=memory\n-- pragma: cache_size=-4000\n" +
			"-- pool: readers=2\n-- pool: writers=3\n-- database: file\n",
			"journal_mode=wal synchronous=0 busy_timeout=250 foreign_keys=1 temp_store=2 " +
				"cache_size=-4000 readers=2 writers=3", false},
		{"in memory", "-- pragma: synchronous=full\n-- database: memory\n",
			"journal_mode=memory synchronous=2 busy_timeout=0 readers=0 writers=1", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, t.TempDir(), c.head+least)
			about, err := s.(store.Describer).Describe(t.Context())
			require.NoError(t, err)
			require.Equal(t, "f.sql", about.Name)
			require.Equal(t, c.volatile, about.Volatile)
			require.Equal(t, "sqlite", about.Settings[0].Name)
			var got []string
			for _, s := range about.Settings[1:] {
				got = append(got, s.Name+"="+s.Value)
			}
			require.Equal(t, c.want, strings.Join(got, " "))
		})
	}
}

// Each of several connections that are in use at once has the pragmas.
func TestEveryConnectionHasThePragmas(t *testing.T) {
	s := open(t, t.TempDir(), "-- pragma: journal_mode=wal\n-- pragma: cache_size=77\n"+
		"-- pool: writers=3\n"+least+"-- name: update\n-- tx: deferred\n"+
		"SELECT cache_size AS old FROM pragma_cache_size;\nSELECT :value;\n")
	var seen []string
	var nest func(old string, found bool) string
	nest = func(old string, _ bool) string {
		seen = append(seen, old)
		if len(seen) < 3 {
			_, _, err := s.(store.Updater).Update(t.Context(), "s", "k", nest)
			require.NoError(t, err)
		}
		return ""
	}
	nest("", false)
	require.Equal(t, []string{"", "77", "77"}, seen)
}

func TestOpenSaysWhatDidNotTake(t *testing.T) {
	f := parse(t, "-- pragma: page_size=1000\n"+least)
	_, err := f.Opener()(t.Context(), t.TempDir())
	require.EqualError(t, err, `dir/f.sql:1: -- pragma: page_size is "4096" although it was set `+
		"to 1000: SQLite refuses that here; see https://sqlite.org/pragma.html")
	_, err = parse(t, least).Opener()(t.Context(), filepath.Join(t.TempDir(), "none"))
	require.ErrorContains(t, err, "dir/f.sql: open pools of")
	require.ErrorContains(t, err, "unable to open database file")
}

// A store that cannot be opened holds no lock.
func TestOpenGivesBackWhatItHas(t *testing.T) {
	dir := t.TempDir()
	const head = "-- pragma: locking_mode=exclusive\n-- schema:\n"
	view := head + "CREATE VIEW IF NOT EXISTS x AS SELECT 1 AS a;\n" + least[len("-- schema:\n"):]
	s, err := parse(t, view).Opener()(t.Context(), dir)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	_, err = parse(t, head+"CREATE TABLE IF NOT EXISTS n (a);\nCREATE TABLE IF NOT EXISTS x (a);\n"+
		"CREATE INDEX IF NOT EXISTS i ON x (a);\n"+least[len("-- schema:\n"):]).Opener()(
		t.Context(), dir)
	require.ErrorContains(t, err, "dir/f.sql:5: schema: views may not be indexed")
	open(t, dir, view)
}

func TestStoreIsKept(t *testing.T) {
	dir := t.TempDir()
	s, err := parse(t, least).Opener()(t.Context(), dir)
	require.NoError(t, err)
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	again := open(t, dir, strings.ReplaceAll("\ufeff"+least, "\n", "\r\n"))
	value, found, err := again.Get(t.Context(), "s", "k")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "v", value)
}

// The examples are right SQL, each twin differs from the other by one line, and they have what
// their documentation says.
func TestExamples(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "examples", "sql")
	for _, twins := range [][2]string{{"good.sql", "bad.sql"}, {"edit-good.sql", "edit-bad.sql"},
		{"insert-good.sql", "insert-bad.sql"}} {
		var lines [2][]string
		for i, name := range twins {
			text, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
			open(t, t.TempDir(), string(text))
			lines[i] = strings.Split(string(text), "\n")
		}
		require.Len(t, lines[1], len(lines[0]))
		different := 0
		for i := range lines[0] {
			if lines[0][i] != lines[1][i] {
				different++
			}
		}
		require.Equal(t, 1, different, "%s", twins)
	}
}

// What the documentation shows as a whole file is one.
func TestDocumentedFile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "sqlfiles.md"))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```sql\n")
	require.True(t, found)
	sql, _, _ := strings.Cut(rest, "```")
	open(t, t.TempDir(), sql)
	for _, name := range script.Names() {
		require.Contains(t, string(text), "\n| `"+name+"` | ")
	}
}
