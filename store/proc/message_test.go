package proc_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"memrace/store/proc"
)

var answerLines = []string{
	`{"id":7,"type":"ok","t0":123,"t1":456}`,
	`{"id": 7, "type": "ok", "found": true, "value": "caf` + "\u00e9" + `"}`,
	`{"id":7,"type":"ok","found":false,"value":""}`, `{"id":-0,"type":"info"}`,
	`{"id":7,"type":"fail","error":"x"}`, `{"id":7,"id":8,"type":"seen"}`,
	`{"id":7,"type":"ok","found":null}`, `{"id":7,"value":"\u00e9"}`, `{"id":007}`, `{"id":1e3}`,
	`{"id":9223372036854775808}`, `{"id":7,}`, `{"id":7} x`, `{}`, `[]`, `{"id":7,"found":1}`,
	`{"id":7,"value":5}`, `{"ID":7,"Type":"ok"}`, "{\"id\":7,\"value\":\"\xff\"}",
	`{"id":7,"type":"ok","updated_at":-5}`, ` { "id" : 7 } `, `{"id":7 "type":"ok"}`,
}

// What the short way to read an answer takes, it reads as encoding/json does.
func FuzzAnswer(f *testing.F) {
	for _, line := range answerLines {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if short, long, ok := proc.Simple(line); ok {
			require.Equal(t, long, short, "%q", line)
		}
	})
}

func FuzzRequest(f *testing.F) {
	for _, line := range append(answerLines, `{"id":7,"op":"get","session":"s","key":"k"}`) {
		f.Add([]byte(line), "s", "k", "v")
	}
	f.Fuzz(func(t *testing.T, line []byte, session, key, value string) {
		if short, long, ok := proc.SimpleRequest(line); ok {
			require.Equal(t, long, short, "%q", line)
		}
		s, k, v, err := proc.RoundTrip(1, session, key, value)
		if !utf8.ValidString(session) || !utf8.ValidString(key) || !utf8.ValidString(value) {
			require.Error(t, err, "JSON cannot carry it")
			return
		}
		require.NoError(t, err)
		require.Equal(t, []string{session, key, value}, []string{s, k, v})
	})
}

// A text that is refused is one of which encoding/json makes another, and no other text is.
func FuzzUnicodeText(f *testing.F) {
	for _, text := range []string{`"a"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ude00"`, `"\\ud83d"`,
		`"\ufffd"`, "\"\xff\"", `"\uD83D\n\uDE00"`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, quoted []byte) {
		var got string
		if len(quoted) == 0 || quoted[0] != '"' || json.Unmarshal(quoted, &got) != nil {
			t.Skip("it is no string")
		}
		replaced := strings.ContainsRune(got, utf8.RuneError)
		if !proc.UnicodeText(quoted) {
			require.True(t, replaced, "%q", quoted)
			return
		}
		if !strings.Contains(strings.ToLower(string(quoted)), `fffd`) &&
			!bytes.Contains(quoted, []byte("\uFFFD")) {
			require.False(t, replaced, "%q", quoted)
		}
	})
}

// The short way goes where it is meant to, else it would be of no use.
func TestSimpleAnswers(t *testing.T) {
	for _, line := range []string{
		`{"id":7,"type":"ok","t0":123,"t1":456}`,
		`{"id": 7, "type": "ok", "found": true, "value": "v"}`,
		`{"id":7,"type":"ok","found":false}`,
	} {
		_, _, ok := proc.Simple([]byte(line))
		require.True(t, ok, line)
	}
}

func TestTail(t *testing.T) {
	var kept proc.Tail
	require.Empty(t, kept.LastLine())
	line := strings.Repeat("x", 99) + "\n"
	for range proc.MaxTail {
		_, err := kept.Write([]byte(line))
		require.NoError(t, err)
	}
	_, err := kept.Write([]byte("the end\n \n"))
	require.NoError(t, err)
	require.Len(t, kept.Text(), proc.MaxTail)
	require.True(t, strings.HasSuffix(kept.Text(), line+"the end\n \n"))
	require.Equal(t, "the end", kept.LastLine())
}
