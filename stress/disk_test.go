//go:build linux && cgo

package stress_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/disk"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/fault"
)

// writeErrors returns at which writes the disk fails in turn: at all of the first 200 if
// MEMRACE_SEEDS is 200, else at some of them.
func writeErrors(t *testing.T) (all []int) {
	n := 8
	if text := os.Getenv("MEMRACE_SEEDS"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		require.NoError(t, err, "MEMRACE_SEEDS")
	}
	for i := 1; i <= 200; i += max(1, 200/n) {
		all = append(all, i)
	}
	return all
}

// Whatever write fails, the store says of no call what is not so, and comes out whole.
func TestWriteErrors(t *testing.T) {
	for _, name := range []string{"wal,synchronous=full,disk=on", "shared,disk=on"} {
		struck := int64(0)
		for _, nth := range writeErrors(t) {
			before := disk.Counts()
			faults := fault.Faults{Disk: disk.Faults{WriteError: disk.Strike{Nth: nth}}}
			r, err := stress.Check(t.Context(), open(t, name), filepath.Join(t.TempDir(), "run"),
				stress.Config{Ops: 300, Seed: uint64(nth), Profile: "hot", Faults: faults})
			require.NoError(t, err)
			require.NotEqual(t, check.Violated, r.State(), "%s, write %d: %v", name, nth, r.Stories)
			require.Empty(t, r.Goroutines)
			struck += disk.Counts().Struck.WriteErrors - before.Struck.WriteErrors
		}
		require.Positive(t, struck, "the disk did fail")
	}
}

// A disk that is full refuses writes, and what was acknowledged before is there.
func TestFullDisk(t *testing.T) {
	full := fault.Faults{Disk: disk.Faults{Full: disk.Strike{Nth: 100, Onward: true}}}
	r, err := stress.Check(t.Context(), open(t, "wal,disk=on"), filepath.Join(t.TempDir(), "run"),
		stress.Config{Ops: 2000, Seed: 1, Faults: full})
	require.NoError(t, err)
	require.Equal(t, check.Holds, r.State(), "%v", r.Verdicts)
	refused := 0
	for _, op := range r.Evidence.History.Ops {
		if op.Class.String() == "full" {
			refused++
		}
	}
	require.Positive(t, refused)
}
