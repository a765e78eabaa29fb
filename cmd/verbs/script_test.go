package verbs

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// quickExit spares each of hundreds of processes the second that the race detector sleeps at its
// end.
const quickExit = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	// This program is a test; the command is the one that testscript finds.
	executable = func() (string, error) { return exec.LookPath("memrace") }
	if _, set := os.LookupEnv("GORACE"); !set {
		_ = os.Setenv("GORACE", quickExit) // it is a good name
	}
	testscript.Main(m, map[string]func(){"memrace": Main})
}

// TestScripts runs the command as a person does. Each verb and each exit status has a script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", quickExit)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status, "until": until, "oneline": oneLineOf, "repeat": repeat,
			"only": only,
		},
	})
}

// status N COMMAND ... runs a command that has to exit with status N.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if e := new(exec.ExitError); errors.As(err, &e) {
		got = e.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// oneline TEXT: standard error of the command before is a single line that has TEXT in it.
func oneLineOf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: oneline text")
	}
	text := ts.ReadFile("stderr")
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") {
		ts.Fatalf("standard error has to be one line:\n%s", text)
	}
	if !strings.Contains(text, args[0]) {
		ts.Fatalf("standard error has no %q:\n%s", args[0], text)
	}
}

// until GLOB waits until a file of that name is there.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: until glob")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		found, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		if len(found) > 0 {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			ts.Fatalf("nothing matches %s", args[0])
		}
	}
}

// only DIR NAME sets the variable NAME to the only thing in a directory.
func only(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: only DIR NAME")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(entries) != 1 {
		ts.Fatalf("%s has %d entries, want 1", args[0], len(entries))
	}
	ts.Setenv(args[1], entries[0].Name())
}

// repeat N runs the command that the run before printed as the one that repeats it; it has to
// exit with status N.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: repeat N")
	}
	_, rest, found := strings.Cut(ts.ReadFile("stdout"), "repeat:")
	if !found {
		ts.Fatalf("no command to repeat the run was printed")
	}
	line, _, _ := strings.Cut(rest, "\n")
	status(ts, false, append(args, strings.Fields(line)...))
}
