package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"memrace/store"
	"memrace/stress/history"
	"memrace/stress/workload"
)

// tally is what a client counts of one kind: its latencies are in the samples alone.
type tally struct {
	Kind
	samples *samples
}

// client makes the steps of one client and counts what comes of them. It belongs to one goroutine.
type client struct {
	*turnClock
	ctx   context.Context
	store store.Store
	plan  *workload.Plan
	steps *workload.Steps
	text  string // what it writes
	kinds []*tally
}

func newClient(t *turnClock, s store.Store, plan *workload.Plan, number int) *client {
	c := &client{turnClock: t, ctx: context.Background(), store: s, plan: plan,
		steps: plan.Client(number)}
	measured := time.Duration(t.end - t.start)
	for _, act := range acts(plan.Spec().Mix) {
		c.kinds = append(c.kinds, &tally{Kind: Kind{Act: act},
			samples: newSamples(measured, plan.Spec().Clients)})
	}
	text := fmt.Sprintf("value of client %d ", number)
	size := plan.Spec().ValueSize
	c.text = strings.Repeat(text, size/len(text)+1)[:size]
	return c
}

// yieldSteps is how many operations a client makes before it lets others run: where there are
// fewer processors than clients, one would else have a processor for ten milliseconds.
const yieldSteps = 15

// closed makes operations one after the other until the time is over.
func (c *client) closed() {
	for n := 1; !c.stop.Load(); n++ {
		at := c.now()
		if at >= c.end {
			c.pass(at)
			return
		}
		c.perform(at, true)
		if n%yieldSteps == 0 {
			runtime.Gosched()
		}
	}
}

// open makes operations as they are due. It also makes those that are late when the time is over,
// since to leave out those that waited longest would be to hide them, until the queue is given up.
func (c *client) open(due <-chan int64) {
	for !c.stop.Load() && c.now() < c.last {
		at, more := <-due
		if !more {
			return
		}
		c.perform(at, false)
	}
}

// perform makes one operation and notes it; from is when its latency begins. One that was called
// before the measured time counts if it was still under way in it and nothing is due at a time: to
// leave it out would be to hide a client that waits through all of the measured time.
func (c *client) perform(from int64, closed bool) {
	step, ok := c.steps.Next()
	if !ok {
		return
	}
	err := c.call(step)
	to := c.now()
	c.pass(to)
	k := c.kind(step.Act)
	if err == nil && to >= c.start && to < c.end {
		k.Done++
	}
	switch {
	case from < c.start && !(closed && to >= c.start):
	case err == nil:
		k.OK++
		k.Took += time.Duration(to - from)
		k.samples.add(max(from-c.start, 0), to-from)
	default:
		k.failed(err)
	}
}

func (c *client) kind(act history.Act) *tally {
	for _, k := range c.kinds {
		if k.Act == act {
			return k
		}
	}
	panic("bench: a step is of no kind that the mix has: " + act.String())
}

// call makes the call of a step and turns a panic into an error.
func (c *client) call(step workload.Step) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicked{cause}
		}
	}()
	slot := c.plan.Slot(step.Slot)
	if step.Whole {
		return c.callWhole(step.Kind, slot.Session)
	}
	switch step.Kind {
	case history.Upsert:
		_, err = c.store.Upsert(c.ctx, slot.Session, slot.Key, c.text)
	case history.Get:
		_, _, err = c.store.Get(c.ctx, slot.Session, slot.Key)
	case history.Delete:
		err = c.store.Delete(c.ctx, slot.Session, slot.Key)
	case history.Update:
		_, _, err = c.store.(store.Updater).Update(c.ctx, slot.Session, slot.Key, c.change)
	case history.Take:
		_, _, err = c.store.(store.Taker).Take(c.ctx, slot.Session, slot.Key)
	}
	return err
}

func (c *client) callWhole(kind history.Kind, session string) (err error) {
	if kind == history.Delete {
		return c.store.(store.Clearer).Clear(c.ctx, session)
	}
	_, err = c.store.(store.Lister).List(c.ctx, session)
	return err
}

func (c *client) change(string, bool) string { return c.text }

// panicked is what is left of a call that panicked.
type panicked struct{ cause any }

func (p panicked) Error() string { return fmt.Sprintf("panic: %v", p.cause) }
func (p panicked) Class() string { return "panic" }

// errorClass names the class of an error, with "unknown" in front where the call may have taken
// effect all the same.
func errorClass(err error) string {
	var c store.Classer
	class := history.ClassOther.String()
	switch {
	case errors.As(err, &c):
		class = c.Class()
	case errors.Is(err, context.DeadlineExceeded):
		class = history.ClassDeadline.String()
	}
	if errors.Is(err, store.ErrNotApplied) {
		return class
	}
	return "unknown " + class
}
