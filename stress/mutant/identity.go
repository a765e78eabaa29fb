package mutant

import (
	"slices"

	"memrace/stress/check"
)

// identity lists the mutants that take two names for one, keep two rows for one, or cut what they
// are given.
func identity() []Mutant { return slices.Concat(unfaithful(), doubling(), cutting()) }

// unfaithful lists the mutants that change names so that two become one.
func unfaithful() []Mutant {
	return []Mutant{
		{
			Name: "nocase-key", Kind: "K18", CaughtBy: check.Isolation,
			Fault:   "keys compare without regard to case, so that Name and name are one slot",
			Remedy:  "leave the collation BINARY",
			Profile: "names", Ops: 1500, Caught: 20, Of: 20,
		},
		{
			Name: "affinity-key", Kind: "K18", CaughtBy: check.Isolation,
			Fault:   "the key's column has numeric affinity, so that 007 is kept as 7",
			Remedy:  "declare names TEXT, and the table STRICT",
			Profile: "names", Ops: 1500, Caught: 20, Of: 20,
		},
		{
			Name: "trimmed-names", Kind: "K18", CaughtBy: check.Isolation,
			Fault:   "names are trimmed before use, so that two that differ in a blank are one",
			Remedy:  "keep names byte for byte, or refuse those that are not wanted",
			Profile: "names", Ops: 1500, Caught: 20, Of: 20,
		},
		{
			Name: "nul-cut", Kind: "K18", CaughtBy: check.Isolation,
			Fault:   "names pass through a C string, which ends at the first NUL",
			Remedy:  "bind texts with their length, or refuse a name with a NUL in it",
			Profile: "names", Ops: 2000, Caught: 20, Of: 20,
		},
	}
}

// doubling lists the mutants that keep several rows for a slot whatever the schedule.
func doubling() []Mutant {
	return []Mutant{
		{
			Name: "null-for-empty", Kind: "K11", CaughtBy: check.Uniqueness,
			Fault: "an empty session is kept as NULL, which no unique key holds apart, so that " +
				"each upsert adds a row",
			Remedy:  "NOT NULL on every column of the key",
			Profile: "names", Ops: 4000, Caught: 19, Of: 20,
		},
		{
			Name: "append-rows", Kind: "K11", CaughtBy: check.Uniqueness,
			Fault:   "each upsert adds a row, and only the get knows that the newest one counts",
			Remedy:  "a primary key, and ON CONFLICT DO UPDATE",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
		},
	}
}

// cutting lists the mutants that change values.
func cutting() []Mutant {
	return []Mutant{
		{
			Name: "value-cut", Kind: "K18", CaughtBy: check.Integrity,
			Fault:   "values are cut to what the column was once meant to hold, without an error",
			Remedy:  "keep values whole, or refuse those that are too long",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
		},
	}
}
