//go:build unix && !linux

package proc

import "syscall"

// endWithParent does nothing: a child that hangs outlives a parent that is killed.
func endWithParent(*syscall.SysProcAttr) {}
