package script

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memrace/store"
)

// Config is what a store needs besides its script.
type Config struct {
	// Write is for operations that change something, Read for those that do not, which may be the
	// same.
	Read, Write *Pool
	// Judge returns the error of a statement that was tried with the class it has, and wraps
	// store.ErrNotApplied if that statement, had it been a transaction of its own, certainly
	// changed nothing. If it is nil, nothing of the kind is known of any error.
	Judge func(what string, err error) error
	// Describe says what the store is; nil leaves that to the script's name.
	Describe func(context.Context) (store.Description, error)
	// Close is called by the store's Close, after that of the pools; nil does nothing.
	Close func() error
}

// Store is a store with every optional method. Those whose operation the script does not have end
// with an error. package ability takes them off.
type Store struct {
	script *Script
	config Config
}

// Open runs the schema and returns the store.
func Open(ctx context.Context, script *Script, c Config) (*Store, error) {
	s := &Store{script: script, config: c}
	if len(script.Schema.Statements) == 0 {
		return s, nil
	}
	return s, s.run(ctx, &script.Schema, &call{values: map[string]any{}})
}

// Abilities returns the names of the script's operations that not every store has.
func (s *Store) Abilities() (names []string) {
	for _, o := range s.script.Operations {
		switch o.Name {
		case "upsert", "get", "delete", "items":
		default:
			names = append(names, o.Name)
		}
	}
	return names
}

// do runs the operation of that name.
func (s *Store) do(ctx context.Context, name string, c *call, values map[string]any) error {
	o := s.script.Operation(name)
	if o == nil {
		missing := fmt.Errorf("%s has no %s; write one with -- name: %s", s.script.Name, name, name)
		return newError(missing, true)
	}
	c.given, c.values = promises[name].given, values
	if _, found := values["now"]; !found {
		values["now"] = time.Now().UnixNano()
	}
	return s.run(ctx, o, c)
}

// rows runs an operation that returns rows of n texts. If these are no such rows, it is not
// certain that nothing was changed.
func (s *Store) rows(ctx context.Context, name string, n int, values map[string]any) (
	[][]string, error) {
	var c call
	if err := s.do(ctx, name, &c, values); err != nil {
		return nil, err
	}
	rows, err := c.texts(n)
	if err != nil {
		o := s.script.Operation(name)
		return nil, s.failed(o, o.Line, err, o.reads())
	}
	return rows, nil
}

// first is rows for an operation that returns one value or none.
func (s *Store) first(ctx context.Context, name, session, key string) (string, bool, error) {
	rows, err := s.rows(ctx, name, 1, map[string]any{"session": session, "key": key})
	if err != nil || len(rows) == 0 {
		return "", false, err
	}
	return rows[0][0], true, nil
}

// Upsert sets the value of a slot. The time that it returns is :now, or zero if no statement has
// that.
func (s *Store) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	now := time.Now()
	err := s.do(ctx, "upsert", &call{}, map[string]any{
		"session": session, "key": key, "value": value, "now": now.UnixNano(),
	})
	if err != nil || s.script.Operation("upsert").firstWith("now") < 0 {
		return time.Time{}, err
	}
	return now, nil
}

// Get returns the value of a slot.
func (s *Store) Get(ctx context.Context, session, key string) (string, bool, error) {
	return s.first(ctx, "get", session, key)
}

// Delete removes the value of a slot.
func (s *Store) Delete(ctx context.Context, session, key string) error {
	return s.do(ctx, "delete", &call{}, map[string]any{"session": session, "key": key})
}

// Take removes the value of a slot and returns it.
func (s *Store) Take(ctx context.Context, session, key string) (string, bool, error) {
	return s.first(ctx, "take", session, key)
}

// Update gives change the :old that a statement returned, and sets :value to what it returns, as
// soon as a statement has that.
func (s *Store) Update(ctx context.Context, session, key string,
	change func(old string, found bool) string) (string, bool, error) {
	c := call{change: change}
	err := s.do(ctx, "update", &c, map[string]any{"session": session, "key": key})
	if err != nil {
		return "", false, err
	}
	return c.old, c.oldFound, nil
}

// List returns what a session holds.
func (s *Store) List(ctx context.Context, session string) ([]store.Entry, error) {
	rows, err := s.rows(ctx, "list", 2, map[string]any{"session": session})
	if err != nil {
		return nil, err
	}
	entries := make([]store.Entry, len(rows))
	for i, row := range rows {
		entries[i] = store.Entry{Key: row[0], Value: row[1]}
	}
	return entries, nil
}

// Clear removes what a session holds.
func (s *Store) Clear(ctx context.Context, session string) error {
	return s.do(ctx, "clear", &call{}, map[string]any{"session": session})
}

// Append adds an item to a session's list.
func (s *Store) Append(ctx context.Context, session, item string) error {
	return s.do(ctx, "append", &call{}, map[string]any{"session": session, "value": item})
}

// Items returns a session's list.
func (s *Store) Items(ctx context.Context, session string) ([]string, error) {
	rows, err := s.rows(ctx, "items", 1, map[string]any{"session": session})
	if err != nil {
		return nil, err
	}
	items := make([]string, len(rows))
	for i, row := range rows {
		items[i] = row[0]
	}
	return items, nil
}

// Dump returns every row as the database keeps it.
func (s *Store) Dump(ctx context.Context) ([]store.Row, error) {
	var c call
	if err := s.do(ctx, "dump", &c, map[string]any{}); err != nil {
		return nil, err
	}
	rows := make([]store.Row, len(c.last))
	for i, cols := range c.last {
		var err error
		if rows[i], err = asRow(cols); err != nil {
			o := s.script.Operation("dump")
			return nil, s.failed(o, o.Line, err, true)
		}
	}
	return rows, nil
}

// asRow reads session, key, value and, if there is a fourth column, the time.
func asRow(cols []any) (row store.Row, err error) {
	if len(cols) != 3 && len(cols) != 4 {
		return row, fmt.Errorf("the rows have %d columns; they are session, key, value and, "+
			"if there is one, the time", len(cols))
	}
	for i, field := range []*store.Field{&row.Session, &row.Key, &row.Value} {
		if *field, err = asField(cols[i]); err != nil {
			return store.Row{}, err
		}
	}
	if len(cols) == 4 {
		row.UpdatedAt, err = asTime(cols[3])
	}
	return row, err
}

// Describe says what the store is.
func (s *Store) Describe(ctx context.Context) (store.Description, error) {
	if s.config.Describe == nil {
		return store.Description{Name: s.script.Name}, nil
	}
	return s.config.Describe(ctx)
}

// Close gives back what the store holds.
func (s *Store) Close() error {
	err := errors.Join(s.config.Write.Close(), s.config.Read.Close())
	if s.config.Close != nil {
		err = errors.Join(err, s.config.Close())
	}
	return err
}
