package bench

import (
	"syscall"
	"time"
)

// exactTimer has the system wake this thread when it is to be woken, rather than within the 50
// microseconds after that. Without it the pacer is less exact, and says by how much.
func exactTimer() {
	const setTimerSlack = 29
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, 1, 0)
}

// pause sleeps on the thread itself: the timers of Go are as coarse as a millisecond when there is
// nothing else to do.
func pause(d time.Duration) {
	ts := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&ts, nil) // woken too early, the pacer sleeps again
}
