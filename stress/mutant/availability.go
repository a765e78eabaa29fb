package mutant

import (
	"context"
	"errors"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress/check"
)

// availability lists the mutants that refuse what they are there for. They are never wrong, which
// is why a run in which nothing succeeds must not pass.
func availability() []Mutant {
	return []Mutant{
		{
			Name: "nothing-works", Kind: "K07", CaughtBy: check.Progress,
			Fault: "another handle has begun an exclusive transaction and does not end it, so " +
				"that every call is refused",
			Remedy:  "end each transaction on every path; alert on the rate of busy errors",
			Profile: "uniform", Ops: 200, Caught: 20, Of: 20,
			Open: openLockedOut,
		},
		{
			Name: "check-in-seconds", Kind: "K01", CaughtBy: check.Progress,
			Fault: "the table checks that stamps are seconds, and the statements give " +
				"nanoseconds, so that every upsert is refused",
			Remedy:  "try the schema with the statements that it gets; count errors by class",
			Profile: "uniform", Ops: 200, Caught: 20, Of: 20,
		},
	}
}

// lockedOut is a right store whose database somebody else has locked. It does not offer to list
// its rows, which would be refused like all else.
type lockedOut struct {
	store.Store
	other sqlite.Pools
}

func openLockedOut(ctx context.Context, dir string) (store.Store, error) {
	v, err := sqlite.ParseVariant("shared,busy=0s")
	if err != nil {
		return nil, err
	}
	s, err := sqlite.Open(ctx, dir, v)
	if err != nil {
		return nil, err
	}
	other, err := sqlite.OpenPools(ctx, dir, v)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	l := lockedOut{s, other}
	if _, err := other.Write.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		return nil, errors.Join(sqlite.Wrap("lock", err), l.Close())
	}
	return l, nil
}

// Close ends the other handle first, which rolls its transaction back.
func (l lockedOut) Close() error { return errors.Join(l.other.Close(), l.Store.Close()) }
