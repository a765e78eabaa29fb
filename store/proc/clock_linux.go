package proc

import (
	"syscall"
	"unsafe"
)

// monotonic reads CLOCK_MONOTONIC, in nanoseconds, which all processes of a machine have in common.
func monotonic() (int64, bool) {
	const clockMonotonic = 1
	var t syscall.Timespec
	_, _, code := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic,
		uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano(), code == 0
}
