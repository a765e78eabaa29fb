package mutant

import (
	"context"
	"fmt"

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
			Open: inGo("memory", sqlite.Statements{}, func(p *plain) store.Store {
				return countsFirst{p}
			}),
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
			Open: inSQL("memory", sqlite.Statements{Items: `SELECT value FROM items
				WHERE session_id = :session ORDER BY CAST(n AS TEXT)`}),
		},
		{
			Name: "items-cut", Kind: "-", CaughtBy: check.Linearizability,
			Fault:   "only the eight newest items are read, and nobody is told",
			Remedy:  "read all, or declare the bound",
			Profile: "chat", Ops: 1000, Caught: 20, Of: 20,
			Open: inSQL("memory", sqlite.Statements{Items: `SELECT value FROM (
				SELECT n, value FROM items WHERE session_id = :session ORDER BY n DESC LIMIT 8)
				ORDER BY n`}),
		},
	}
}

// countsFirst is a plain store that keeps items as well.
type countsFirst struct{ *plain }

func (s countsFirst) Append(ctx context.Context, session, item string) error {
	think()
	r := row{session: session, value: item}
	count, _, err := get(ctx, s.pools.Write,
		`SELECT count(*) FROM items WHERE session_id = :session`, r)
	if err != nil {
		return err
	}
	think()
	_, err = exec(ctx, s.pools.Write, fmt.Sprintf(`INSERT OR REPLACE INTO items
		(session_id, n, value) VALUES (:session, %s + 1, :value)`, count), r)
	return err
}

func (s countsFirst) Items(ctx context.Context, session string) (items []string, err error) {
	think()
	found, err := s.pools.Read.QueryContext(ctx, s.sql.Items, row{session: session}.args()...)
	if err != nil {
		return nil, sqlite.Wrap("items", err)
	}
	defer found.Close()
	for found.Next() {
		var item string
		if err := found.Scan(&item); err != nil {
			return nil, sqlite.Wrap("items", err)
		}
		items = append(items, item)
	}
	return items, sqlite.Wrap("items", found.Err())
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
