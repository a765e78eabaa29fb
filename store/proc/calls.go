package proc

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// calls are the calls that wait for an answer.
type calls struct {
	mu      sync.Mutex
	timeout time.Duration // how long a call may wait
	pending map[int64]*waiting
	late    map[int64]bool // those that nobody waits for any more, and no answer has come to
	hurried bool           // nobody wants to wait for long
	next    int64
	now     int    // ticks
	cause   *cause // why no further call can be made; nil while it can
}

// ticks is how many ticks a call may wait.
const ticks = 10

// waiting is a call that waits.
type waiting struct {
	id      int64
	line    []byte
	answers chan reply // has room for a "seen" and what comes after it
	asked   bool       // the child may ask what to write
	since   int        // ticks
}

// reply is an answer, or why there is none.
type reply struct {
	answer
	cause *cause
}

type cause struct{ class, text string }

var pool = sync.Pool{New: func() any { return &waiting{answers: make(chan reply, 2)} }}

func (c *calls) newID() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	return c.next - 1
}

// add lets a call wait. It returns why it cannot be made, or nil.
func (c *calls) add(w *waiting) *cause {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause != nil {
		return c.cause
	}
	if c.pending == nil {
		c.pending, c.late = map[int64]*waiting{}, map[int64]bool{}
	}
	w.since = c.now
	c.pending[w.id] = w
	return nil
}

// again lets a call wait for a further answer. It reports false if it has one already.
func (c *calls) again(w *waiting) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.asked, w.since = true, c.now
	return c.pending[w.id] == w
}

// forsake ends the waiting without an answer. It reports false if there is one already.
func (c *calls) forsake(w *waiting) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[w.id] != w {
		return false
	}
	delete(c.pending, w.id)
	c.late[w.id] = true
	return true
}

// fail ends all waiting, and all calls to come.
func (c *calls) fail(class, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause == nil {
		c.cause = &cause{class, text}
	}
	for id, w := range c.pending {
		delete(c.pending, id)
		w.answers <- reply{cause: c.cause}
	}
}

// tick ends the waiting of those that have waited for too long, and returns how many those are.
func (c *calls) tick() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now++
	before := len(c.pending)
	for id, w := range c.pending {
		if c.now-w.since > ticks {
			delete(c.pending, id)
			c.late[id] = true
			w.answers <- reply{cause: c.overdue()}
		}
	}
	return before - len(c.pending)
}

// overdue is why the waiting of a call ends without an answer.
func (c *calls) overdue() *cause {
	if c.hurried {
		return &cause{classCanceled, fmt.Sprintf("interrupted, and no answer within %v", c.timeout)}
	}
	return &cause{classHang, fmt.Sprintf("no answer within %v", c.timeout)}
}

// hurry has calls wait for no longer than patience, and returns how long that is. Those that get no
// answer within it are not said to hang: nobody wants to wait any more.
func (c *calls) hurry(patience time.Duration) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hurried, c.timeout = true, min(c.timeout, patience)
	return c.timeout
}

// deliver hands an answer to the call that it is for. It reports whether the call is one that
// nobody waits for any more.
func (c *calls) deliver(a answer) (late bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.pending[a.ID]
	switch {
	case w == nil && c.late[a.ID]:
		if a.Type != typeSeen {
			delete(c.late, a.ID)
		}
		return true, nil
	case w == nil && a.ID >= c.next:
		return false, errors.New("there was no such call")
	case w == nil:
		return false, errors.New("the call was answered before")
	case a.Type != typeSeen:
		delete(c.pending, a.ID)
	case !w.asked:
		return false, errors.New("the call is no update, or its value was asked for before")
	}
	w.asked = false
	w.answers <- reply{answer: a}
	return false, nil
}

// wait returns the answer to a call. If ctx ends first, nobody waits any more.
func (c *calls) wait(ctx context.Context, w *waiting) reply {
	if ctx.Done() == nil {
		return <-w.answers
	}
	select {
	case r := <-w.answers:
		return r
	case <-ctx.Done():
	}
	if c.forsake(w) {
		return reply{cause: stopped(ctx)}
	}
	return <-w.answers
}

// stopped says why a context has ended.
func stopped(ctx context.Context) *cause {
	class := classCanceled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		class = classDeadline
	}
	return &cause{class, context.Cause(ctx).Error()}
}
