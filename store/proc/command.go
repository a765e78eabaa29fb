package proc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"memrace/store"
)

// Command says which program keeps a store and how it is run. Argv is needed; every other zero
// value is right for most.
type Command struct {
	// Argv is the program and its arguments. It is looked for in PATH; no shell reads it.
	Argv []string
	// Env is added to the environment of this process, as "NAME=value".
	Env []string
	// Options are handed to the child as they are, in its init.
	Options map[string]string
	// Instance is the number of the child among several on the same directory, from 0 on.
	Instance int
	// Threads is how many calls at once the child is told to be ready for; 0 means 16.
	Threads int
	// CallTimeout is how long the child may take to answer a call that has no earlier deadline,
	// to answer init, and to end once its input has; 0 means 5 seconds. It is kept to a tenth.
	CallTimeout time.Duration
}

const (
	defaultThreads = 16
	defaultTimeout = 5 * time.Second
)

// Validate returns an error that names the field that makes no sense.
func (c Command) Validate() error {
	switch {
	case len(c.Argv) == 0 || c.Argv[0] == "":
		return errors.New("the command is empty; name a program")
	case c.Instance < 0:
		return fmt.Errorf("instance is %d; it cannot be negative", c.Instance)
	case c.Threads < 0:
		return fmt.Errorf("threads is %d; it cannot be negative", c.Threads)
	case c.CallTimeout < 0:
		return fmt.Errorf("call timeout is %v; it cannot be negative", c.CallTimeout)
	}
	return nil
}

// String returns the program and its arguments, for people.
func (c Command) String() string { return strings.Join(c.Argv, " ") }

// Opener returns an opener that starts a child each time. The store has those of the optional
// methods that the child says it has.
func (c Command) Opener() store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		s, err := Open(ctx, dir, c)
		if err != nil {
			return nil, err
		}
		return s.Limited()
	}
}

// options returns the options as init has them, which are never null.
func (c Command) options() map[string]string {
	if c.Options == nil {
		return map[string]string{}
	}
	return c.Options
}

func (c Command) threads() int {
	if c.Threads == 0 {
		return defaultThreads
	}
	return c.Threads
}

func (c Command) timeout() time.Duration {
	if c.CallTimeout == 0 {
		return defaultTimeout
	}
	return c.CallTimeout
}
