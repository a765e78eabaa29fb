package workers

import (
	"context"
	"time"

	"memrace/store"
	"memrace/stress/history"
)

// ask is a call that is to be made.
type ask struct {
	kind history.Kind
	slot history.Slot
	text string // what an Upsert writes
	edit *edit  // what an Update does
}

// edit is the change that an Update makes. A store may ask for it more than once, if an attempt of
// its own failed: what it was shown last, and got for that, is what counts.
type edit struct {
	think time.Duration // before it knows its text
	// compose makes the text of an attempt, a different one each time: a store that writes what
	// it got for an earlier one writes what nobody is said to have written.
	compose func(attempt int) string
	calls   int
	shown   reply
}

func (e *edit) change(old string, found bool) string {
	e.shown = reply{text: old, found: found}
	e.calls++
	if e.think > 0 {
		time.Sleep(e.think)
	}
	return e.compose(e.calls)
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
		r.text, r.found, r.err = c.updater.Update(ctx, session, key, a.edit.change)
		if r.err == nil && a.edit.calls > 0 {
			r = a.edit.shown // whatever the store says that it showed
		}
	case history.Take:
		r.text, r.found, r.err = c.taker.Take(ctx, session, key)
	}
	returned = true
	return r
}
