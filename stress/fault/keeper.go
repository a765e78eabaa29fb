package fault

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"memrace/store"
	"memrace/store/ability"
)

// Opener returns an opener of stores that come back when Faults kill them. What open opens has to
// be Mortal. A call that is made while the store is coming back waits until it has. One that dies
// by itself is left dead.
func Opener(open store.Opener) store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		k := &keeper{open: open, dir: dir}
		first, err := k.begin(ctx)
		if err != nil {
			return nil, err
		}
		k.now.Store(first)
		return ability.Limit(k, ability.Of(first.store)...)
	}
}

// keeper is a store that has several lives, one after the other.
type keeper struct {
	open store.Opener
	dir  string
	// now is the life that calls go to. Clients only ever read it, so that it puts none of them
	// behind another.
	now atomic.Pointer[life]
	mu  sync.Mutex // of kill and Close
}

// life is a store from when it was opened until it was killed.
type life struct {
	store  store.Store
	mortal Mortal
	// over is closed when dying is true and what comes next can be found in keeper.now.
	over  chan struct{}
	dying atomic.Bool
	// failed says why there is no store; nil as long as there is.
	failed error
}

func (k *keeper) begin(ctx context.Context) (*life, error) {
	s, err := k.open(ctx, k.dir)
	if err != nil {
		return nil, err
	}
	m := mortal(s)
	if m == nil {
		return nil, errors.Join(errors.New("the store cannot be killed: it is in no process of "+
			"its own"), s.Close())
	}
	return &life{store: s, mortal: m, over: make(chan struct{})}, nil
}

// mortal returns what of a store can be killed, or nil.
func mortal(s store.Store) Mortal {
	for s != nil {
		if m, ok := s.(Mortal); ok {
			return m
		}
		s, _ = ability.Inside(s)
	}
	return nil
}

// kill ends a life and begins another.
func (k *keeper) kill(ctx context.Context) (Event, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	old := k.now.Load()
	if old.failed != nil {
		return Event{}, old.failed
	}
	e := Event{At: time.Now(), What: "killed"}
	old.dying.Store(true)
	defer close(old.over)
	old.mortal.Kill()
	err := old.store.Close()
	next, openErr := k.begin(ctx)
	if err = errors.Join(err, openErr); err != nil {
		err = fmt.Errorf("open the store that was killed: %w", err)
		next = &life{failed: err, over: make(chan struct{})}
	}
	k.now.Store(next)
	e.Back = time.Since(e.At)
	return e, err
}

// live returns the store that calls go to, once there is one.
func (k *keeper) live() (store.Store, error) {
	l := k.now.Load()
	for l.dying.Load() {
		<-l.over
		l = k.now.Load()
	}
	if l.failed != nil {
		return nil, &deadError{l.failed}
	}
	return l.store, nil
}

// deadError is that of a call to a store that did not come back.
type deadError struct{ reason error }

func (e *deadError) Error() string        { return "the store is dead: " + e.reason.Error() }
func (e *deadError) Unwrap() error        { return e.reason }
func (e *deadError) Is(target error) bool { return target == store.ErrNotApplied }
func (e *deadError) Class() string        { return "closed" }

// Close closes the last life.
func (k *keeper) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if l := k.now.Load(); l.failed == nil {
		return l.store.Close()
	}
	return nil
}
