// Package fault hurts a store from outside while clients use it, and says when it did.
//
// What it does is plain data: the same faults can be written into a history, shown in a story, and
// done again.
package fault

import (
	"context"
	"fmt"
	"time"

	"memrace/store"
	"memrace/store/ability"
)

// Faults say what is done to a store, and how often. The zero Faults do nothing.
type Faults struct {
	// KillEvery is how long a store lives before it is killed and opened again in the same
	// directory; 0 means that it is not killed.
	KillEvery time.Duration
}

// leastLife is the shortest KillEvery: a process that has not come up cannot be killed.
const leastLife = time.Millisecond

// Validate returns an error that names what is out of range.
func (f Faults) Validate() error {
	if f.KillEvery != 0 && (f.KillEvery < leastLife || f.KillEvery > time.Hour) {
		return fmt.Errorf("kill every %v: it goes from %v to %v", f.KillEvery, leastLife, time.Hour)
	}
	return nil
}

// String returns the faults as people say them: "kill every 100ms".
func (f Faults) String() string {
	if f.KillEvery == 0 {
		return "none"
	}
	return fmt.Sprintf("kill every %v", f.KillEvery)
}

// Mortal is a store that can be killed, such as one in a process of its own. Calls that it was in
// end with an error that leaves open what became of them; Close is still to be called.
type Mortal interface{ Kill() }

// Event is something that was done to a store.
type Event struct {
	// At is when.
	At time.Time
	// What is what, in the past: "killed".
	What string
	// Back is how long it took until the store could be used again.
	Back time.Duration
}

// String returns what was done and how long it took to come back: "killed, back after 12ms".
func (e Event) String() string {
	return fmt.Sprintf("%s, back after %v", e.What, e.Back.Round(10*time.Microsecond))
}

// hurt is a store that Faults are done to.
type hurt interface {
	kill(ctx context.Context) (Event, error)
}

// of returns what can be hurt of a store, or nil.
func of(s store.Store) hurt {
	for s != nil {
		if h, ok := s.(hurt); ok {
			return h
		}
		s, _ = ability.Inside(s)
	}
	return nil
}

// Do does the faults to a store that Opener opened, until ctx is done, and returns what it did. The
// error is that of a store that did not come back, which ends it, or says that nothing can be
// done to this store.
func (f Faults) Do(ctx context.Context, s store.Store) ([]Event, error) {
	if f == (Faults{}) {
		return nil, nil
	}
	h := of(s)
	if h == nil {
		return nil, fmt.Errorf("%v: the store is in no process of its own", f)
	}
	var events []Event
	ticker := time.NewTicker(f.KillEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return events, nil
		case <-ticker.C:
		}
		e, err := h.kill(context.WithoutCancel(ctx))
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
}
