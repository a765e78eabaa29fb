package sqlite

import (
	"context"
	"database/sql/driver"

	"memrace/store"
)

// List returns the keys and values of a session by one statement, and so as of one instant. Both
// are read as Get reads values. A List that failed changed nothing.
func (s *Store) List(ctx context.Context, session string) ([]store.Entry, error) {
	var entries []store.Entry
	var cols [2]driver.Value
	err := s.reading(ctx, "list", func(c *conn) error {
		c.bind(session)
		return c.each(ctx, c.list, cols[:], func() error {
			key, err := asText(cols[0])
			if err != nil {
				return err
			}
			value, err := asText(cols[1])
			entries = append(entries, store.Entry{Key: key, Value: value})
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return entries, nil
}

// Items returns what was appended to a session, in that order, by one statement, and so as of one
// instant. An Items that failed changed nothing.
func (s *Store) Items(ctx context.Context, session string) ([]string, error) {
	var items []string
	var cols [1]driver.Value
	err := s.reading(ctx, "items", func(c *conn) error {
		c.bind(session)
		return c.each(ctx, c.items, cols[:], func() error {
			item, err := asText(cols[0])
			items = append(items, item)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return items, nil
}

// Clear removes all slots of a session, and none of its items.
func (s *Store) Clear(ctx context.Context, session string) error {
	a := s.change(ctx, func(c *conn) *statement { return c.clear }, session)
	return wrap("clear", a.err, a.certain)
}

// Append adds an item to the end of a session's list.
func (s *Store) Append(ctx context.Context, session, item string) error {
	const noKey = ""
	a := s.change(ctx, func(c *conn) *statement { return c.add }, session, noKey, item)
	return wrap("append", a.err, a.certain)
}

// reading lends a connection to what only reads, which can fail without a consequence.
func (s *Store) reading(ctx context.Context, what string, do func(*conn) error) error {
	c, err := s.read.take(ctx)
	if err != nil {
		return wrap(what, err, true)
	}
	err = do(c)
	c.failed(err)
	s.read.give(c)
	return wrap(what, err, true)
}
