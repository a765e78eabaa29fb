package script_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store/script"
)

// least is a script with nothing but what a store needs, in six lines.
const least = `-- name: upsert
INSERT INTO m VALUES (:session, :key, :value);
-- name: get
SELECT value FROM m WHERE s = :session AND k = :key;
-- name: delete
DELETE FROM m WHERE s = :session AND k = :key;
`

func TestParseReads(t *testing.T) {
	got, err := script.Parse(strings.NewReader(`
-- A comment; with 'marks', and a name: that means nothing.
-- PRAGMA: journal_mode=wal
-- pool: writers=2
-- schema:
CREATE TABLE m (s, k, value DEFAULT ';-- name: get');
CREATE TEMP TRIGGER t AFTER INSERT ON m BEGIN SELECT 1; SELECT CASE WHEN 1 THEN 2 END; END;
-- name: update
-- tx: IMMEDIATE
SELECT value AS old /* of :nobody; */ FROM m -- the row
WHERE s = :session AND k = :key AND ":x" <> [:y];
-- if: :found
-- unless: :old
UPDATE m SET value = :value WHERE s = :session AND k = :key;
-- name: list
/* two
lines */ WITH x AS (SELECT replace('a', '
', 'c')) SELECT k, value FROM m;
-- name: take
WITH x AS (SELECT replace('a', 'b', 'c')) DELETE FROM m WHERE s = :session RETURNING value;
`+least), "f.sql")
	require.NoError(t, err)
	require.Equal(t, []script.Setting{
		{Kind: "pragma", Text: "journal_mode=wal", Line: 3},
		{Kind: "pool", Text: "writers=2", Line: 4},
	}, got.Settings)
	require.Empty(t, cmp.Diff(`schema immediate
6 write: CREATE TABLE m (s, k, value DEFAULT ';-- name: get')
7 write: CREATE TEMP TRIGGER t AFTER INSERT ON m BEGIN SELECT 1; `+
		`SELECT CASE WHEN 1 THEN 2 END; END
update immediate
10 rows session,key: SELECT value AS old /* of :nobody; */ FROM m -- the row
WHERE s = :session AND k = :key AND ":x" <> [:y]
14 write value,session,key if found unless old: UPDATE m SET value = :value `+
		`WHERE s = :session AND k = :key
list none
17 rows: WITH x AS (SELECT replace('a', '
', 'c')) SELECT k, value FROM m
take none
20 rows write session: WITH x AS (SELECT replace('a', 'b', 'c')) DELETE FROM m `+
		`WHERE s = :session RETURNING value
upsert none
22 write session,key,value: INSERT INTO m VALUES (:session, :key, :value)
get none
24 rows session,key: SELECT value FROM m WHERE s = :session AND k = :key
delete none
26 write session,key: DELETE FROM m WHERE s = :session AND k = :key
`, told(got)))
}

// told writes down what was read of a script.
func told(s *script.Script) string {
	var b strings.Builder
	for _, o := range append([]script.Operation{s.Schema}, s.Operations...) {
		b.WriteString(o.Name + " " + o.Transaction + "\n")
		for _, st := range o.Statements {
			b.WriteString(toldStatement(&o, st))
		}
	}
	return b.String()
}

func toldStatement(o *script.Operation, st script.Statement) string {
	words := []string{strings.TrimPrefix(o.At(st.Line), "f.sql:")}
	if st.Returns {
		words = append(words, "rows")
	}
	if st.Writes {
		words = append(words, "write")
	}
	if len(st.Parameters) > 0 {
		words = append(words, strings.Join(st.Parameters, ","))
	}
	for _, c := range st.Conditions {
		words = append(words, map[bool]string{false: "if", true: "unless"}[c.Unless], c.Parameter)
	}
	return strings.Join(words, " ") + ": " + st.SQL + "\n"
}

