package proc_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/proc"
)

// What does not even open is said in one line.
func TestOpenFails(t *testing.T) {
	const remedy = "; upsert, get and delete are what every store has, but for one that has " +
		"append and items instead"
	for _, tc := range []struct{ name, child, want, why string }{
		{"exits at once", "exits", `init: the child ended with exit status 1; ` +
			`it said last: "no module named memory"`, "how it ended, and why"},
		{"never answers", "mute", "init: no answer within 300ms", "nobody waits for ever"},
		{"refuses", "refuses", "init: no disk", "the child's own words"},
		{"other version", "modern", "init: the child speaks version 2 of the protocol; " +
			"this is version 1", ""},
		{"no version", "nameless", `init: the child's answer has no "proto"; it has to be 1`, ""},
		{"a bound that is no number", "boundless", `init: the child's answer: "bounded" is a ` +
			"text; it has to be a whole number", "in words, not in Go's"},
		{"no operations", "idle", `init: the child's answer names no upsert in "ops"` + remedy,
			"it can do nothing"},
		{"no get", "forgetful", `init: the child's answer names no get in "ops"` + remedy,
			"every profile would ask for it"},
		{"lists and a part of slots", "half list",
			`init: the child's answer names no get in "ops"` + remedy, "slots are whole or none"},
		{"prints on standard output", "chatty", "init: the child's standard output: line 1 is no " +
			"answer, since it is no JSON object of the right shape: \"opening the database\"; " +
			"what is no answer belongs on standard error", "the remedy"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := child(tc.child)
			if tc.child == "mute" {
				c.CallTimeout = 300 * time.Millisecond
			}
			s, err := proc.Open(t.Context(), t.TempDir(), c)
			require.Nil(t, s)
			if diff := cmp.Diff("start "+os.Args[0]+": "+tc.want, err.Error()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.why, diff)
			}
		})
	}
}

// A store of nothing but lists needs no slots.
func TestOpenList(t *testing.T) {
	s, err := proc.Open(t.Context(), t.TempDir(), child("list"))
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

func TestProgramThatIsNotThere(t *testing.T) {
	c, err := proc.ParseCommand("memrace-no-such-program --fast")
	require.NoError(t, err)
	s, err := c.Opener()(t.Context(), t.TempDir())
	require.Nil(t, s)
	require.ErrorIs(t, err, exec.ErrNotFound)
	require.EqualError(t, err, `start memrace-no-such-program: exec: "memrace-no-such-program": `+
		`executable file not found in $PATH`)
}

// tell is what a child said of a call: its outcome, class and text.
type tell struct {
	NotApplied  bool
	Class, Text string
}

func told(err error) tell {
	var c store.Classer
	if !errors.As(err, &c) {
		return tell{Text: "no class"}
	}
	return tell{errors.Is(err, store.ErrNotApplied), c.Class(), err.Error()}
}

// A child that goes wrong in its first answer leaves that call unknown, if nothing has come for it,
// and every later one is not applied.
func TestCallFails(t *testing.T) {
	const since = "the child's standard output: line 2 is no answer, since "
	const remedy = "; what is no answer belongs on standard error"
	for _, tc := range []struct{ name, child, class, text, why string }{
		{"unknown id", "stranger", "protocol", since + `there was no such call: ` +
			`"{\"id\":99,\"type\":\"ok\"}"` + remedy, ""},
		{"debug text", "debug", "protocol", since + "it is no JSON object of the right shape: " +
			`"DEBUG call 1"` + remedy, "one line of another kind, and nothing can be relied on"},
		{"100 MB on a line", "long", "protocol",
			"the child's standard output: line 2 is longer than 64 MiB", "memory has an end"},
		{"ends", "dies", "exit", "the child ended with exit status 7", ""},
		{"ends in an answer", "half", "exit", "the child ended with exit status 7",
			"half a line is not the child's fault"},
		{"asks what to write", "asks", "protocol", since + "the call is no update, or its value " +
			`was asked for before: "{\"id\":1,\"type\":\"seen\",\"found\":false}"` + remedy, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := proc.Open(t.Context(), t.TempDir(), child(tc.child))
			require.NoError(t, err)
			_, err = s.Upsert(t.Context(), "s", "k", "v")
			want := tell{false, tc.class, "upsert: " + tc.text}
			if diff := cmp.Diff(want, told(err)); diff != "" {
				t.Errorf("the call, %s (-want +got):\n%s", tc.why, diff)
			}
			_, _, err = s.Get(t.Context(), "s", "k")
			want = tell{true, tc.class, "get: " + tc.text}
			if diff := cmp.Diff(want, told(err)); diff != "" {
				t.Errorf("the next call, %s (-want +got):\n%s", tc.why, diff)
			}
			require.EqualError(t, s.Close(), tc.text)
		})
	}
}

// The first answer is good, so the call is; the second one is found out.
func TestAnswersTwice(t *testing.T) {
	s, err := proc.Open(t.Context(), t.TempDir(), child("twice"))
	require.NoError(t, err)
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
	require.EqualError(t, s.Close(), "the child's standard output: line 3 is no answer, "+
		`since the call was answered before: "{\"id\":1,\"type\":\"ok\"}"; `+
		"what is no answer belongs on standard error")
}

func TestCloseFails(t *testing.T) {
	for _, tc := range []struct{ name, child, want, why string }{
		{"ignores the end of its input", "deaf", "the child had not ended 5s after the " +
			"end of its input, so it was killed", ""},
		{"ends badly", "status", "the child ended with exit status 1; it said last: " +
			`"could not close the database"`, "a store that cannot close may have lost something"},
		{"leaves a process behind", "parent", "the child ended and left a process behind " +
			"that held its standard output; that was killed", "it might write to the store still"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel() // they wait
			s, err := proc.Open(t.Context(), t.TempDir(), child(tc.child))
			require.NoError(t, err)
			require.EqualError(t, s.Close(), tc.want, tc.why)
			require.EqualError(t, s.Close(), tc.want, "closing again says the same")
		})
	}
}

// What the child writes to standard error is kept beside its data, with its number.
func TestStandardErrorIsKept(t *testing.T) {
	dir := t.TempDir()
	c := child("status")
	c.Instance = 3
	for range 2 {
		s, err := proc.Open(t.Context(), dir, c)
		require.NoError(t, err)
		require.Error(t, s.Close())
		require.Equal(t, "could not close the database\n", string(s.Stderr()))
	}
	text, err := os.ReadFile(filepath.Join(dir, "stderr-3.txt"))
	require.NoError(t, err)
	require.Equal(t, "could not close the database\ncould not close the database\n", string(text))

	s, err := proc.Open(t.Context(), t.TempDir(), child("memory"))
	require.NoError(t, err)
	require.NoError(t, s.Close())
	_, err = os.Stat(filepath.Join(dir, "stderr-0.txt"))
	require.ErrorIs(t, err, fs.ErrNotExist, "nothing was said")
}
