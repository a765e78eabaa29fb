package check_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/stress/check"
	"memrace/stress/history"
)

const rowsHistory = `1 2 c1 upsert "a" "k" "x" ok
	3 4 c1 upsert "a" "j" "y" ok
	5 6 c1 upsert "b" "k" "z" ok
	7 8 c1 upsert "b" "k" "no" not-applied busy
	9 10 c2 get "a" "k" "x" ok
	90 91 dump get "a" "k" "x" ok
	92 93 dump get "a" "j" "y" ok
	94 95 dump get "b" "k" "z" ok`

func row(session, key, value string) store.Row {
	return store.Row{
		Session: store.TextField(session), Key: store.TextField(key),
		Value: store.TextField(value),
	}
}

func blob(s string) store.Field { return store.Field{Type: store.Blob, Text: s} }

var rowCases = []struct {
	name string
	rows []store.Row
	want check.Violation // its zero value: all is well
	why  string
}{
	{
		name: "as they should be",
		rows: []store.Row{row("a", "k", "x"), row("a", "j", "y"), row("b", "k", "z")},
		why:  "one row a slot, with what was written to it",
	}, {
		name: "no rows at all",
		why:  "whether that is right is a question for the final reads",
	}, {
		name: "value of another session",
		rows: []store.Row{row("a", "k", "z")},
		want: check.Violation{
			Property: check.Isolation, Anomaly: check.CrossSessionLeak,
			Sentence: `the row of session "a", key "k" has "z", which c1 wrote to session "b", ` +
				`key "k"`,
		},
		why: "a row leaks as a read does",
	}, {
		name: "value of another key",
		rows: []store.Row{row("a", "j", "x")},
		want: check.Violation{
			Property: check.Isolation, Anomaly: check.CrossKeyMixup, Slot: 1,
			Sentence: `the row of session "a", key "j" has "x", which c1 wrote to session "a", ` +
				`key "k"`,
		},
		why: "the owner is the same",
	}, {
		name: "value of a refused write",
		rows: []store.Row{row("b", "k", "no")},
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.FailedWriteRead, Slot: 2,
			Sentence: `the row of session "b", key "k" has "no", although c1's write of it was ` +
				`refused (busy) and must leave nothing behind`,
		},
		why: "not applied is a promise",
	}, {
		name: "value from nowhere",
		rows: []store.Row{row("b", "k", "who?")},
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.ValueFromNowhere, Slot: 2,
			Sentence: `the row of session "b", key "k" has "who?", which nobody wrote`,
		},
		why: "the history does not name the value at all",
	}, {
		name: "slot that nobody named",
		rows: []store.Row{row("A", "k", "x")},
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.StrayRow, Slot: check.NoSlot,
			Sentence: `the store keeps a row of session "A", key "k", which nobody wrote to`,
		},
		why: "names are compared byte for byte",
	}, {
		name: "blob for a value",
		rows: []store.Row{{
			Session: store.TextField("a"), Key: store.TextField("k"), Value: blob("x"),
		}},
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.StrayRow,
			Sentence: `the row of session "a", key "k" has a value that is blob "x" instead of ` +
				`text`,
		},
		why: "texts come back as texts",
	}, {
		name: "number for a key",
		rows: []store.Row{{
			Session: store.TextField("a"), Key: store.Field{Type: store.Integer, Text: "7"},
			Value: store.TextField("x"),
		}},
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.StrayRow, Slot: check.NoSlot,
			Sentence: `the row of session "a", key integer "7" has a key that is integer "7" ` +
				`instead of text`,
		},
		why: "a column without affinity for text turns 007 into 7",
	}, {
		name: "two rows alike",
		rows: []store.Row{row("a", "k", "x"), row("a", "k", "x")},
		want: check.Violation{
			Property: check.Uniqueness, Anomaly: check.DuplicateRow,
			Sentence: `the store keeps 2 rows for session "a", key "k"`,
		},
		why: "even with the same value it is one too many",
	}, {
		name: "text and blob",
		rows: []store.Row{row("a", "k", "x"), {
			Session: store.TextField("a"), Key: blob("k"), Value: store.TextField("x"),
		}},
		want: check.Violation{
			Property: check.Uniqueness, Anomaly: check.DuplicateRow,
			Sentence: `the store keeps 2 rows for session "a", key "k", one of them as session ` +
				`"a", key blob "k"`,
		},
		why: "a database takes them for two, the contract for one",
	}, {
		name: "nulls",
		rows: []store.Row{
			{Key: store.TextField("k"), Value: store.TextField("x")},
			{Key: store.TextField("k"), Value: store.TextField("x")},
			row("", "k", "x"),
		},
		want: check.Violation{
			Property: check.Uniqueness, Anomaly: check.DuplicateRow, Slot: check.NoSlot,
			Sentence: `the store keeps 3 rows for session null, key "k", one of them as session ` +
				`"", key "k"`,
		},
		why: "no two NULLs are equal to a database; the contract knows no NULL",
	},
}

func TestRows(t *testing.T) {
	for _, c := range rowCases {
		t.Run(c.name, func(t *testing.T) {
			e := history.Evidence{History: parse(t, rowsHistory), Rows: c.rows, Dumped: true}
			for _, v := range check.Judge(context.Background(), e, check.Options{}) {
				if v.Property == c.want.Property {
					require.Equal(t, []check.Violation{c.want}, v.Violations, c.why)
					require.Equal(t, 1, v.Count)
				} else if c.want.Property == "" {
					require.Equal(t, check.Holds, v.State, "%v: %s", v, c.why)
				}
			}
		})
	}
}

// TestDumpIsNotAccusedTwice has a row that a read of the dump stands for.
func TestDumpIsNotAccusedTwice(t *testing.T) {
	h := parse(t, `1 2 c1 upsert "a" "k" "x" ok
		3 4 c2 get "a" "k" "x" ok
		5 6 dump get "b" "k" "x" ok`)
	rows := []store.Row{row("a", "k", "x"), row("b", "k", "x")}
	e := history.Evidence{History: h, Rows: rows, Dumped: true}
	for _, v := range check.Judge(context.Background(), e, check.Options{}) {
		if v.Property == check.Isolation {
			require.Equal(t, 1, v.Count)
		}
	}
}
