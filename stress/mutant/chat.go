package mutant

import (
	"context"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress/check"
)

// chat lists the mutants that lose, double or reorder the items of a session.
func chat() []Mutant {
	return []Mutant{
		{
			Name: "append-counts-first", Kind: "K11", CaughtBy: check.Linearizability,
			Sequential: true,
			Fault: "an append counts the items and puts its own at the next number, in two " +
				"statements, and replaces the item of whoever counted as many",
			Remedy:  "one INSERT ... SELECT max(n) + 1; and never OR REPLACE",
			Profile: "chat", Ops: 1000, Caught: 20, Of: 20,
		},
		{
			Name: "append-twice", Kind: "-", CaughtBy: check.Linearizability,
			Fault: "one append in eight is tried again, as one whose answer was lost, although " +
				"the first attempt had got through",
			Remedy:  "give each item an identity, so that a second attempt finds the first",
			Profile: "chat", Ops: 400, Caught: 20, Of: 20,
			Open: wrapped("memory", func(s *sqlite.Store) store.Store { return twice{s} }),
		},
		{
			Name: "items-unordered", Kind: "K18", CaughtBy: check.Linearizability,
			Fault:   "the items are ordered by their numbers as texts, so that 10 comes before 9",
			Remedy:  "INTEGER for what is a number, and the table STRICT",
			Profile: "chat", Ops: 1000, Caught: 20, Of: 20,
		},
		{
			Name: "items-cut", Kind: "-", CaughtBy: check.Linearizability,
			Fault:   "only the eight newest items are read, and nobody is told",
			Remedy:  "read all, or declare the bound",
			Profile: "chat", Ops: 1000, Caught: 20, Of: 20,
		},
	}
}

// twice is a right store that takes some answers for lost.
type twice struct{ *sqlite.Store }

func (s twice) Append(ctx context.Context, session, item string) error {
	err := s.Store.Append(ctx, session, item)
	if err == nil && refused(item) {
		think()
		return s.Store.Append(ctx, session, item)
	}
	return err
}
