//go:build !linux

package proc

// monotonic reports false: no clock is known here that all processes of the machine have in common.
func monotonic() (int64, bool) { return 0, false }
