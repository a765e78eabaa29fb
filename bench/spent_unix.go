//go:build unix

package bench

import (
	"syscall"
	"time"
)

// processorTime is how long processors have worked for this process, the system's part included.
func processorTime() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
