package mutant

import (
	"memrace/store/sqlite"
	"memrace/stress/check"
)

// overwriting lists the mutants whose single statements do not put the last value in place.
func overwriting() []Mutant {
	return []Mutant{
		{
			Name: "first-write-wins", Kind: "K16", CaughtBy: check.Linearizability,
			Fault:   "the upsert does nothing where the slot has a value, and reports success",
			Remedy:  "ON CONFLICT DO UPDATE instead of DO NOTHING",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
			Open: inSQL("memory", sqlite.Statements{Upsert: insertRow + `
				ON CONFLICT(session_id, key) DO NOTHING`}),
		},
		{
			Name: "newer-guard-ms", Kind: "K15", CaughtBy: check.Linearizability,
			Fault: "the upsert gives way to a stamp that is as new as its own, and stamps are " +
				"milliseconds, so that all but the first write of each are dropped",
			Remedy:  "let the database order the writes; no guard by the clock",
			Profile: "hot", Ops: 1000, Caught: 20, Of: 20,
			Open: inSQL("memory", sqlite.Statements{Upsert: `
				INSERT INTO memories (session_id, key, value, updated_at)
				VALUES (:session, :key, :value, :now / 1000000 * 1000000)
				ON CONFLICT(session_id, key) DO UPDATE SET
					value = excluded.value, updated_at = excluded.updated_at
				WHERE excluded.updated_at > memories.updated_at`}),
		},
		{
			Name: "last-n", Kind: "-", CaughtBy: check.Linearizability,
			Fault:   "all sessions share one bound on the rows, and the oldest row has to go",
			Remedy:  "bound each session on its own, and tell the caller what was dropped",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
			Open: inSQL("memory", sqlite.Statements{Schema: looseSchema("TEXT NOT NULL",
				"TEXT NOT NULL", ", PRIMARY KEY (session_id, key)") + `;
				CREATE TRIGGER IF NOT EXISTS bound AFTER INSERT ON memories BEGIN
					DELETE FROM memories WHERE rowid NOT IN (
						SELECT rowid FROM memories ORDER BY updated_at DESC LIMIT 8);
				END`}),
		},
		{
			Name: "soft-delete", Kind: "K16", CaughtBy: check.Linearizability,
			Fault: "a delete only marks the row, and the upsert that comes after it does not " +
				"take the mark away",
			Remedy:  "reset the mark in DO UPDATE SET, or delete the row",
			Profile: "churn", Ops: 400, Caught: 20, Of: 20,
			Open: inSQL("memory", sqlite.Statements{
				Schema: looseSchema("TEXT NOT NULL", "TEXT NOT NULL", `,
					deleted INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (session_id, key)`),
				Get: `SELECT value FROM memories
					WHERE session_id = :session AND key = :key AND NOT deleted`,
				Delete: `UPDATE memories SET deleted = 1
					WHERE session_id = :session AND key = :key`,
				Dump: sqlite.DefaultStatements().Dump + ` WHERE NOT deleted`,
			}),
		},
	}
}
