package workers

import (
	"errors"
	"fmt"
	"time"
)

// Config says how long a plan is played and how the store is called. It is plain data; of Ops
// and For at least one is needed, every other zero value is right for most.
type Config struct {
	// Ops ends the run after so many operations of all clients together; 0 means no limit.
	// They are shared out evenly, so each client makes the same steps in each run.
	Ops int
	// For ends the run after so much time; 0 means no limit.
	For time.Duration
	// Least is how many operations of all clients together have to return before For may end the
	// run: few operations prove little, and a slow disk leaves few in a short time. The run ends at
	// ten times For all the same. 0 means that For alone counts.
	Least int
	// Over ends the run when it is closed, as if its time were up; nil never does.
	Over <-chan struct{}
	// CallTimeout is the deadline of each call. 0 gives the store a context that cannot be
	// cancelled (its Done is nil), which spares most drivers a goroutine for each call.
	CallTimeout time.Duration
	// Stall is for how long no call may return before the run is given up; 0 means 10 seconds.
	Stall time.Duration
	// Discard records nothing and looks at no clock, so that there is no history: for measuring
	// what the recording costs.
	Discard bool
	// Progress can be asked, while the run lasts, how far it is; nil means that nobody asks.
	Progress *Progress
}

// MaxOps is the largest number of operations of a run, also of one that only For ends.
const MaxOps = 1 << 30

const defaultStall = 10 * time.Second

// Validate returns an error that names the field that is out of range.
func (c Config) Validate() error {
	if c.Ops < 0 || c.Ops > MaxOps {
		return fmt.Errorf("ops is %d; it goes from 1 to %d, and 0 means no limit", c.Ops, MaxOps)
	}
	if c.Least < 0 {
		return fmt.Errorf("least is %d; it cannot be negative", c.Least)
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"for", c.For}, {"call timeout", c.CallTimeout}, {"stall", c.Stall}} {
		if d.value < 0 {
			return fmt.Errorf("%s is %v; it cannot be negative", d.name, d.value)
		}
	}
	if c.Ops == 0 && c.For == 0 {
		return errors.New("neither ops nor for is given, so the run would not end; " +
			"give one of them")
	}
	return nil
}

func (c Config) stall() time.Duration {
	if c.Stall == 0 {
		return defaultStall
	}
	return c.Stall
}

// share returns how many operations client i of n makes at most: the remainder goes to the first.
func (c Config) share(i, n int) int {
	ops := c.Ops
	if ops == 0 {
		ops = MaxOps
	}
	share := ops / n
	if i < ops%n {
		share++
	}
	return share
}
