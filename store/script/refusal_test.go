package script_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store/script"
)

// refusal is a text that is wrong, and the error that says so.
type refusal struct{ name, text, want string }

func TestParseRefuses(t *testing.T) {
	for _, c := range slices.Concat(badSections, badParameters, badTransactions, badConditions,
		badRows) {
		t.Run(c.name, func(t *testing.T) {
			_, err := script.Parse(strings.NewReader(c.text), "f.sql")
			require.Error(t, err)
			require.Empty(t, cmp.Diff(c.want, err.Error()))
		})
	}
}

// badSections are files whose parts are not what they should be.
var badSections = []refusal{
	{"nothing", "", "f.sql:1: the file ends and has no upsert; write -- name: upsert and its " +
		"SQL below"},
	{"only a comment", "-- to do\n", "f.sql:1: the file ends and has no upsert; write " +
		"-- name: upsert and its SQL below"},
	{"a missing operation", strings.ReplaceAll(least, "-- name: get\n", ""),
		"f.sql:5: the file ends and has no get; write -- name: get and its SQL below"},
	{"append without items", least + "-- name: append\nINSERT INTO m VALUES (:value)",
		"f.sql:8: the file ends and has no items; write -- name: items and its SQL below"},
	{"a doubled name", least + "-- name: get\nSELECT 1",
		"f.sql:7: there is a second get, the first is in line 3; remove one, or put all " +
			"statements of an operation below one -- name:"},
	{"an unknown name", "-- name: put\nSELECT 1" + least,
		`f.sql:1: no operation is called "put"; there are upsert, get, delete, list, clear, ` +
			"append, items, update, take, dump"},
	{"two schemas", "-- schema:\n-- schema:\n" + least,
		"f.sql:2: there is a second -- schema:, the first is in line 1; make one of them"},
	{"a schema with a name", "-- schema: memories\n" + least,
		"f.sql:1: -- schema: has no name; the SQL follows in the next lines"},
	{"SQL before a section", "SELECT 1;\n" + least,
		"f.sql:1: SQL before the first section; begin one with -- schema: or -- name: upsert"},
	{"a setting too late", least + "-- pool: writers=2",
		"f.sql:7: -- pool: belongs into the head, before the first -- schema: or -- name:"},
	{"a mistyped directive", "-- nmae: upsert\n" + least,
		"f.sql:1: -- nmae: means nothing; it looks like -- name:"},
	{"a directive behind a statement", strings.Replace(least, "key;", "key; -- name: dump", 1),
		"f.sql:4: -- name: stands behind something; give it a line of its own"},
	{"a letter too many", "-- pragmas: a=b\n" + least,
		"f.sql:1: -- pragmas: means nothing; it looks like -- pragma:"},
	{"no SQL", least + "-- name: dump\n-- to do\n", "f.sql:7: dump: there is no SQL below it; " +
		"write a statement, or remove the name"},
	{"a text without end", least + "-- name: dump\n\nSELECT 'a, b, c FROM m;\n",
		"f.sql:9: what begins here with ' has no end; close it with '"},
	{"a name without end", least + "-- name: dump\nSELECT [a FROM m;\n",
		"f.sql:8: what begins here with [ has no end; close it with ]"},
	{"a comment without end", least + "/* to do", "f.sql:7: what begins here with /* has no " +
		"end; close it with */"},
	{"line ends of long ago", strings.ReplaceAll(least, "\n", "\r"), "f.sql:1: the lines end " +
		"with a carriage return and nothing else; save the file with line feeds"},
	{"a zero byte", "-- a\n\x00", "f.sql:2: this is no text in UTF-8; save the file as such"},
	{"another encoding", "-- a\n-- caf\xe9\n", "f.sql:2: this is no text in UTF-8; save the file " +
		"as such"},
}

