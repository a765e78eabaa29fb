// Package fault hurts a store from outside while clients use it, and says when it did.
//
// What it does is plain data: the same faults can be written into a history, shown in a story, and
// done again.
package fault

import (
	"context"
	"fmt"
	"strings"
	"time"

	"memrace/store"
	"memrace/store/ability"
	"memrace/store/disk"
)

// Faults say what is done to a store, and when. The zero Faults do nothing.
type Faults struct {
	// KillEvery is how long a store lives before it is killed and opened again in the same
	// directory; 0 means that it is not killed.
	KillEvery time.Duration
	// CutAfter is when the power fails, or at the end of the workload if that comes first; 0 means
	// that it does not. It ends the workload. Seed decides what of the files that had not been
	// synced is lost.
	CutAfter time.Duration
	Seed     uint64
	// Disk is what is wrong with the disk of a store whose files go through package disk.
	Disk disk.Faults
}

// The limits of a Faults: a process that has not come up cannot be killed.
const (
	leastLife = time.Millisecond
	mostLife  = time.Hour
)

// Validate returns an error that names what is out of range.
func (f Faults) Validate() error {
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"kill every", f.KillEvery}, {"cut after", f.CutAfter}} {
		if d.value != 0 && (d.value < leastLife || d.value > mostLife) {
			return fmt.Errorf("%s %v: it goes from %v to %v", d.name, d.value, leastLife, mostLife)
		}
	}
	if f.KillEvery != 0 && f.CutAfter != 0 {
		return fmt.Errorf("%v: a run has one of them", f)
	}
	if f.Disk != (disk.Faults{}) && !f.None() {
		return fmt.Errorf("%v: faults of the disk are those of a store in this process", f)
	}
	return f.Disk.Validate()
}

// None reports whether nothing is done to the store while it is used. What is wrong with its disk
// is so from the start.
func (f Faults) None() bool { return f.KillEvery == 0 && f.CutAfter == 0 }

// String returns the faults as people say them: "kill every 100ms".
func (f Faults) String() string {
	var parts []string
	if f.KillEvery != 0 {
		parts = append(parts, fmt.Sprintf("kill every %v", f.KillEvery))
	}
	if f.CutAfter != 0 {
		parts = append(parts, fmt.Sprintf("cut the power after %v", f.CutAfter))
	}
	if f.Disk != (disk.Faults{}) {
		parts = append(parts, "disk: "+f.Disk.String())
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// Mortal is a store that can be killed, such as one in a process of its own. Calls that it was in
// end with an error that leaves open what became of them; Close is still to be called.
type Mortal interface{ Kill() }

// Powered is a Mortal that can also be cut off from power, which takes with it what had not
// reached the disk.
type Powered interface {
	Mortal
	CutPower(ctx context.Context, seed uint64) error
}

// Event is something that was done to a store.
type Event struct {
	// At is when.
	At time.Time
	// What is what, in the past: "killed", "cut off from power".
	What string
	// Back is how long it took until the store could be used again; 0 if it cannot.
	Back time.Duration
}

// The values of Event.What.
const (
	Killed    = "killed"
	Powerless = "cut off from power"
)

// String returns what was done and how long it took to come back: "killed, back after 12ms".
func (e Event) String() string {
	if e.Back == 0 {
		return e.What
	}
	return fmt.Sprintf("%s, back after %v", e.What, e.Back.Round(10*time.Microsecond))
}

// hurt is a store that Faults are done to.
type hurt interface {
	kill(ctx context.Context) (Event, error)
	cut(ctx context.Context, seed uint64, over func()) (Event, error)
}

// Do does the faults to a store that Opener opened, until ctx is done, and returns what it did.
// Before it lets go of clients of a store without power it calls over, which has to end the
// workload. The error is that of a store that did not come back, which ends it, or says that
// nothing can be done to this store.
func (f Faults) Do(ctx context.Context, s store.Store, over func()) ([]Event, error) {
	if f.None() {
		return nil, nil
	}
	h, ok := ability.Find[hurt](s)
	if !ok {
		return nil, fmt.Errorf("%v: the store is in no process of its own", f)
	}
	if f.CutAfter != 0 {
		return f.cut(ctx, h, over)
	}
	return f.kill(ctx, h)
}

func (f Faults) kill(ctx context.Context, h hurt) (events []Event, err error) {
	life := time.NewTimer(f.KillEvery)
	defer life.Stop()
	for {
		select {
		case <-ctx.Done():
			return events, nil
		case <-life.C:
		}
		e, err := h.kill(context.WithoutCancel(ctx))
		if err != nil {
			return events, err
		}
		events = append(events, e)
		life.Reset(f.KillEvery) // from now on, however long it took to come back
	}
}

func (f Faults) cut(ctx context.Context, h hurt, over func()) ([]Event, error) {
	timer := time.NewTimer(f.CutAfter)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
	e, err := h.cut(context.WithoutCancel(ctx), f.Seed, over)
	return []Event{e}, err
}
