package mutant

import (
	"slices"

	"memrace/stress/check"
)

// isolation lists the mutants that mix up whose value it is.
func isolation() []Mutant { return slices.Concat(forgetful(), confusing()) }

// forgetful lists the mutants with a statement that forgets the session.
func forgetful() []Mutant {
	return []Mutant{
		{
			Name: "upsert-any-session", Kind: "K13", CaughtBy: check.Isolation,
			Fault: "the upsert updates by key alone, whatever the session, and inserts only if " +
				"that changed nothing",
			Remedy:  "one INSERT with ON CONFLICT(session_id, key) DO UPDATE",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
		},
		{
			Name: "get-any-session", Kind: "K13", CaughtBy: check.Isolation,
			Fault:   "the get asks for the key and forgets the session",
			Remedy:  "WHERE session_id = ? AND key = ? in every statement that reads",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
		},
		{
			Name: "delete-any-session", Kind: "K13", CaughtBy: check.Linearizability,
			Fault:   "the delete removes the key from every session",
			Remedy:  "WHERE session_id = ? AND key = ? in every statement that deletes",
			Profile: "uniform", Ops: 600, Caught: 20, Of: 20,
		},
		{
			Name: "conflict-on-key", Kind: "K13", CaughtBy: check.Isolation,
			Fault: "the key alone is the primary key, so that the second session to use it " +
				"overwrites the first one's value",
			Remedy:  "PRIMARY KEY (session_id, key) and ON CONFLICT(session_id, key)",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
		},
	}
}

// confusing lists the mutants that take one name of a session for another.
func confusing() []Mutant {
	return []Mutant{
		{
			Name: "like-prefix", Kind: "K13", CaughtBy: check.Isolation,
			Fault: "the get looks for sessions with LIKE and a wildcard, so that one session " +
				"reads those whose names begin like its own",
			Remedy:  "compare names with =, never with a pattern",
			Profile: "names", Ops: 2000, Caught: 20, Of: 20,
		},
		{
			Name: "empty-means-all", Kind: "K13", CaughtBy: check.Isolation,
			Fault:   "a get with an empty session reads the key of any session",
			Remedy:  "refuse an empty session, or take it as a name like any other",
			Profile: "names", Ops: 2500, Caught: 19, Of: 20,
		},
		{
			Name: "glued-key", Kind: "K13", CaughtBy: check.Isolation,
			Fault: "session and key are glued into one name with a colon between, so that " +
				"a:b and c is the same as a and b:c",
			Remedy:  "two columns and a composite primary key",
			Profile: "names", Ops: 3000, Caught: 19, Of: 20,
		},
	}
}