// badParameters have parameters that nothing sets, or lack what they need.
var badParameters = []refusal{
	{"an unknown parameter", strings.Replace(least, "s = :session", "s = :sesion", 1),
		"f.sql:4: get: nothing sets :sesion; there are :session, :key, :now, and the columns " +
			"that an earlier statement returns by name"},
	{"a parameter of another operation", least + "-- name: list\nSELECT\n k,\n :value",
		"f.sql:10: list: nothing sets :value; there are :session, :now, and the columns that " +
			"an earlier statement returns by name"},
	{"a parameter of dump", least + "-- name: dump\nSELECT :session",
		"f.sql:8: dump: nothing sets :session; there are no parameters, and the columns that " +
			"an earlier statement returns by name"},
	{"found in the first statement", least + "-- name: take\n-- if: :found\nDELETE FROM m",
		"f.sql:8: take: :found tells of the statement before, and this is the first"},
	{"a column of a later statement",
		least + "-- name: take\n-- tx: none\nDELETE FROM m WHERE n = :n;\nSELECT n FROM m",
		"f.sql:9: take: nothing sets :n; there are :session, :key, :now, and the columns " +
			"that an earlier statement returns by name"},
	{"a parameter with a number", least + "-- name: dump\nSELECT ?1", "f.sql:8: dump: ?1 is a " +
		"parameter without a name; write it with one, and a colon, as in :key"},
	{"an at sign", strings.Replace(least, ":key", "@key", 1),
		"f.sql:2: upsert: @key is a parameter without a colon; write :key"},
	{"a dollar", least + "-- name: dump\nSELECT\n$key", "f.sql:9: dump: $key is a parameter " +
		"without a colon; write :key"},
	{"a parameter of a schema", "-- schema:\nCREATE TABLE m AS\nSELECT :now;\n" + least,
		"f.sql:3: schema: there is no :now when a store is opened; write the value itself"},
	{"an upsert without a value", strings.Replace(least, ":value", "'v'", 1),
		"f.sql:1: upsert: no statement has :value, so it would be lost"},
}

const needsTx = "this is a second statement, and there is no -- tx:; write -- tx: immediate " +
	"before the first for one transaction, or -- tx: none for statements that others may come " +
	"between"

// badTransactions have transactions that are none.
var badTransactions = []refusal{
	{"several statements, no tx", least + "-- name: clear\nDELETE FROM m;\nDELETE FROM n",
		"f.sql:9: clear: " + needsTx},
	{"something left at the end", least + "\nSELECT 1", "f.sql:8: delete: " + needsTx},
	{"another tx", least + "-- name: clear\n-- tx: serializable\nDELETE FROM m",
		"f.sql:8: -- tx: serializable is none of immediate, deferred, exclusive, none"},
	{"two tx", least + "-- name: clear\n-- tx: none\n-- tx: none\nDELETE FROM m",
		"f.sql:9: clear has a second -- tx:; leave one"},
	{"a late tx", least + "-- name: clear\nDELETE FROM m;\n-- tx: none",
		"f.sql:9: -- tx: stands behind a statement; put it right below -- name: clear"},
	{"tx in the head", "-- tx: none\n" + least,
		"f.sql:1: -- tx: belongs into an operation, below its -- name:"},
	{"a transaction in SQL", least + "-- name: clear\n-- tx: none\nBEGIN;\nDELETE FROM m;",
		"f.sql:9: clear: no BEGIN here: write -- tx: immediate below the name of the operation"},
	{"a pragma in SQL", "-- schema:\nPRAGMA journal_mode=wal;\n" + least,
		"f.sql:2: schema: no PRAGMA here: it would reach one connection only; write " +
			"-- pragma: name=value in the head"},
}

// badConditions have conditions that are none.
var badConditions = []refusal{
	{"a condition without a colon", least + "-- name: clear\n-- if: found\nDELETE FROM m",
		"f.sql:8: -- if: found is no parameter; write it as in -- if: :found"},
	{"a condition inside a statement",
		least + "-- name: clear\nDELETE FROM m\n-- if: :found\nDELETE FROM n",
		"f.sql:9: -- if: stands in the middle of the statement that begins in line 8; end " +
			"that with a semicolon"},
	{"a condition of nothing", least + "-- name: clear\nDELETE FROM m;\n-- if: :found\n",
		"f.sql:9: no statement follows this condition; remove it"},
}

// badRows do not return what the operation is to return.
var badRows = []refusal{
	{"a list that returns nothing", least + "-- name: list\nDELETE FROM m",
		"f.sql:7: list: no statement returns rows; write a SELECT or a RETURNING with key, value"},
	{"an update that does not read", least + "-- name: update\nUPDATE m SET value = :value",
		"f.sql:8: update: the new :value is made out of :old, which no statement before this " +
			"one returns; write one with SELECT value AS old"},
}
