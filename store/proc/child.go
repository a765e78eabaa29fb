package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// child is a process in a group of its own, and what it says.
type child struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	stderr  tail
	exited  chan struct{}    // closed when the process has ended
	heard   chan struct{}    // closed when its standard error has
	state   *os.ProcessState // from then on
	waiting error            // why state is nil
	// grace is how long what is left of the group may hold on to the output when the child has
	// ended. Whoever does so longer was left behind.
	grace time.Duration
}

func start(c Command) (*child, error) {
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Env = append(os.Environ(), c.Env...)
	inGroup(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	said, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err // exec has closed the pipes
	}
	p := &child{
		cmd: cmd, in: in, out: out, grace: c.timeout() / 5,
		exited: make(chan struct{}), heard: make(chan struct{}),
	}
	go p.hear(said)
	go p.await(out, said)
	return p, nil
}

func (p *child) hear(said io.ReadCloser) {
	defer close(p.heard)
	if _, err := io.Copy(&p.stderr, said); err != nil {
		fmt.Fprintf(&p.stderr, "\n(standard error could not be read to its end: %v)\n", err)
	}
	_ = said.Close() // nothing more is wanted of it
}

// await waits until the process has ended. What it has written can be read still; where a process
// that it left behind keeps a pipe open, reading ends after grace.
func (p *child) await(pipes ...io.ReadCloser) {
	defer close(p.exited)
	p.state, p.waiting = p.cmd.Process.Wait()
	for _, pipe := range pipes {
		if d, ok := pipe.(interface{ SetReadDeadline(time.Time) error }); ok {
			_ = d.SetReadDeadline(time.Now().Add(p.grace)) // closed already: then it has ended
		}
	}
}

// ended reports whether the process has ended.
func (p *child) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// kill ends every process of the group at once.
func (p *child) kill() { killGroup(p.cmd.Process) }

// endsWithin waits until the process has ended. It kills one that takes longer than patience, and
// reports false.
func (p *child) endsWithin(patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		p.kill()
		<-p.exited
		return false
	}
}

// bury waits until the process has ended, for at most patience before it is killed, and ends what
// is left of its group. The output has to have been read to its end, or be given up.
func (p *child) bury(patience time.Duration) {
	p.endsWithin(patience)
	<-p.heard
	p.kill()
	_, _ = p.in.Close(), p.out.Close() // one of them may be closed already
}

// status says how the process ended: "exit status 3", "signal: killed".
func (p *child) status() string {
	if p.state == nil {
		return fmt.Sprintf("a status that is unknown: %v", p.waiting)
	}
	return p.state.String()
}

// well is true for a process that ended with status 0.
func (p *child) well() bool { return p.state != nil && p.state.Success() }

// overdue is true for the error of reading from a pipe that was held open by somebody left behind.
func overdue(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }
