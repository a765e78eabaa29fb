//go:build cgo

package sqlfile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store/sqlfile"
)

// refusal is a file that is wrong, and the error that says so.
type refusal struct{ name, text, want string }

func TestParseRefuses(t *testing.T) {
	for _, c := range slices.Concat(badSQL, badSettings) {
		t.Run(c.name, func(t *testing.T) {
			_, err := sqlfile.Parse(strings.NewReader(c.text), "f.sql")
			require.Error(t, err)
			require.Empty(t, cmp.Diff(c.want, err.Error()))
		})
	}
}

const where = "look at what stands right before it, and whether each statement ends with a " +
	"semicolon"

const again = "run again, as it is each time that the store is opened: "

// badSQL is what only SQLite sees.
var badSQL = []refusal{
	{"syntax", strings.Replace(least, "SELECT value FROM", "SELECT value\nFORM", 1),
		`f.sql:7: get: SQLite says: near "m": syntax error; ` + where},
	{"no semicolon", strings.Replace(least, "(s, k));", "(s, k))\n\nCREATE TABLE n (a)", 1),
		`f.sql:4: schema: SQLite says: near "CREATE": syntax error; ` + where},
	{"a word that SQLite knows", least + "-- name: clear\nDELETE m\nFROM m\nWHERE m FROM m",
		`f.sql:10: clear: SQLite says: near "m": syntax error; ` + where},
	{"a blank in a parameter", strings.Replace(least, ":key;", ": key;", 1),
		`f.sql:6: get: SQLite says: unrecognized token: ":"; look at how it is written: a ` +
			"parameter is a colon and a name, as in :key"},
	{"a bracket that is open", least + "-- name: dump\nSELECT (1;\n",
		"f.sql:10: dump: SQLite says: " +
			"incomplete input; the statement breaks off: look for a bracket that is not closed"},
	{"no such table", least + "-- name: dump\nSELECT *\nFROM n;",
		"f.sql:11: dump: SQLite says: no such table: n; the tables are those that " +
			"-- schema: makes"},
	{"no such column", least + "-- name: dump\nSELECT s, k,\nvalu FROM m;",
		"f.sql:11: dump: SQLite says: no such column: valu; the columns are those of the " +
			"table in -- schema:; a parameter has a colon, as in :key"},
	{"no such conflict", strings.Replace(least, "CONFLICT DO", "CONFLICT (k) DO", 1),
		"f.sql:4: upsert: SQLite says: ON CONFLICT clause does not match any PRIMARY KEY or " +
			"UNIQUE constraint; name the columns of the table's PRIMARY KEY, all of them"},
	{"a schema that is made twice", "-- schema:\nCREATE TABLE m (a);\nCREATE TABLE m (a);\n" +
		strings.TrimPrefix(least, "-- schema:"), "f.sql:3: schema: SQLite says: table m " +
		"already exists; a schema is run each time that a store is opened: write IF NOT EXISTS"},
	{"a table that is there", strings.Replace(least, "IF NOT EXISTS ", "", 1), "f.sql:2: schema: " +
		again + "table m already exists; write CREATE TABLE IF NOT EXISTS"},
	{"an index that is there", "-- schema:\nCREATE TABLE IF NOT EXISTS n (a);\n" +
		"CREATE UNIQUE INDEX i ON n (a);\n" + strings.TrimPrefix(least, "-- schema:"),
		"f.sql:3: schema: " + again + "index i already exists; write CREATE UNIQUE INDEX IF NOT " +
			"EXISTS"},
	{"a row that is there", strings.Replace(least, "-- name: upsert", "INSERT INTO m VALUES "+
		"(1, 2, 3);\n-- name: upsert", 1), "f.sql:3: schema: " + again + "UNIQUE constraint " +
		"failed: m.s, m.k; write it such that it can be run any number of times"},
	{"too few columns", least + "-- name: list\nSELECT k FROM m WHERE s = :session",
		"f.sql:10: list: the rows have the columns k; they are to be key, value, in this " +
			"order and called as you like"},
	{"too many columns", least + "-- name: dump\nSELECT s, k, value, 1, 2 FROM m",
		"f.sql:10: dump: the rows have the columns s, k, value, 1, 2; they are to be session, " +
			"key, value and perhaps updated_at, in this order and called as you like"},
	{"old is not called old", least + "-- name: update\n-- tx: none\nSELECT value FROM m;\n" +
		"UPDATE m SET value = :value", "f.sql:12: update: the new :value is made out of :old, " +
		"and no column of the statements before is called old; write SELECT value AS old"},
	{"a name that is no column", least + "-- name: clear\n-- tx: none\n" +
		"SELECT max(k) AS last FROM m;\nDELETE FROM m WHERE s =\n:m",
		"f.sql:13: clear: nothing sets :m; what is set here is :changed, :found, :last, :now, " +
			":session"},
}

// badSettings are heads that ask for what there is not.
var badSettings = []refusal{
	{"no assignment", "-- pragma: journal_mode wal\n" + least, `f.sql:1: -- pragma: ` +
		`"journal_mode wal" is no name=value; write it as in -- pragma: journal_mode=wal`},
	{"no pool", "-- pool:\n" + least, `f.sql:1: -- pool: "" is no name=value; write it as in ` +
		"-- pool: writers=1 readers=4"},
	{"an unknown pragma", "\n-- pragma: journal_mod=wal\n" + least, "f.sql:2: -- pragma: SQLite " +
		"has no pragma journal_mod, and would ignore it; see https://sqlite.org/pragma.html"},
	{"an unknown word", "-- pragma: synchronous=high\n" + least, `f.sql:1: -- pragma: ` +
		`synchronous="high" is none of off, normal, full, extra`},
	{"another mode", "-- pragma: journal_mode=waal\n" + least, `f.sql:1: -- pragma: ` +
		`journal_mode="waal" is none of delete, truncate, persist, memory, wal`},
	{"less than no time", "-- pragma: busy_timeout=-1\n" + least, "f.sql:1: -- pragma: " +
		"busy_timeout=-1ms is not from 0s (do not wait) to 1h0m0s"},
	{"no whole number", "-- pool: readers=many\n" + least, "f.sql:1: -- pool: many is no whole " +
		"number up to 2147483647"},
	{"too many", "-- pool: writers=1000\n" + least, "f.sql:1: -- pool: writers=1000 is not " +
		"from 1 to 256"},
	{"an unknown pool", "-- pool: clients=2\n" + least, "f.sql:1: -- pool: no pool is called " +
		"clients; there are writers and readers"},
	{"twice", "-- pool: writers=2\n-- pool: readers=1 writers=3\n" + least,
		"f.sql:2: -- pool: writers is set twice, first in line 1; leave one"},
	{"another database", "-- database: postgres\n" + least,
		`f.sql:1: -- database: "postgres" is neither file nor memory`},
	{"a pool in memory", "-- pool: writers=2\n-- database: memory\n" + least,
		"f.sql:1: -- pool: readers=0, writers=2: each connection to :memory: is a database " +
			"of its own, so there is one (readers=0,writers=1); for a pool take wal or wal-pool"},
}
