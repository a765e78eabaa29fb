package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

const stores = "../../store/sqlite"

// TestStoresOverEachDriver runs the tests of package sqlite over each driver but the default, which
// they take themselves. They are compiled with one file more, that links the drivers in.
func TestStoresOverEachDriver(t *testing.T) {
	suite := compile(t)
	for _, d := range sqlite.Drivers() {
		if d.Name == sqlite.DefaultDriver {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			args := []string{"-test.timeout=5m", "-test.failfast"}
			if testing.Short() {
				args = append(args, "-test.short")
			}
			run := exec.CommandContext(t.Context(), suite, args...)
			run.Dir, run.Env = stores, append(os.Environ(), "MEMRACE_DRIVER="+d.Name)
			out, err := run.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}

// compile returns the test program.
func compile(t *testing.T) string {
	t.Helper()
	linked, err := filepath.Abs(filepath.Join(stores, "linked_test.go"))
	require.NoError(t, err)
	overlay, err := json.Marshal(map[string]map[string]string{
		"Replace": {linked: filepath.Join("testdata", "linked_test.go")}})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o644))
	suite := filepath.Join(t.TempDir(), "suite")
	args := []string{"test", "-c", "-overlay", file, "-o", suite}
	if raceDetector {
		args = append(args, "-race")
	}
	out, err := exec.CommandContext(t.Context(), "go",
		append(args, "memrace/store/sqlite")...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return suite
}
