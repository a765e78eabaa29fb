package mutant

import (
	"cmp"
	"context"
	"sync"
	"time"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress/check"
)

// What the mutants with two statements in place of one run first and second.
const (
	updateAnySession = `UPDATE memories SET value = :value, updated_at = :now WHERE key = :key`
	updateRow        = `UPDATE memories SET value = :value, updated_at = :now
		WHERE session_id = :session AND key = :key`
	// replaceRow is for the second of two that both deleted, which must not be refused.
	replaceRow = `INSERT OR REPLACE INTO memories (session_id, key, value, updated_at)
		VALUES (:session, :key, :value, :now)`
	upsertHead = `INSERT INTO memories (session_id, key, value, tail, updated_at)
		VALUES (:session, :key, substr(:value, 1, length(:value) / 2), '', :now)
		ON CONFLICT(session_id, key) DO UPDATE SET
			value = excluded.value, updated_at = excluded.updated_at`
	updateTail = `UPDATE memories SET tail = substr(:value, length(:value) / 2 + 1)
		WHERE session_id = :session AND key = :key`
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
			Open: inGo("memory", sqlite.Statements{
				Schema: looseSchema("TEXT NOT NULL", "TEXT NOT NULL", ""),
			}, twoSteps(updateRow, insertRow, false)),
		},
		{
			Name: "replace-in-two", Kind: "K14", CaughtBy: check.Linearizability, Sequential: true,
			Fault: "the upsert deletes the row and inserts it anew, without a transaction, so " +
				"that a get in between finds nothing",
			Remedy:  "ON CONFLICT DO UPDATE, which never lets go of the row",
			Profile: "hot", Ops: 600, Caught: 20, Of: 20,
			Open: inGo("memory", sqlite.Statements{}, twoSteps(
				sqlite.DefaultStatements().Delete, replaceRow, true)),
		},
		{
			Name: "torn-value", Kind: "K06", CaughtBy: check.Integrity, Sequential: true,
			Fault: "a value is kept in two parts, which two statements write without a " +
				"transaction, so that a get finds the parts of two values",
			Remedy:  "one statement, or one IMMEDIATE transaction around both",
			Profile: "hot", Ops: 600, Caught: 20, Of: 20,
			Open: inGo("memory", sqlite.Statements{
				Schema: looseSchema("TEXT NOT NULL", "TEXT NOT NULL",
					", tail TEXT NOT NULL, PRIMARY KEY (session_id, key)"),
				Get: `SELECT value || tail FROM memories
					WHERE session_id = :session AND key = :key`,
				Dump: `SELECT typeof(session_id), CAST(session_id AS BLOB),
					typeof(key), CAST(key AS BLOB),
					typeof(value), CAST(value || tail AS BLOB), updated_at FROM memories`,
			}, twoSteps(upsertHead, updateTail, true)),
		},
		{
			Name: "begin-on-shared", Kind: "K06", CaughtBy: check.Linearizability, Sequential: true,
			Fault: "a delete says BEGIN, and ROLLBACK if there was nothing to delete, on a " +
				"connection that others write through, so that their writes go with it",
			Remedy:  "a sql.Tx or a connection of one's own for each transaction",
			Profile: "churn", Ops: 1000, Caught: 19, Of: 20,
			Open: inGo("memory", sqlite.Statements{}, func(p *plain) store.Store {
				return &sharedBegin{plain: p}
			}),
		},
	}
}

// twoStatements upserts with two statements that no transaction holds together.
type twoStatements struct {
	*plain
	first, second string
	// always runs the second statement even if the first one changed a row.
	always bool
}

func twoSteps(first, second string, always bool) func(*plain) store.Store {
	return func(p *plain) store.Store { return &twoStatements{p, first, second, always} }
}

func (s *twoStatements) Upsert(ctx context.Context, session, key, value string) (
	time.Time, error) {
	think()
	r := row{session, key, value, time.Now()}
	changed, err := exec(ctx, s.pools.Write, s.first, r)
	if err == nil && (changed == 0 || s.always) {
		think()
		_, err = exec(ctx, s.pools.Write, s.second, r)
	}
	return r.now, err
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
