package workers

import (
	"context"
	"time"

	"memrace/store"
	"memrace/stress/history"
)

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
	timeout time.Duration
}

// call makes one call and turns a panic into an error. If the store ends the goroutine, nothing
// after call runs any more, so lost gets the reply instead.
func (c *caller) call(
	kind history.Kind, slot history.Slot, text string, lost func(reply),
) (r reply) {
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
	switch kind {
	case history.Upsert:
		_, r.err = c.store.Upsert(ctx, slot.Session, slot.Key, text)
	case history.Get:
		r.text, r.found, r.err = c.store.Get(ctx, slot.Session, slot.Key)
	case history.Delete:
		r.err = c.store.Delete(ctx, slot.Session, slot.Key)
	}
	returned = true
	return r
}
