//go:build !unix

package proc

import (
	"os"
	"os/exec"
)

// inGroup does nothing: there are no groups of processes here.
func inGroup(*exec.Cmd) {}

// killGroup kills p alone. An error says that it has ended.
func killGroup(p *os.Process) { _ = p.Kill() }
