package mutant

import "memrace/stress/check"

// overwriting lists the mutants whose single statements do not put the last value in place.
func overwriting() []Mutant {
	return []Mutant{
		{
			Name: "first-write-wins", Kind: "K16", CaughtBy: check.Linearizability,
			Fault:   "the upsert does nothing where the slot has a value, and reports success",
			Remedy:  "ON CONFLICT DO UPDATE instead of DO NOTHING",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
		},
		{
			Name: "newer-guard-ms", Kind: "K15", CaughtBy: check.Linearizability,
			Fault: "the upsert gives way to a stamp that is as new as its own, and stamps are " +
				"milliseconds, so that all but the first write of each are dropped",
			Remedy:  "let the database order the writes; no guard by the clock",
			Profile: "hot", Ops: 1000, Caught: 20, Of: 20,
		},
		{
			Name: "last-n", Kind: "-", CaughtBy: check.Linearizability,
			Fault:   "all sessions share one bound on the rows, and the oldest row has to go",
			Remedy:  "bound each session on its own, and tell the caller what was dropped",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
		},
		{
			Name: "soft-delete", Kind: "K16", CaughtBy: check.Linearizability,
			Fault: "a delete only marks the row, and the upsert that comes after it does not " +
				"take the mark away",
			Remedy:  "reset the mark in DO UPDATE SET, or delete the row",
			Profile: "churn", Ops: 400, Caught: 20, Of: 20,
		},
	}
}
