package mutant

import (
	"context"
	"slices"
	"strings"
	"time"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress/check"
)

// looseSchema returns a table whose columns are declared as a mutant likes it.
func looseSchema(session, key, constraint string) string {
	return `CREATE TABLE IF NOT EXISTS memories (
		session_id ` + session + `, key ` + key + `,
		value TEXT NOT NULL, updated_at INTEGER NOT NULL` + constraint + `)`
}

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
			Open: inSQL("memory", sqlite.Statements{Schema: looseSchema("TEXT NOT NULL",
				"TEXT NOT NULL COLLATE NOCASE", ", PRIMARY KEY (session_id, key)")}),
		},
		{
			Name: "affinity-key", Kind: "K18", CaughtBy: check.Isolation,
			Fault:   "the key's column has numeric affinity, so that 007 is kept as 7",
			Remedy:  "declare names TEXT, and the table STRICT",
			Profile: "names", Ops: 1500, Caught: 20, Of: 20,
			Open: inSQL("memory", sqlite.Statements{Schema: looseSchema("TEXT NOT NULL",
				"NUMERIC NOT NULL", ", PRIMARY KEY (session_id, key)")}),
		},
		{
			Name: "trimmed-names", Kind: "K18", CaughtBy: check.Isolation,
			Fault:   "names are trimmed before use, so that two that differ in a blank are one",
			Remedy:  "keep names byte for byte, or refuse those that are not wanted",
			Profile: "names", Ops: 1500, Caught: 20, Of: 20,
			Open: renamed(strings.TrimSpace),
		},
		{
			Name: "nul-cut", Kind: "K18", CaughtBy: check.Isolation,
			Fault:   "names pass through a C string, which ends at the first NUL",
			Remedy:  "bind texts with their length, or refuse a name with a NUL in it",
			Profile: "names", Ops: 2000, Caught: 20, Of: 20,
			Open: renamed(func(name string) string {
				before, _, _ := strings.Cut(name, "\x00")
				return before
			}),
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
			Open: inSQL("memory", sqlite.Statements{
				Schema: looseSchema("TEXT", "TEXT NOT NULL", ", UNIQUE (session_id, key)"),
				Upsert: `INSERT INTO memories (session_id, key, value, updated_at)
					VALUES (nullif(:session, ''), :key, :value, :now)
					ON CONFLICT(session_id, key) DO UPDATE SET
						value = excluded.value, updated_at = excluded.updated_at`,
				Get: `SELECT value FROM memories
					WHERE session_id IS nullif(:session, '') AND key = :key
					ORDER BY +rowid DESC LIMIT 1`,
				Delete: `DELETE FROM memories
					WHERE session_id IS nullif(:session, '') AND key = :key`,
			}),
		},
		{
			Name: "append-rows", Kind: "K11", CaughtBy: check.Uniqueness,
			Fault:   "each upsert adds a row, and only the get knows that the newest one counts",
			Remedy:  "a primary key, and ON CONFLICT DO UPDATE",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
			Open: inSQL("memory", sqlite.Statements{
				Schema: looseSchema("TEXT NOT NULL", "TEXT NOT NULL", ""),
				Upsert: insertRow,
				Get: `SELECT value FROM memories WHERE session_id = :session AND key = :key
					ORDER BY rowid DESC LIMIT 1`,
			}),
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
			Open: inSQL("memory", sqlite.Statements{Upsert: `
				INSERT INTO memories (session_id, key, value, updated_at)
				VALUES (:session, :key, substr(:value, 1, 12), :now)
				ON CONFLICT(session_id, key) DO UPDATE SET
					value = excluded.value, updated_at = excluded.updated_at`}),
		},
	}
}

// renamer is a right store that is asked for other names than the caller's.
type renamer struct {
	*sqlite.Store
	name func(string) string
}

// renamed opens a store that takes what name makes of each session and key.
func renamed(name func(string) string) store.Opener {
	return wrapped("memory", func(s *sqlite.Store) store.Store { return renamer{s, name} })
}

func (r renamer) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	return r.Store.Upsert(ctx, r.name(session), r.name(key), value)
}

func (r renamer) Get(ctx context.Context, session, key string) (string, bool, error) {
	return r.Store.Get(ctx, r.name(session), r.name(key))
}

func (r renamer) Delete(ctx context.Context, session, key string) error {
	return r.Store.Delete(ctx, r.name(session), r.name(key))
}
