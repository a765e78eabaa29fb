package sqlite

import (
	"context"
	"database/sql/driver"
	"runtime"
	"slices"
	"sync"
	"time"
)

// queue is where calls that write wait, first come first served, while one of them, the leader,
// has the connection. It has no goroutine of its own: whoever finds nobody in it leads, and each
// leader leaves that to the first that waits.
type queue struct {
	// most is how many calls a batch has at most.
	most int
	// delay is how long a leader waits for a batch to have them.
	delay time.Duration
	// unused holds waiters, since one for each call would be garbage at once.
	unused sync.Pool

	mu      sync.Mutex
	waiting []*waiter
	// led is true while somebody leads or has been told to.
	led, closed bool
	// enough tells a leader that to wait longer brings no larger batch.
	enough chan struct{}
	// drained is closed once the queue is closed and nobody leads.
	drained chan struct{}
}

// waiter is a call that waits.
type waiter struct {
	// pick is nil for a call that needs a transaction to itself.
	pick picker
	args [4]driver.Value
	// answer is there once told has been.
	answer answer
	// told has something in it once the call is answered or, if leads is true, is to lead.
	told  chan struct{}
	leads bool
}

func newQueue(most int, delay time.Duration) *queue {
	return &queue{most: most, delay: delay,
		enough: make(chan struct{}, 1), drained: make(chan struct{})}
}

// waiter returns one that may have been used before.
func (q *queue) waiter(pick picker) *waiter {
	w, used := q.unused.Get().(*waiter)
	if !used {
		w = &waiter{told: make(chan struct{}, 1)}
	}
	w.pick = pick
	return w
}

// free takes a waiter back that nobody else knows of any more.
func (q *queue) free(w *waiter) {
	*w = waiter{told: w.told}
	q.unused.Put(w)
}

// join waits in the queue until the call is answered or leads. After an error it does neither, and
// certain tells whether it never will: if not, it is in a batch.
func (q *queue) join(ctx context.Context, w *waiter) (leads, certain bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, true, err
	}
	if leads, err := q.enter(w); leads || err != nil {
		return leads, true, err
	}
	select {
	case <-w.told:
		return w.leads, true, nil
	case <-ctx.Done():
	}
	if q.leave(w) {
		return false, true, ctx.Err()
	}
	select {
	case <-w.told:
		return false, true, nil
	default:
		return false, false, ctx.Err()
	}
}

// enter puts a call at the end of the queue, and reports whether it leads from the first.
func (q *queue) enter(w *waiter) (leads bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false, errClosed
	}
	q.waiting = append(q.waiting, w)
	leads, q.led = !q.led, true
	if q.delay > 0 && (len(q.waiting) >= q.most || w.pick == nil) {
		q.hurry()
	}
	return leads, nil
}

// hurry ends the wait of a leader, or of the next one if none waits. The queue is locked.
func (q *queue) hurry() {
	select {
	case q.enough <- struct{}{}:
	default:
	}
}

// leave takes a call out of the queue, and reports false if it is in a batch already.
func (q *queue) leave(w *waiter) bool {
	q.mu.Lock()
	i := slices.Index(q.waiting, w)
	if i < 0 {
		q.mu.Unlock()
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	q.mu.Unlock()
	if w.leads {
		<-w.told
		q.pass()
	}
	return true
}

// gather waits until there is a whole batch, but for no longer than the delay or the context. Even
// without a delay it lets those run first that have just been answered, for they may have more.
func (q *queue) gather(ctx context.Context) {
	if q.delay == 0 {
		runtime.Gosched()
		return
	}
	q.mu.Lock()
	select { // what hurried an earlier leader
	case <-q.enough:
	default:
	}
	alone := func(w *waiter) bool { return w.pick == nil }
	if q.closed || len(q.waiting) >= q.most || slices.ContainsFunc(q.waiting, alone) {
		q.hurry()
	}
	q.mu.Unlock()
	timer := time.NewTimer(q.delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-q.enough:
	case <-ctx.Done():
	}
}

func (q *queue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// pick takes the calls of a batch from the head of the queue: the leader, and up to most in all of
// those behind it, if it does not need a transaction to itself and as long as none does.
func (q *queue) pick(most int) []*waiter {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 1
	for n < min(most, q.most, len(q.waiting)) && q.waiting[0].pick != nil &&
		q.waiting[n].pick != nil {
		n++
	}
	picked := slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	return picked
}

// pass lets the first that waits lead.
func (q *queue) pass() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) > 0 {
		next := q.waiting[0]
		next.leads = true
		next.told <- struct{}{}
		return
	}
	q.led = false
	if q.closed {
		close(q.drained)
	}
}

// alone waits until it is the turn of a call that needs a transaction to itself, which ends with a
// pass. After an error, which is one of a call that changed nothing, it has no turn.
func (q *queue) alone(ctx context.Context) error {
	w := q.waiter(nil)
	if _, _, err := q.join(ctx, w); err != nil {
		return err
	}
	q.pick(1)
	q.free(w)
	return nil
}

// close lets those go on that wait already, and returns once they have been answered.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.hurry()
	if !q.led {
		close(q.drained)
	}
	q.mu.Unlock()
	<-q.drained
}
