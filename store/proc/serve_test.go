package proc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/proc"
)

const initLine = `{"id":0,"op":"init","db":"/tmp/x/m.db","threads":2,"options":{}}` + "\n"

// exchange gives the far end the lines of input and returns its answers, by id.
func exchange(t *testing.T, open store.Opener, input string) (map[int]map[string]any, error) {
	t.Helper()
	var out bytes.Buffer
	err := proc.Serve(t.Context(), strings.NewReader(input), &out, open)
	answers := map[int]map[string]any{}
	for line := range strings.Lines(out.String()) {
		var a map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &a), line)
		answers[int(a["id"].(float64))] = a
	}
	return answers, err
}

func TestServe(t *testing.T) {
	answers, err := exchange(t, openMemory, initLine+
		`{"id":1,"op":"upsert","session":"s","key":"k","value":"v"}`+"\n"+
		`{"id":2,"op":"ping"}`+"\n"+
		`{"id":3,"op":"fly","session":"s"}`+"\n"+
		`{"id":4,"op":"change","value":"nobody asked"}`+"\n"+
		`{"id":5,"op":"cancel"}`+"\n"+
		`{"id":6,"op":"get"`)
	require.NoError(t, err)
	require.Len(t, answers, 4, "a change and half a line have no answer")
	require.Equal(t, "ok", answers[0]["type"])
	require.InDelta(t, 1, answers[0]["proto"], 0)
	require.Equal(t, "memory", answers[0]["name"])
	require.Equal(t, []any{"upsert", "get", "delete", "ping", "update", "take", "list", "clear",
		"append", "items", "dump"}, answers[0]["ops"])
	require.Equal(t, "ok", answers[1]["type"])
	require.InDelta(t, noted.UnixNano(), answers[1]["updated_at"], 1e3)
	require.Equal(t, "ok", answers[2]["type"])
	require.Equal(t, "fail", answers[3]["type"])
	require.Equal(t, `there is no operation "fly"`, answers[3]["error"])
}

// An update that waits for its change when the input ends is given up, and so is what waits for it.
func TestServeEndsUpdates(t *testing.T) {
	answers, err := exchange(t, openMemory, initLine+
		`{"id":1,"op":"update","session":"s","key":"k"}`+"\n"+
		`{"id":2,"op":"update","session":"s","key":"k"}`+"\n")
	require.NoError(t, err)
	for id := 1; id <= 2; id++ {
		require.Contains(t, []any{"info", "fail"}, answers[id]["type"])
	}
}

// An update that is told nothing to write says why, and writes nothing.
func TestServeUpdateWithoutValue(t *testing.T) {
	for _, tc := range []struct{ name, reply, want string }{
		{"no value", `{"id":1,"op":"change"}`, `change: it has no "value"`},
		{"no text", `{"id":1,"op":"change","value":{}}`, `change: "value" is no text`},
		{"cancelled", `{"id":1,"op":"cancel"}`, "it was cancelled"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in, requests := io.Pipe()
			answers, out := io.Pipe()
			served := make(chan error, 1)
			go func() {
				served <- errors.Join(proc.Serve(t.Context(), in, out, openMemory), out.Close())
			}()
			said := json.NewDecoder(answers)
			ask := func(line string) (a map[string]any) {
				_, err := io.WriteString(requests, line+"\n")
				require.NoError(t, err)
				require.NoError(t, said.Decode(&a))
				return a
			}
			ask(strings.TrimSpace(initLine))
			require.Equal(t, "seen", ask(`{"id":1,"op":"update","session":"s","key":"k"}`)["type"])
			got := ask(tc.reply)
			require.Equal(t, "info", got["type"], "nobody knows what the store made of it")
			require.Equal(t, tc.want, got["error"])
			require.Equal(t, false, ask(`{"id":2,"op":"get","session":"s","key":"k"}`)["found"])
			require.NoError(t, requests.Close())
			require.NoError(t, <-served)
		})
	}
}

type picky struct{ nothing }

func (picky) Upsert(context.Context, string, string, string) (time.Time, error) {
	return time.Time{}, store.ErrNotApplied
}
func (picky) Delete(context.Context, string, string) error { return errors.New("disk on fire") }
func (picky) Close() error                                 { return errors.New("close: no") }

func TestServeTellsOutcomes(t *testing.T) {
	answers, err := exchange(t, func(context.Context, string) (store.Store, error) {
		return picky{}, nil
	}, initLine+`{"id":1,"op":"upsert","session":"s","key":"k","value":"v"}`+"\n"+
		`{"id":2,"op":"delete","session":"s","key":"k"}`+"\n")
	require.EqualError(t, err, "close: no")
	require.Equal(t, "fail", answers[1]["type"])
	require.Equal(t, "not applied", answers[1]["error"])
	require.Equal(t, "info", answers[2]["type"])
	require.Equal(t, "disk on fire", answers[2]["error"])
}

