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
	"memrace/store/disk"
	"memrace/stress/history"
)

// Mortal is a store that can be killed, such as one in a process of its own. Calls that it was in
// end with an error that leaves open what became of them; Close is still to be called.
type Mortal interface{ Kill() }

// Powered is a Mortal that can also be cut off from power, which takes with it what had not
// reached the disk.
type Powered interface {
	Mortal
	CutPower(ctx context.Context, seed uint64) error
}

// Opener returns an opener of stores that come back when Faults kill them. What open opens has to
// be Mortal, or consist of stores that Opener opened, which are left as they are. A call that is
// made while the store is coming back waits until it has. One that dies by itself is left dead.
func Opener(open store.Opener) store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		k := &keeper{open: open, dir: dir}
		s, err := open(ctx, dir)
		if err != nil || len(ability.FindAll[*keeper](s)) > 0 {
			return s, err
		}
		first, err := k.begin(ctx, s)
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
	mu  sync.Mutex // of kill, cut, SetDisk and Close
	// disk is what is wrong with the disk in each life.
	disk disk.Faults
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

// again begins another life.
func (k *keeper) again(ctx context.Context) (*life, error) {
	s, err := k.open(ctx, k.dir)
	if err != nil {
		return nil, err
	}
	return k.begin(ctx, s)
}

// begin begins a life with a store that was opened.
func (k *keeper) begin(ctx context.Context, s store.Store) (*life, error) {
	m, ok := ability.Find[Mortal](s)
	if !ok {
		return nil, errors.Join(errors.New("the store cannot be killed: it is in no process of "+
			"its own"), s.Close())
	}
	if !k.disk.None() {
		if err := setDisk(ctx, s, k.disk); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return &life{store: s, mortal: m, over: make(chan struct{})}, nil
}

// SetDisk puts faults in the place of those that the disk has, in this life and all others.
func (k *keeper) SetDisk(ctx context.Context, f disk.Faults) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.disk = f
	if l := k.now.Load(); l.failed == nil {
		return setDisk(ctx, l.store, f)
	}
	return nil
}

// HoldWrites takes the write lock of the file, which outlives every life.
func (k *keeper) HoldWrites(ctx context.Context) (release func() error, err error) {
	s, err := k.live()
	if err != nil {
		return nil, err
	}
	return holdWrites(ctx, s)
}

// kill ends a life and begins another.
func (k *keeper) kill(ctx context.Context) (Event, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	old := k.now.Load()
	if old.failed != nil {
		return Event{}, old.failed
	}
	e := Event{At: time.Now(), What: Killed}
	old.dying.Store(true)
	defer close(old.over)
	old.mortal.Kill()
	err := old.store.Close()
	next, openErr := k.again(ctx)
	if err = errors.Join(err, openErr); err != nil {
		err = fmt.Errorf("open the store that was killed: %w", err)
		next = &life{failed: err, over: make(chan struct{})}
	}
	k.now.Store(next)
	e.Back = time.Since(e.At)
	return e, err
}

// cut ends a life for good.
func (k *keeper) cut(ctx context.Context, seed uint64, over func()) (Event, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	old := k.now.Load()
	powered, ok := old.mortal.(Powered)
	if old.failed != nil || !ok {
		over()
		return Event{}, errors.Join(old.failed, errors.New("the power of the store cannot be cut"))
	}
	old.dying.Store(true)
	err := powered.CutPower(ctx, seed)
	e := Event{At: time.Now(), What: Powerless} // until now it may have answered
	err = errors.Join(err, old.store.Close())
	k.now.Store(&life{failed: errPowerless, over: make(chan struct{})})
	over()
	close(old.over)
	return e, err
}

var errPowerless = errors.New("it has no power")

// Check asks the life of the moment whether all that the store keeps is whole.
func (k *keeper) Check(ctx context.Context) error {
	s, err := k.live()
	if err != nil {
		return err
	}
	if c, ok := ability.Find[store.Checker](s); ok {
		return c.Check(ctx)
	}
	return nil
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

// WithoutPower reports whether an operation met a store without power, and so was no call at all.
func WithoutPower(op history.Op) bool {
	return op.Outcome == history.NotApplied && op.Class == history.ClassClosed
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
