package stress

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"testing"

	"memrace/store"
	"memrace/store/ability"
	"memrace/store/script"
)

// Statements is a store in SQL, for whoever has a *sql.DB and no store.Store. Each field is the
// text that stands below the operation's name in a SQL file (docs/sqlfiles.md): parameters are
// :session, :key, :value and :now, several statements are separated by semicolons, and lines such
// as "-- tx: immediate" and "-- if: :found" mean what they mean there.
//
// Upsert, Get and Delete are needed, or else Append and Items. What is empty the store does not
// have; whatever needs it is skipped.
type Statements struct {
	// Schema makes the tables; empty if they are there.
	Schema                                         string
	Upsert, Get, Delete                            string
	List, Clear, Append, Items, Update, Take, Dump string
	// Judge returns the error of a statement with its class (store.Classer), and wraps
	// store.ErrNotApplied if that statement, were it alone, certainly did nothing. For the driver
	// of mattn, sqlite.Wrap of memrace/store/sqlite does. If it is nil, memrace knows of few errors
	// that nothing happened, and takes most for unknown: no false alarm comes of it, but where
	// there are many, less is found.
	Judge func(what string, err error) error
}

// RunSQL is Run for a store that is a database and the statements that are run on it. Parameters
// are passed by sql.Named, so the driver has to know names with a colon, as drivers of SQLite do.
// The database has no rows yet and belongs to the test alone; RunSQL does not close it. What it
// has kept once it is closed and opened again, RunSQL cannot see.
func RunSQL(t *testing.T, db *sql.DB, s Statements, c Config) {
	t.Helper()
	open, err := s.Opener(db)
	if err != nil {
		t.Fatal(err)
	}
	Run(t, open, c)
}

// Opener returns the function that makes a store of a database, for Check. It ignores the
// directory. The error says in which field, at which line, what is wrong.
func (s Statements) Opener(db *sql.DB) (store.Opener, error) {
	if db == nil {
		return nil, errors.New("Statements: there is no database; sql.Open makes one")
	}
	parsed, err := script.Assemble("Statements", s.parts())
	if err != nil {
		return nil, err
	}
	pool := &script.Pool{DB: db}
	config := script.Config{
		Read: pool, Write: pool, Judge: s.Judge,
		Describe: func(context.Context) (store.Description, error) {
			return store.Description{Name: "sql", Volatile: true}, nil
		},
	}
	return func(ctx context.Context, _ string) (store.Store, error) {
		st, err := script.Open(ctx, parsed, config)
		if err != nil {
			return nil, err
		}
		if err := refuseRows(ctx, st); err != nil {
			return nil, err
		}
		return ability.Limit(st, st.Abilities()...)
	}, nil
}

func (s Statements) parts() []script.Part {
	parts := []script.Part{
		{Name: "schema", Text: s.Schema, Origin: "Schema"},
		{Name: "upsert", Text: s.Upsert, Origin: "Upsert"},
		{Name: "get", Text: s.Get, Origin: "Get"},
		{Name: "delete", Text: s.Delete, Origin: "Delete"},
		{Name: "list", Text: s.List, Origin: "List"},
		{Name: "clear", Text: s.Clear, Origin: "Clear"},
		{Name: "append", Text: s.Append, Origin: "Append"},
		{Name: "items", Text: s.Items, Origin: "Items"},
		{Name: "update", Text: s.Update, Origin: "Update"},
		{Name: "take", Text: s.Take, Origin: "Take"},
		{Name: "dump", Text: s.Dump, Origin: "Dump"},
	}
	for i := range parts {
		parts[i].Origin = "Statements." + parts[i].Origin
	}
	return parts
}

// refuseRows refuses rows of somebody else, which would look like values from nowhere.
func refuseRows(ctx context.Context, s *script.Store) error {
	if !slices.Contains(s.Abilities(), "dump") {
		return nil
	}
	rows, err := s.Dump(ctx)
	if err == nil && len(rows) > 0 {
		err = fmt.Errorf("there are %d rows already; take an empty database, or delete them first",
			len(rows))
	}
	return err
}
