package mutant

import (
	"cmp"
	"context"
	"sync"

	"memrace/store"
	"memrace/stress/check"
)

// atomicity lists the mutants that do in several statements what has to be one, or one
// transaction. All give way to others between the statements.
func atomicity() []Mutant {
	return []Mutant{
		{
			Name: "check-then-insert", Kind: "K11", CaughtBy: check.Uniqueness, Sequential: true,
			Fault: "the upsert inserts where it found no row to update, and the table has no key " +
				"that stops two who found none",
			Remedy:  "a primary key, and one INSERT with ON CONFLICT DO UPDATE",
			Profile: "births", Ops: 600, Caught: 19, Of: 20,
		},
		{
			Name: "replace-in-two", Kind: "K14", CaughtBy: check.Linearizability, Sequential: true,
			Fault: "the upsert deletes the row and inserts it anew, without a transaction, so " +
				"that a get in between finds nothing",
			Remedy:  "ON CONFLICT DO UPDATE, which never lets go of the row",
			Profile: "hot", Ops: 600, Caught: 20, Of: 20,
		},
		{
			Name: "torn-value", Kind: "K06", CaughtBy: check.Integrity, Sequential: true,
			Fault: "a value is kept in two parts, which two statements write without a " +
				"transaction, so that a get finds the parts of two values",
			Remedy:  "one statement, or one IMMEDIATE transaction around both",
			Profile: "hot", Ops: 600, Caught: 20, Of: 20,
		},
		{
			Name: "begin-on-shared", Kind: "K06", CaughtBy: check.Linearizability, Sequential: true,
			Fault: "a delete says BEGIN, and ROLLBACK if there was nothing to delete, on a " +
				"connection that others write through, so that their writes go with it",
			Remedy:  "a sql.Tx or a connection of one's own for each transaction",
			Profile: "churn", Ops: 1000, Caught: 19, Of: 20,
			Open: inGo("memory", func(p *plain) store.Store {
				return &sharedBegin{plain: p}
			}),
		},
	}
}

// sharedBegin opens a transaction by text on the one connection that all calls share.
type sharedBegin struct {
	*plain
	mu sync.Mutex // held by the delete whose transaction it is; the other calls know nothing of it
}

func (s *sharedBegin) Delete(ctx context.Context, session, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	db, r := s.pools.Write, row{session: session, key: key}
	if _, err := exec(ctx, db, "BEGIN", r); err != nil {
		return err
	}
	changed, err := exec(ctx, db, s.sql.Delete, r)
	think()
	end := "COMMIT"
	if changed == 0 {
		end = "ROLLBACK"
	}
	_, endErr := exec(ctx, db, end, r)
	return cmp.Or(err, endErr)
}
