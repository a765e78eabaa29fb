package fault

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"memrace/store"
	"memrace/store/ability"
)

// Event is something that was done to a store.
type Event struct {
	// At is when.
	At time.Time
	// What is what, in the past: "killed", "cut off from power".
	What string
	// Back is how long it took until the store could be used again; 0 if it cannot.
	Back time.Duration
}

// The values of Event.What; that of a bad disk says in brackets what is wrong with it.
const (
	Killed    = "killed"
	Powerless = "cut off from power"
	Locked    = "locked against writing"
	BadDisk   = "given a bad disk"
)

// String returns what was done and how long it took to come back: "killed, back after 12ms".
func (e Event) String() string {
	if e.Back == 0 {
		return e.What
	}
	return fmt.Sprintf("%s, back after %v", e.What, e.Back.Round(10*time.Microsecond))
}

// Begin does to a store what is wrong with it from the start. It is to be called before anybody
// uses the store; making its files went well. The error says that not all can be done to it.
func (f Faults) Begin(ctx context.Context, s store.Store) error {
	if f.HoldFor != 0 && !holdable(s) {
		return errNoLock
	}
	if f.Disk.None() || f.DiskAt != 0 {
		return nil
	}
	return setDisk(ctx, s, f.Disk)
}

// Do does the faults to a store, which Opener opened if they are Mortal, until ctx is done, and
// returns what it did in the order of time. Before it lets go of clients of a store without power
// it calls over, which has to end the workload. The error is that of a store that did not come
// back, which ends it, or says that nothing can be done to this store.
func (f Faults) Do(ctx context.Context, s store.Store, over func()) ([]Event, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	d := doing{Faults: f, store: s}
	for _, harm := range []struct {
		wanted bool
		do     func(context.Context) error
	}{
		{f.KillEvery != 0, d.kill},
		{f.CutAt != 0, func(ctx context.Context) error {
			defer stop() // there is nothing left to be hurt
			return d.cut(ctx, over)
		}},
		{f.HoldFor != 0, d.hold},
		{f.DiskAt != 0 || f.DiskFor != 0, d.spoil},
	} {
		if harm.wanted {
			group.Go(func() error { return harm.do(ctx) })
		}
	}
	err := group.Wait()
	slices.SortFunc(d.events, func(a, b Event) int { return a.At.Compare(b.At) })
	return d.events, err
}

// doing is Faults on their way.
type doing struct {
	Faults
	store  store.Store
	mu     sync.Mutex
	events []Event
}

func (d *doing) note(e Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events = append(d.events, e)
}

// mortals returns the instances of the store, each of which can be killed and comes back.
func (d *doing) mortals() ([]*keeper, error) {
	all := ability.FindAll[*keeper](d.store)
	if len(all) == 0 {
		return nil, fmt.Errorf("%v: the store is in no process of its own", d.Faults)
	}
	return all, nil
}

// kill kills one instance after the other, drawn at random, while the others go on.
func (d *doing) kill(ctx context.Context) error {
	all, err := d.mortals()
	random := rand.New(rand.NewPCG(d.Seed, uint64(len(all))))
	// A life counts from when the store is back, however long that took.
	for err == nil && passed(ctx, d.KillEvery) {
		var e Event
		i := random.IntN(len(all))
		if e, err = all[i].kill(context.WithoutCancel(ctx)); err != nil {
			return err
		}
		if len(all) > 1 {
			e.What = fmt.Sprintf("%s in instance %d", e.What, i)
		}
		d.note(e)
	}
	return err
}

func (d *doing) cut(ctx context.Context, over func()) error {
	all, err := d.mortals()
	if err == nil && len(all) > 1 {
		err = fmt.Errorf("cut power: %d instances have the files open, and a cut is true only "+
			"of files that nobody else has open", len(all))
	}
	if err != nil {
		over()
		return err
	}
	passed(ctx, d.CutAt) // or the workload is over, which is as good a time
	e, err := all[0].cut(context.WithoutCancel(ctx), d.Seed, over)
	d.note(e)
	return err
}

// hold takes the write lock again and again. A lock that is not to be had before the end of the
// workload is none.
func (d *doing) hold(ctx context.Context) error {
	for passed(ctx, d.HoldEvery-d.HoldFor) {
		release, err := holdWrites(ctx, d.store)
		if ctx.Err() != nil && err != nil {
			return nil
		}
		if err != nil {
			return err
		}
		e := Event{At: time.Now(), What: Locked}
		passed(ctx, d.HoldFor)
		err = release()
		e.Back = time.Since(e.At)
		d.note(e)
		if err != nil {
			return fmt.Errorf("let go of the write lock: %w", err)
		}
	}
	return nil
}

// spoil makes the disk bad, and well again. One that was bad from the start is no event until then.
func (d *doing) spoil(ctx context.Context) error {
	if d.DiskAt != 0 && !passed(ctx, d.DiskAt) {
		return nil
	}
	e := Event{At: time.Now(), What: fmt.Sprintf("%s (%v)", BadDisk, d.Disk)}
	if d.DiskAt != 0 {
		if err := setDisk(ctx, d.store, d.Disk); err != nil {
			return err
		}
	}
	var err error
	if d.DiskFor != 0 && passed(ctx, d.DiskFor) {
		err = setDisk(ctx, d.store, well)
		e.Back = time.Since(e.At)
	}
	d.note(e)
	return err
}

// passed waits for a time, and reports whether it passed before ctx was done.
func passed(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return ctx.Err() == nil
	}
}
