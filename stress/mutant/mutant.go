// Package mutant holds stores that are wrong on purpose, each with one fault that stores of agent
// memory were seen to have, and says which property catches it.
//
// Every mutant is a real SQLite store that a reviewer could let pass. What SQL can say is a file of
// SQL beside a right one, from which it differs in as few lines as can be; what takes a cache, a
// queue or a lock is Go. None hangs, outlives its Close or touches anything but its directory. The
// package judges nothing: its tests, and whoever runs the matrix, do.
package mutant

import (
	"slices"

	"memrace/store"
	"memrace/stress/check"
)

// Mutant is a store that is wrong on purpose.
type Mutant struct {
	// Name is how the mutant is called, without the prefix "mutant/".
	Name string
	// Kind is the kind of fault, a number such as "K13"; "-" for one that belongs to none.
	Kind string
	// Fault says in one sentence what is wrong, Remedy what to do instead.
	Fault, Remedy string
	// CaughtBy is the property that catches it.
	CaughtBy check.Property
	// Profile names the workload that shows the fault best, Ops how many operations of all
	// clients together are enough for that.
	Profile string
	Ops     int
	// Caught is in how many of Of runs with different seeds CaughtBy has to catch it.
	Caught, Of int
	// Sequential is true for a mutant that a single client cannot tell from a right store.
	Sequential bool
	// File is the name of the file of SQL that the mutant is, in the directory sql of this
	// package; "" for one that is written in Go.
	File string
	// Open opens the mutant.
	Open store.Opener
}

// Mutants returns all mutants, those with related faults next to each other. One that says nothing
// of how it is opened is the file of its name.
func Mutants() []Mutant {
	all := slices.Concat(isolation(), identity(), overwriting(), atomicity(), editing(),
		visibility(), durability(), availability(), sessions(), chat(), handles())
	for i := range all {
		if m := &all[i]; m.Open == nil {
			m.File = m.Name + ".sql"
			m.Open = opener(m.File)
		}
	}
	return all
}

// Find returns the mutant of that name; false if there is none.
func Find(name string) (Mutant, bool) {
	all := Mutants()
	i := slices.IndexFunc(all, func(m Mutant) bool { return m.Name == name })
	if i < 0 {
		return Mutant{}, false
	}
	return all[i], true
}
