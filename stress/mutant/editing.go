package mutant

import (
	"context"
	"errors"
	"time"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress/check"
)

// editing lists the mutants that change or take a value in two steps which others come between.
func editing() []Mutant {
	return []Mutant{
		{
			Name: "edit-unlocked", Kind: "K10", CaughtBy: check.Linearizability, Sequential: true,
			Fault: "an update gets the value, changes it and upserts it without a transaction, " +
				"so that what another wrote meanwhile is gone",
			Remedy:  "one statement, or one IMMEDIATE transaction around the get and the upsert",
			Profile: "updates", Ops: 600, Caught: 20, Of: 20,
		},
		{
			Name: "edit-on-shared", Kind: "K10", CaughtBy: check.Linearizability, Sequential: true,
			Fault: "an update gets the value, changes it and upserts it over the connection that " +
				"all share, which serves one statement at a time, and an update is two",
			Remedy:  "hold the connection for the whole transaction",
			Profile: "updates", Ops: 600, Caught: 20, Of: 20,
		},
		{
			Name: "edit-deferred", Kind: "K02", CaughtBy: check.Linearizability, Sequential: true,
			Fault: "an update's transaction is deferred, so that its write is refused if another " +
				"wrote since its read; what was read before is then written all the same",
			Remedy:  "BEGIN IMMEDIATE; or begin anew with the read",
			Profile: "updates", Ops: 600, Caught: 20, Of: 20,
			Open: inGo("wal-pool,synchronous=off,txlock=deferred",
				func(p *plain) store.Store { return deferred{p} }),
		},
		{
			Name: "edit-again-with-old", Kind: "K10", CaughtBy: check.Linearizability,
			Sequential: true,
			Fault: "an update whose value was overwritten meanwhile tries again with what it had " +
				"made of the old one, and answers with the new one",
			Remedy:  "make the change anew in each attempt",
			Profile: "updates", Ops: 600, Caught: 20, Of: 20,
			Open: wrapped("memory", func(s *sqlite.Store) store.Store { return stubborn{s} }),
		},
		{
			Name: "take-two-steps", Kind: "K10", CaughtBy: check.Linearizability, Sequential: true,
			Fault: "a take gets the value and then deletes the slot, so that two who get it " +
				"before one has deleted it both have it",
			Remedy:  "one DELETE ... RETURNING",
			Profile: "takes", Ops: 600, Caught: 20, Of: 20,
		},
		{
			Name: "take-leaves", Kind: "K15", CaughtBy: check.Linearizability,
			Fault: "a take gets the value and deletes the row if its stamp is still the same, " +
				"but compares microseconds with nanoseconds, and does not look whether a row went",
			Remedy:  "one DELETE ... RETURNING; no guard by the clock",
			Profile: "takes", Ops: 400, Caught: 20, Of: 20,
		},
	}
}

// deferred updates in a transaction that has no lock to write when it reads.
type deferred struct{ *plain }

func (d deferred) Update(ctx context.Context, session, key string,
	change func(string, bool) string) (string, bool, error) {
	tx, err := d.pools.Write.BeginTx(ctx, nil)
	if err != nil {
		return "", false, errors.Join(sqlite.Wrap("begin", err), store.ErrNotApplied)
	}
	r := row{session: session, key: key}
	old, found, err := get(ctx, tx, d.sql.Get, r)
	if err != nil {
		return "", false, errors.Join(err, tx.Rollback())
	}
	r.value = change(old, found)
	think()
	r.now = time.Now()
	if _, err = exec(ctx, tx, d.sql.Upsert, r); err == nil {
		return old, found, sqlite.Wrap("commit", tx.Commit())
	}
	if err := tx.Rollback(); err != nil {
		return "", false, sqlite.Wrap("roll back", err)
	}
	_, err = exec(ctx, d.pools.Write, d.sql.Upsert, r)
	return old, found, err
}

// stubborn changes a value once, however often it has to write the outcome.
type stubborn struct{ *sqlite.Store }

func (s stubborn) Update(ctx context.Context, session, key string,
	change func(string, bool) string) (string, bool, error) {
	old, found, err := s.Get(ctx, session, key)
	if err != nil {
		return "", false, err
	}
	value := change(old, found)
	think()
	return s.Store.Update(ctx, session, key, func(string, bool) string { return value })
}
