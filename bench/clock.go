package bench

import (
	"sync"
	"sync/atomic"
	"time"
)

// turnClock is what all clients of a turn look at. Times are nanoseconds since base.
type turnClock struct {
	base       time.Time   // set before the clients begin
	start, end int64       // the measured time
	last       int64       // when a queue is given up
	bounds     [2]bound    // start and end
	stop       atomic.Bool // set once, when the turn is to end early
}

// bound is one end of the measured time, and what the process had used by then.
type bound struct {
	once  sync.Once
	spent spent
}

func newTurnClock(c Config) *turnClock {
	t := &turnClock{start: int64(c.WarmUp), end: int64(c.WarmUp + c.For)}
	t.last = t.end + int64(c.For)
	return t
}

func (t *turnClock) now() int64 { return int64(time.Since(t.base)) }

// pass looks up what the process has used as soon as somebody comes by an end of the measured time.
// That is the client whose operation is the first to return after it, however late the one who only
// watches is woken on a busy machine: what is counted and what counts are of the same time.
func (t *turnClock) pass(now int64) {
	for i, at := range [...]int64{t.start, t.end} {
		if now < at {
			return
		}
		t.bounds[i].once.Do(func() { t.bounds[i].spent = spentSoFar() })
	}
}
