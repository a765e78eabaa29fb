package proc_test

import (
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
