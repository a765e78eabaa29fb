package workers

import (
	"context"
	"time"

	"memrace/store"
	"memrace/stress/history"
)

// ask is a call that is to be made.
type ask struct {
	act  history.Act
	slot history.Slot
	text string // what an Upsert or an Add writes
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
	// entries are what a list returned, items what items did.
	entries []store.Entry
	items   []string
	err     error
}

// caller calls a store, each call with a deadline if timeout is not zero.
type caller struct {
	ctx     context.Context
	store   store.Store
	timeout time.Duration
	abilities
}

// abilities are what a store can do beside what every store can; nil for what it cannot.
type abilities struct {
	updater  store.Updater
	taker    store.Taker
	lister   store.Lister
	clearer  store.Clearer
	appender store.Appender
}

func abilitiesOf(s store.Store) (a abilities) {
	a.updater, _ = s.(store.Updater)
	a.taker, _ = s.(store.Taker)
	a.lister, _ = s.(store.Lister)
	a.clearer, _ = s.(store.Clearer)
	a.appender, _ = s.(store.Appender)
	return a
}

func newCaller(ctx context.Context, s store.Store, timeout time.Duration) caller {
	return caller{ctx: ctx, store: s, timeout: timeout, abilities: abilitiesOf(s)}
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
	r = c.dispatch(ctx, a)
	returned = true
	return r
}

func (c *caller) dispatch(ctx context.Context, a ask) (r reply) {
	session, key := a.slot.Session, a.slot.Key
	if a.act.Whole {
		return c.dispatchWhole(ctx, a.act.Kind, session)
	}
	switch a.act.Kind {
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
	case history.Add:
		r.err = c.appender.Append(ctx, session, a.text)
	}
	return r
}

func (c *caller) dispatchWhole(ctx context.Context, kind history.Kind, session string) (r reply) {
	switch kind {
	case history.Get:
		r.entries, r.err = c.lister.List(ctx, session)
	case history.Delete:
		r.err = c.clearer.Clear(ctx, session)
	case history.Items:
		r.items, r.err = c.appender.Items(ctx, session)
	}
	return r
}
