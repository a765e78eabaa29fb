//go:build unix

package proc_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store/proc"
)

// grandchild waits until the child of s has said which process it started.
func grandchild(t *testing.T, s *proc.Store) int {
	t.Helper()
	pid := 0
	require.Eventually(t, func() bool {
		n, err := fmt.Sscanf(string(s.Stderr()), "left %d\n", &pid)
		return n == 1 && err == nil
	}, time.Minute, time.Millisecond)
	require.NoError(t, syscall.Kill(pid, 0), "it runs")
	return pid
}

// gone waits until nothing has that number any more, not even the record of how it ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool { return syscall.Kill(pid, 0) == syscall.ESRCH },
		time.Minute, time.Millisecond)
}

// However a store ends, no process that it began is left.
func TestNoOrphans(t *testing.T) {
	for _, tc := range []struct {
		name string
		end  func(*proc.Store)
	}{
		{"close", func(s *proc.Store) { _ = s.Close() }},
		{"kill", func(s *proc.Store) { s.Kill() }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := proc.Open(t.Context(), t.TempDir(), child("parent"))
			require.NoError(t, err)
			pid := grandchild(t, s)
			tc.end(s)
			gone(t, pid)
			if tc.name == "kill" {
				require.NoError(t, s.Close(), "whoever kills a child knows how it ended")
			}
		})
	}
}
