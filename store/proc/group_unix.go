//go:build unix

package proc

import (
	"os"
	"os/exec"
	"syscall"
)

// inGroup makes the process the first of a group of its own, so that a signal from the terminal
// does not reach it, and one to the group reaches whatever it started.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
}

// killGroup kills every process of the group that p was the first of. An error says that there is
// none any more. The number of the group is not given to others while it has a member.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
