package proc_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
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
	require.Empty(t, kept.LastWords())
	line := strings.Repeat("x", 99) + "\n"
	for range proc.MaxTail {
		_, err := kept.Write([]byte(line))
		require.NoError(t, err)
	}
	_, err := kept.Write([]byte("the end\n \n"))
	require.NoError(t, err)
	require.Len(t, kept.Text(), proc.MaxTail)
	require.True(t, strings.HasSuffix(kept.Text(), line+"the end\n \n"))
	require.Equal(t, "the end", kept.LastWords())
}

const python = "Traceback (most recent call last):\n  File \"m.py\", line 3, in <module>\n" +
	"    open()\n"

// What a program says when it ends with a stack is not always in the last line.
func TestLastWords(t *testing.T) {
	for _, tc := range []struct{ name, said, want, why string }{
		{"Python", "starting\n" + python + "RuntimeError: no db\nfor you\n",
			"RuntimeError: no db\nfor you", "a message has as many lines as it likes"},
		{"Python, twice", python + "KeyError: 'a'\n\nDuring handling of the above exception, " +
			"another exception occurred:\n\n" + python + "OSError: no db\n", "OSError: no db",
			"the one that ended it"},
		{"Python, and it went on", python + "KeyError: 'a'\n\ngiving up\n", "giving up",
			"the stack is of something else"},
		{"JavaScript", "/m.js:3\nthrow new Error()\n^\n\nError: no db\n" +
			"    at open (/m.js:3:7)\n    at node:internal/main:28:49\n\nNode.js v20.20.2\n",
			"Error: no db", "which version it is does not matter"},
		{"JavaScript, with members", "Error: no foo\nRequire stack:\n- /m.js\n" +
			"    at f (/m.js:1:1) {\n  code: 'MODULE'\n}\n\nNode.js v20.20.2\n",
			"Error: no foo\nRequire stack:\n- /m.js", ""},
		{"Go", "opened\npanic: no db\n\ngoroutine 1 [running]:\nmain.main()\n\t/m.go:3 +0x1d\n",
			"panic: no db", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var kept proc.Tail
			_, err := kept.Write([]byte(tc.said))
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(tc.want, kept.LastWords()), tc.why)
		})
	}
}