func TestServeErrors(t *testing.T) {
	fails := func(context.Context, string) (store.Store, error) {
		return nil, errors.New("no disk")
	}
	for _, tc := range []struct {
		name  string
		open  store.Opener
		input string
		want  string
	}{
		{"no input", openMemory, "", "the input ended before an init"},
		{"no init", openMemory, `{"id":0,"op":"get"}` + "\n",
			`input: line 1 is no request, since the first "op" is "get"; it has to be init: ` +
				`"{\"id\":0,\"op\":\"get\"}"`},
		{"options", openMemory, strings.Replace(initLine, "{}", `{"a":"b"}`, 1),
			"open the store: there are no options, but init has map[a:b]"},
		{"does not open", fails, initLine, "open the store: no disk"},
		{"no request", openMemory, initLine + "hello\n", "input: line 2 is no request, since it " +
			`is no JSON object of the right shape: "hello"`},
		{"no id", openMemory, initLine + `{"op":"get"}` + "\n", "input: line 2 is no request, " +
			`since it has no "id" or no "op": "{\"op\":\"get\"}"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := exchange(t, tc.open, tc.input)
			require.EqualError(t, err, tc.want)
		})
	}
}

// What an init lacks is told to both sides: in the answer, and in the error.
func TestServeRefusesInit(t *testing.T) {
	for _, tc := range []struct{ name, init, want, why string }{
		{"no file", `"threads":1`, `init: it has no "db", the path of a file`, "it is needed"},
		{"a relative path", `"db":"x/m.db","threads":1`,
			`init: "db" is "x/m.db"; it has to be an absolute path`, "relative to what?"},
		{"no threads", `"db":"/x/m.db"`, `init: "threads" is 0; it has to be at least 1`,
			"none is too few"},
		{"a text", `"db":"/x/m.db","threads":"two"`,
			`"threads" is a text; it has to be a whole number`, "the right words for the kinds"},
		{"a fraction", `"db":"/x/m.db","threads":1.5`,
			`"threads" is the number 1.5; it has to be a whole number`, ""},
		{"a number", `"db":7,"threads":1`, `"db" is a number; it has to be a text`, ""},
		{"options", `"db":"/x/m.db","threads":1,"options":[]`,
			`"options" is a list; it has to be an object`, ""},
		{"an option", `"db":"/x/m.db","threads":1,"options":{"a":true}`,
			`"options" is true or false; it has to be a text`, "the member of a member"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			answers, err := exchange(t, openMemory, `{"id":0,"op":"init",`+tc.init+"}\n")
			require.ErrorContains(t, err, "input: line 1 is no request, since "+tc.want+": ")
			require.Equal(t, map[string]any{"id": 0.0, "type": "fail", "error": tc.want},
				answers[0], tc.why)
		})
	}
}

// A call that lacks something is not made, and its caller is told.
func TestServeRefusesCalls(t *testing.T) {
	const broken = `is no Unicode: a byte in it is no UTF-8, or an escape is half of a pair`
	for _, tc := range []struct{ name, call, want, why string }{
		{"no session", `"op":"get","key":"k"`, `get: it has no "session"`, ""},
		{"no key", `"op":"delete","session":"s"`, `delete: it has no "key"`, ""},
		{"no value", `"op":"upsert","session":"s","key":"k"`, `upsert: it has no "value"`, ""},
		{"null", `"op":"append","session":"s","value":null`, `append: it has no "value"`,
			"null is nothing"},
		{"a number", `"op":"take","session":"s","key":7`, `take: "key" is no text`, ""},
		{"half a pair", `"op":"clear","session":"\ud83d"`, `clear: "session" ` + broken, ""},
		{"the other half", `"op":"clear","session":"\ude00"`, `clear: "session" ` + broken, ""},
		{"two first halves", `"op":"clear","session":"\ud83d\ud83d\ude00"`,
			`clear: "session" ` + broken, ""},
		{"halves apart", `"op":"clear","session":"\ud83d.\ude00"`, `clear: "session" ` + broken,
			"only a pair has a meaning"},
		{"no UTF-8", `"op":"clear","session":"` + "\xff" + `"`, `clear: "session" ` + broken,
			""},
		{"twice", `"op":"get","session":"s","key":"k","key":5`, `get: "key" is no text`,
			"the last one counts"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			answers, err := exchange(t, openMemory, initLine+`{"id":1,`+tc.call+"}\n")
			require.NoError(t, err, "the calls that follow can be made")
			require.Equal(t, map[string]any{"id": 1.0, "type": "fail", "error": tc.want},
				answers[1], tc.why)
		})
	}
}

// Whatever escapes a text is written with, it is taken.
func TestServeTakesEscapes(t *testing.T) {
	answers, err := exchange(t, openMemory, strings.Replace(initLine, `"threads":2`,
		`"threads":1`, 1)+`{"id":1,"op":"append","session":"","value":`+
		`"\ud83d\uDE00\\ud83d\ufffd\u0000\n"}`+"\n"+`{"id":2,"op":"items","session":""}`+"\n")
	require.NoError(t, err)
	require.Equal(t, "ok", answers[1]["type"], answers[1])
	require.Equal(t, "ok", answers[2]["type"], answers[2])
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestServeOutputThatIsFull(t *testing.T) {
	err := proc.Serve(t.Context(), strings.NewReader(initLine), full{}, openMemory)
	require.EqualError(t, err, "write lines: no space left")
}

// crowd counts how many calls are in it at once.
type crowd struct {
	nothing
	now, most atomic.Int64
}

func (c *crowd) Get(context.Context, string, string) (string, bool, error) {
	n := c.now.Add(1)
	defer c.now.Add(-1)
	for most := c.most.Load(); n > most && !c.most.CompareAndSwap(most, n); most = c.most.Load() {
	}
	<-time.After(time.Millisecond) // so that others would come in if they could
	return "", false, nil
}

func TestServeKeepsToItsThreads(t *testing.T) {
	var c crowd
	var calls strings.Builder
	for i := range 20 {
		fmt.Fprintf(&calls, `{"id":%d,"op":"get","session":"s","key":"k"}`+"\n", i+1)
	}
	answers, err := exchange(t, func(context.Context, string) (store.Store, error) {
		return &c, nil
	}, initLine+calls.String())
	require.NoError(t, err)
	require.Len(t, answers, 21)
	require.Equal(t, int64(2), c.most.Load())
}
