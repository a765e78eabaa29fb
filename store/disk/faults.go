package disk

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Faults say what is to go wrong with files, as plain data. The zero Faults are none. Reads, writes
// and syncs are counted apart, over all files.
type Faults struct {
	// Seed is where the choices of faults with a probability start.
	Seed uint64
	// ReadError makes a read an I/O error.
	ReadError Strike
	// WriteError makes a write an I/O error; Full says that the disk is full. Some of the bytes, or
	// none, are in the file all the same.
	WriteError, Full Strike
	// SyncError makes a sync an I/O error. What was written stays unsynced, and a later sync is as
	// good as if there had been no error.
	SyncError Strike
	// LostSync makes a sync do nothing and report success, as a disk does that lies.
	LostSync Strike
	// SlowSync makes a sync take SlowBy longer, which is zero exactly if SlowSync is.
	SlowSync Strike
	SlowBy   time.Duration
}

// Strike says which calls a fault strikes. The zero Strike is none.
type Strike struct {
	// Nth is the number of the call, from 1; 0 if P says which.
	Nth int
	// Onward is true if all calls from the Nth on are struck.
	Onward bool
	// P is the probability of each call to be struck, from 0 to 1.
	P float64
}

// Limits of Faults, so that a slip of the finger is an error and no run that never ends.
const (
	maxNth    = 1_000_000_000
	maxSlowBy = time.Minute
)

// strikes returns the strikes with the names that they have in text, in the order of String.
func (f *Faults) strikes() []named {
	return []named{
		{"read-error", &f.ReadError}, {"write-error", &f.WriteError}, {"full", &f.Full},
		{"sync-error", &f.SyncError}, {"lost-sync", &f.LostSync}, {"slow-sync", &f.SlowSync},
	}
}

type named struct {
	name   string
	strike *Strike
}

// None reports whether nothing goes wrong.
func (f Faults) None() bool { return f == Faults{Seed: f.Seed} }

// Validate returns an error that names the fault that makes no sense, its value and the remedy.
func (f Faults) Validate() error {
	for _, n := range f.strikes() {
		if err := n.strike.validate(); err != nil {
			return fmt.Errorf("%s: %w", n.name, err)
		}
	}
	if f.SlowBy < 0 || f.SlowBy > maxSlowBy {
		return fmt.Errorf("slow-sync: %v is not from 0s to %v", f.SlowBy, maxSlowBy)
	}
	if (f.SlowBy == 0) != (f.SlowSync == Strike{}) {
		return fmt.Errorf("slow-sync: %v with a strike of %+v; one needs the other",
			f.SlowBy, f.SlowSync)
	}
	if f.SlowSync.Nth != 0 {
		return fmt.Errorf("slow-sync: strikes call %d; it goes by probability", f.SlowSync.Nth)
	}
	return nil
}

func (s Strike) validate() error {
	switch {
	case s.Nth < 0 || s.Nth > maxNth:
		return fmt.Errorf("call %d is not from 1 to %d", s.Nth, maxNth)
	case !(s.P >= 0 && s.P <= 1): // NaN is no probability either
		return fmt.Errorf("p=%v is not from 0 to 1", s.P)
	case s.Nth != 0 && s.P != 0:
		return fmt.Errorf("call %d and p=%v; give one of them", s.Nth, s.P)
	case s.Onward && s.Nth == 0:
		return fmt.Errorf("onward needs the call from which on; for all of them it is 1")
	}
	return nil
}

// String returns the faults as ParseFaults reads them; none are "".
func (f Faults) String() string {
	var parts []string
	for _, n := range f.strikes() {
		if *n.strike != (Strike{}) {
			parts = append(parts, f.part(n))
		}
	}
	if f.Seed != 0 {
		parts = append(parts, "seed="+strconv.FormatUint(f.Seed, 10))
	}
	return strings.Join(parts, ",")
}

func (f Faults) part(n named) string {
	text := n.name
	switch {
	case n.name == slowSync:
		text += "=" + f.SlowBy.String()
	case n.strike.Nth != 0:
		text += "=" + strconv.Itoa(n.strike.Nth)
	}
	if n.strike.Onward {
		text += "+"
	}
	if p := n.strike.P; p != 0 && p != 1 {
		text += ",p=" + strconv.FormatFloat(p, 'g', -1, 64)
	}
	return text
}