// What an editor on another system makes of a file changes nothing.
func TestParseReadsWhatEditorsMake(t *testing.T) {
	want, err := script.Parse(strings.NewReader(least), "f.sql")
	require.NoError(t, err)
	for name, text := range map[string]string{
		"ends of lines of DOS":  strings.ReplaceAll(least, "\n", "\r\n"),
		"a byte order mark":     "\ufeff" + least,
		"no last end of a line": strings.TrimSuffix(least, "\n"),
		"no last semicolon":     strings.TrimSuffix(least, ";\n"),
		"blanks and semicolons": strings.ReplaceAll(least, ";\n", " ; ;\n"),
		"directives in capitals": strings.ReplaceAll(least, "-- name:",
			"  --NAME :"),
	} {
		got, err := script.Parse(strings.NewReader(text), "f.sql")
		require.NoError(t, err, name)
		require.Empty(t, cmp.Diff(told(want), told(got)), name)
	}
}

func TestParseSaysThatItCannotRead(t *testing.T) {
	broken := errors.New("the disk is on fire")
	_, err := script.Parse(iotest.ErrReader(broken), "f.sql")
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "read f.sql: ")
}

// A comment that is only a comment is none of the parser's business.
func TestParseLeavesCommentsAlone(t *testing.T) {
	for _, comment := range []string{"-- note: x", "-- table: x", "-- todo:", "-- name", "--",
		"-- see https://sqlite.org", "-- i: x", "/* name: get */"} {
		_, err := script.Parse(strings.NewReader(comment+"\n"+least), "f.sql")
		require.NoError(t, err, comment)
	}
}

func TestAssemble(t *testing.T) {
	parts := []script.Part{
		{Name: "upsert", Text: "INSERT INTO m VALUES (:session, :key, :value)", Origin: "U"},
		{Name: "get", Text: "SELECT value FROM m WHERE s = :session AND k = :key;", Origin: "G"},
		{Name: "delete", Text: "-- tx: none\r\nDELETE FROM m;\r\n-- if: :changed\r\nDELETE FROM n",
			Origin: "D"},
		{Name: "list", Text: " \n", Origin: "L"},
	}
	s, err := script.Assemble("all", parts)
	require.NoError(t, err)
	require.Len(t, s.Operations, 3, "what has no text is left out")
	require.Equal(t, "D:4", s.Operation("delete").At(s.Operation("delete").Statements[1].Line))

	for _, c := range []struct {
		name, text, want string
	}{
		{"nothing", "", "G is empty; write the SQL of get"},
		{"a section", "-- name: get\nSELECT 1", "G:1: -- name: belongs into a file of SQL; this " +
			"is the text of get alone"},
		{"a parameter", "SELECT\n:x", "G:2: get: nothing sets :x; there are :session, :key, " +
			":now, and the columns that an earlier statement returns by name"},
	} {
		parts[1].Text = c.text
		_, err := script.Assemble("all", parts)
		require.EqualError(t, err, c.want, c.name)
	}
	_, err = script.Assemble("all", nil)
	require.EqualError(t, err, "all: there is no upsert")
}

// FuzzParse: whatever a file holds, it is read or refused at one of its lines.
func FuzzParse(f *testing.F) {
	f.Add(least)
	f.Add("-- pragma: a=b\n-- schema:\nCREATE TRIGGER t BEGIN; END;\n-- name: get\n-- if: :x\n'")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := script.Parse(strings.NewReader(text), "f.sql")
		if err != nil {
			require.Regexp(t, `\Af\.sql:[1-9][0-9]*: `, err.Error())
			return
		}
		for _, o := range s.Operations {
			require.NotEmpty(t, o.Statements)
			for _, st := range o.Statements {
				require.Contains(t, strings.ReplaceAll(text, "\r\n", "\n"), st.SQL)
				require.LessOrEqual(t, st.Line, 1+strings.Count(text, "\n"))
			}
		}
	})
}
