package history_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/stress/history"
)

func TestRowsSurvive(t *testing.T) {
	at := time.Date(2026, 1, 31, 12, 0, 0, 5, time.UTC)
	rows := []store.Row{
		{Session: store.TextField("a"), Key: store.TextField("a\n\xff"), Value: store.TextField(""),
			UpdatedAt: at},
		{Session: store.Field{Type: store.Blob, Text: "a\x00\""}, Key: store.Field{}},
		{Session: store.Field{Type: store.Integer, Text: "-5"}, Value: store.TextField("null"),
			Key: store.Field{Type: store.Real, Text: "5.5e-300"}},
		{Value: store.Field{Type: store.Blob}, UpdatedAt: at.Truncate(time.Second)},
	}
	var file bytes.Buffer
	require.NoError(t, history.WriteRows(&file, rows))
	requireEqual(t, `memrace-rows 1
# session key value updated_at
"a" x"610aff" "" 2026-01-31T12:00:00.000000005Z
blob"610022" null null -
integer"-5" real"5.5e-300" "null" -
null null blob"" 2026-01-31T12:00:00Z
`, file.String())
	got, err := history.ReadRows(&file, "file")
	require.NoError(t, err)
	requireEqual(t, rows, got)
}

func TestManyRowsSurvive(t *testing.T) {
	rows := make([]store.Row, 10000)
	for i := range rows {
		rows[i].Value = store.TextField(fmt.Sprint(i))
	}
	var file bytes.Buffer
	require.NoError(t, history.WriteRows(&file, rows))
	got, err := history.ReadRows(&file, "file")
	require.NoError(t, err)
	requireEqual(t, rows, got)
}

func TestRowsSyntaxErrors(t *testing.T) {
	const fields = `want a text in quotes, null, blob"hex", integer"5" or real"5.5"`
	tests := []struct{ name, line, want string }{
		{"number", `integer"5.5" null null -`, `the session is "integer\"5.5\""; ` + fields},
		{"type", `null text"5" null -`, `the key is "text\"5\""; ` + fields},
		{"null", `nil null null -`, `the session is "nil"; ` + fields},
		{"blob", `blob"f" null null -`, `the blob is no hex; want pairs of hex digits`},
		{"bare", `5 null null -`, `the session is "5"; want a text in quotes`},
		{"time", `null null null yesterday`,
			`the time is "yesterday"; want one such as 2026-01-31T12:00:00.5Z, or -`},
		{"year", `null null null 0000-01-01T00:00:00+00:10`, `the time is ` +
			`"0000-01-01T00:00:00+00:10"; want one such as 2026-01-31T12:00:00.5Z, or -`},
		{"missing", `null null null`, `the line ends where its time should be; ` +
			`want session key value updated_at`},
		{"garbage", `null null null - more`,
			`"more" behind the end of the row; want nothing, or # and a comment`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := history.ReadRows(strings.NewReader("memrace-rows 1\n\n"+tt.line+"\n"), "f")
			requireEqual(t, "f:3: "+tt.want, fmt.Sprint(err))
			_, err = history.ReadRows(strings.NewReader("memrace-rows 1\n"+tt.line), "f")
			requireEqual(t, "f:2: "+tt.want+cut, fmt.Sprint(err))
		})
	}
	for _, text := range []string{"", "null null null -\n", "memrace-history 1\n"} {
		_, err := history.ReadRows(strings.NewReader(text), "f")
		require.EqualError(t, err,
			`f:1: these are no rows of memrace; want "memrace-rows 1" in line 1`)
	}
}

func TestWriteRowsRefuses(t *testing.T) {
	tests := []struct {
		name string
		row  store.Row
		want string
	}{
		{"integer", store.Row{Key: store.Field{Type: store.Integer, Text: "x"}},
			`write rows: row 0: field of type integer is "x"`},
		{"type", store.Row{Key: store.Field{Type: 9}},
			`write rows: row 0: field of type unknown is ""`},
		{"null", store.Row{Key: store.Field{Text: "x"}},
			`write rows: row 0: field of type null is "x"`},
		{"year", store.Row{UpdatedAt: time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)},
			`write rows: row 0: the time is in the year 12000`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := history.WriteRows(io.Discard, []store.Row{tt.row})
			require.EqualError(t, err, tt.want)
		})
	}
}

func FuzzReadRows(f *testing.F) {
	f.Add("memrace-rows 1\n\"a\" blob\"00ff\" integer\"5\" 2026-01-31T12:00:00.5Z\n")
	f.Add("memrace-rows 1\nnull real\"-5.5\" x\"ff\" - # end")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := history.ReadRows(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		var file bytes.Buffer
		require.NoError(t, history.WriteRows(&file, rows))
		got, err := history.ReadRows(&file, "f")
		require.NoError(t, err)
		requireEqual(t, rows, got)
	})
}
