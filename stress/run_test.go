package stress_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress"
)

func TestRunOnARightStore(t *testing.T) {
	stress.Run(t, open(t, "wal"), stress.Config{Profile: "hot", Ops: 4000})
}

// childStore names the store that TestRunAsChild runs on; it is skipped without.
const childStore = "MEMRACE_TEST_CHILD"

// childFails makes TestRunAsChild fail whatever the store does.
const childFails = "MEMRACE_TEST_CHILD_FAILS"

func TestRunAsChild(t *testing.T) {
	name := os.Getenv(childStore)
	if name == "" {
		t.Skip("only run by TestRunOnAWrongStore, which expects it to fail")
	}
	stress.Run(t, open(t, name), stress.Config{Profile: "uniform", Ops: 2000, Seed: 3})
	if os.Getenv(childFails) != "" {
		t.Error("another reason")
	}
}

// A wrong store fails the subtest of the property that catches it, and no other one that holds;
// the failure has the story, the evidence and a command.
func TestRunOnAWrongStore(t *testing.T) {
	temp := t.TempDir()
	out, err := child(t, temp, "mutant/get-any-session", "-test.run=^TestRunAsChild$")
	require.Error(t, err, out)
	require.Contains(t, out, "--- FAIL: TestRunAsChild/isolation")
	require.Contains(t, out, "--- PASS: TestRunAsChild/integrity")
	require.Contains(t, out, "cross-session leak")
	require.Regexp(t, "MEMRACE_SEED=3 MEMRACE_PROFILE=uniform MEMRACE_CLIENTS=8 "+
		`MEMRACE_OPS=2000 go test -C \S+(?: -race)? -count=1 -run '\^TestRunAsChild\$' \.`, out)
	kept, err := filepath.Glob(filepath.Join(temp, "memrace-*", stress.HistoryFile))
	require.NoError(t, err)
	require.Len(t, kept, 1, "the evidence outlives the test")
	require.Contains(t, out, kept[0])
}

// A test that fails although every property holds, as after a data race, has the evidence too.
func TestRunThatFailsForAnotherReason(t *testing.T) {
	t.Setenv(childFails, "1")
	temp := t.TempDir()
	out, err := child(t, temp, "wal", "-test.run=^TestRunAsChild$")
	require.Error(t, err, out)
	require.Contains(t, out, "--- PASS: TestRunAsChild/linearizability")
	require.Contains(t, out, "failed, although every property holds")
	require.Contains(t, out, "repeat:  MEMRACE_SEED=3 ")
	kept, err := filepath.Glob(filepath.Join(temp, "memrace-*", stress.HistoryFile))
	require.NoError(t, err)
	require.Len(t, kept, 1)
}

func TestRunOfOneProperty(t *testing.T) {
	out, err := child(t, t.TempDir(), "mutant/get-any-session",
		"-test.run=^TestRunAsChild$/^integrity$")
	require.NoError(t, err, out)
	require.NotContains(t, out, "TestRunAsChild/isolation")
}

func TestRunLeavesNothingBehindWhenAllIsRight(t *testing.T) {
	temp := t.TempDir()
	out, err := child(t, temp, "wal", "-test.run=^TestRunAsChild$")
	require.NoError(t, err, out)
	require.Empty(t, files(t, temp))
}

func child(t *testing.T, temp, name string, args ...string) (string, error) {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), exe, append(args, "-test.v", "-test.count=1")...)
	cmd.Env = append(os.Environ(), childStore+"="+name, "TMPDIR="+temp)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
