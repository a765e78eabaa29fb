package workers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A store with a data race has to be caught by the race detector when it is played. The detector
// knows what is ordered rather than what took place when, so recorders, clocks and counters that
// the clients shared would hide the race. The two sides of this one are far apart in time.
func TestRecordingHidesNoRace(t *testing.T) {
	for _, tool := range []string{"go", "gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the race detector needs %s: %v", tool, err)
		}
	}
	racy := filepath.Join(t.TempDir(), "racy")
	build := exec.Command("go", "build", "-race", "-o", racy, "./testdata/racy")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	const runs = 20
	caught := func(args ...string) (n int) {
		for range runs {
			if seesRace(t, racy, args...) {
				n++
			}
		}
		t.Logf("%v: caught in %d of %d runs", args, n, runs)
		return n
	}
	require.GreaterOrEqual(t, caught(), runs-2, "something that the clients share orders them")
	require.LessOrEqual(t, caught("ordered"), runs/2, "what clients share would go unnoticed here")
}

// seesRace runs the program, which either ends well or reports the race and nothing else.
func seesRace(t *testing.T, program string, args ...string) bool {
	t.Helper()
	cmd := exec.Command(program, args...)
	// The detector forgets where an old access was made, and then does not report it. Before the
	// exit it would wait a second for reports of others, but nobody is left by then.
	cmd.Env = append(os.Environ(), "GORACE=history_size=7 atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return false
	}
	require.Contains(t, string(out), "WARNING: DATA RACE")
	require.Contains(t, string(out), "(*racy).Upsert")
	return true
}
