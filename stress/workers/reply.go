package workers

import (
	"context"
	"time"

	"memrace/store"
	"memrace/stress/history"
)

// ask is a call that is to be made.
type ask struct {
	kind  history.Kind
	slot  history.Slot
	text  string        // what an Upsert or an Update writes
	think time.Duration // before an Update knows its text
}

// reply is what a call of a store came back with.
type reply struct {
	text  string
	found bool
	err   error
}

// caller calls a store, each call with a deadline if timeout is not zero.
type caller struct {
	ctx     context.Context
	store   store.Store
	updater store.Updater // nil for a store that is none, and taker likewise
	taker   store.Taker
	timeout time.Duration
}

func newCaller(ctx context.Context, s store.Store, timeout time.Duration) caller {
	c := caller{ctx: ctx, store: s, timeout: timeout}
	c.updater, _ = s.(store.Updater)
	c.taker, _ = s.(store.Taker)
	return c
}

// call makes one call and turns a panic into an error. If the store ends the goroutine, nothing
// after call runs any more, so lost gets the reply instead.
func (c *caller) call(a ask, lost func(reply)) (r reply) {
	returned := false
	defer func() {
		if returned {
			return
		}
		cause := recover()
		r = reply{err: newPanicError(cause)}
		if cause == nil {
			lost(r)
		}
	}()
	ctx := c.ctx
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	session, key := a.slot.Session, a.slot.Key
	switch a.kind {
	case history.Upsert:
		_, r.err = c.store.Upsert(ctx, session, key, a.text)
	case history.Get:
		r.text, r.found, r.err = c.store.Get(ctx, session, key)
	case history.Delete:
		r.err = c.store.Delete(ctx, session, key)
	case history.Update:
		r.text, r.found, r.err = c.updater.Update(ctx, session, key, a.change)
	case history.Take:
		r.text, r.found, r.err = c.taker.Take(ctx, session, key)
	}
	returned = true
	return r
}

// change is what an Update does with a value: it is the same each time that the store asks, so
// that an attempt which the store repeats leaves the value that the history has.
func (a ask) change(string, bool) string {
	if a.think > 0 {
		time.Sleep(a.think)
	}
	return a.text
}
