package proc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
			`input: line 1 is no request, since its "op" is not init: "{\"id\":0,\"op\":\"get\"}"`},
		{"no file", openMemory, `{"id":0,"op":"init","threads":1}` + "\n",
			`input: line 1 is no request, since it has no "db" or no "threads": ` +
				`"{\"id\":0,\"op\":\"init\",\"threads\":1}"`},
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
