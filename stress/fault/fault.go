// Package fault hurts a store from outside while clients use it, and says when it did.
//
// What it does is plain data: the same faults can be written into a history, shown in a story, and
// done again.
package fault

import (
	"errors"
	"fmt"
	"time"

	"memrace/store/disk"
)

// Faults say what is done to a store, and when; several things at once, if they are asked for. The
// zero Faults do nothing. Times count from when the workload begins.
type Faults struct {
	// KillEvery is how long a store lives before it is killed and opened again in the same
	// directory; 0 means that it is not killed.
	KillEvery time.Duration
	// CutAt is when the power fails, or at the end of the workload if that comes first; 0 means
	// that it does not. It ends the workload. Seed decides what of the files that had not been
	// synced is lost.
	CutAt time.Duration
	Seed  uint64
	// HoldEvery is how often another connection takes the write lock of the store's file, and
	// HoldFor how long it keeps it; both are 0 if none does.
	HoldEvery, HoldFor time.Duration
	// Disk is what is wrong with the disk of a store whose files go through package disk: from
	// DiskAt on, for as long as DiskFor says, where 0 means to the end.
	Disk            disk.Faults
	DiskAt, DiskFor time.Duration
}

// The limits of a time: a process that has not come up cannot be killed.
const (
	shortest = time.Millisecond
	longest  = time.Hour
)

// Validate returns an error that names what is out of range.
func (f Faults) Validate() error {
	for _, d := range []struct {
		name  string
		value time.Duration
	}{
		{"kill every", f.KillEvery}, {"cut power at", f.CutAt},
		{"hold write lock every", f.HoldEvery}, {"hold write lock", f.HoldFor},
		{"disk at", f.DiskAt}, {"disk for", f.DiskFor},
	} {
		if d.value != 0 && (d.value < shortest || d.value > longest) {
			return fmt.Errorf("%s %v: it goes from %v to %v", d.name, d.value, shortest, longest)
		}
	}
	switch {
	case (f.HoldEvery == 0) != (f.HoldFor == 0):
		return errors.New("hold write lock: it needs two times, as in " +
			"hold write lock 200ms every 1s")
	case f.HoldFor != 0 && f.HoldFor >= f.HoldEvery:
		return fmt.Errorf("hold write lock %v every %v: nobody else would ever have it", f.HoldFor,
			f.HoldEvery)
	case f.HoldFor != 0 && f.CutAt != 0:
		return errors.New("cut power and hold write lock: whoever holds the lock has the file " +
			"open, and a cut is true only of files that nobody else has open; leave one out")
	case f.Disk.None() && (f.DiskAt != 0 || f.DiskFor != 0):
		return errors.New("disk: it has a time, and nothing is wrong with it")
	}
	return f.Disk.Validate()
}

// Wait is for how long the faults may keep a single call from getting on: that long a run has to be
// patient, and its own patience on top.
func (f Faults) Wait() time.Duration {
	// A commit may wait for several syncs, and a checkpoint for more.
	const syncs = 8
	return f.HoldFor + syncs*f.Disk.SlowBy
}

// None reports whether nothing at all is done to the store.
func (f Faults) None() bool {
	return !f.Mortal() && !f.OnDisk() && f.HoldEvery == 0
}

// Mortal reports whether the store is killed or loses power, so that it has to be in a process of
// its own.
func (f Faults) Mortal() bool { return f.KillEvery != 0 || f.CutAt != 0 }

// OnDisk reports whether something is done with the files of the store, which therefore have to go
// through package disk.
func (f Faults) OnDisk() bool { return f.CutAt != 0 || !f.Disk.None() }
