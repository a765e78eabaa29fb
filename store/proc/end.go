package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Close ends the child's input and waits until it has ended, which it has to with status 0 and
// within the CallTimeout, and not before; else an error says so, and one that is late is killed.
// Nothing that it started is left. What it wrote to standard error stands in the store's directory
// then, unless that is nothing. A store that was killed closes without an error.
func (s *Store) Close() error { return s.close() }

func (s *Store) end() error {
	early := s.child.ended()
	s.out.close()
	late := !s.child.endsWithin(s.command.timeout())
	s.work.Wait()
	var err error
	switch {
	case s.killed.Load():
	case s.wrong != nil:
		err = s.wrong
	case late:
		err = fmt.Errorf("the child had not ended %v after the end of its input, so it was killed",
			s.command.timeout())
	case !s.child.well():
		err = errors.New(s.obituary())
	case early:
		err = errors.New("before the end of its input, " + s.obituary())
	case s.left:
		err = errors.New("the child ended and left a process behind that held its standard " +
			"output; that was killed")
	}
	return errors.Join(err, s.keepStderr())
}

// obituary says how the child ended, and what its last words were.
func (s *Store) obituary() string {
	text := "the child ended with " + s.child.status()
	if last := s.child.stderr.lastWords(); last != "" {
		text += "; it said last: " + shown([]byte(last))
	}
	return text
}

// keepStderr adds the end of the child's standard error to a file in the store's directory.
func (s *Store) keepStderr() error {
	text := s.Stderr()
	if len(text) == 0 {
		return nil
	}
	name := filepath.Join(s.dir, fmt.Sprintf("stderr-%d.txt", s.command.Instance))
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("keep standard error: %w", err)
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
