package sqlite

import (
	"context"
	"time"
)

// Update reads a slot, calls change once, and writes what it returns, as one IMMEDIATE transaction
// whatever the variant's TxLock: a deferred one would find, when it comes to write, that another
// had been faster. Change holds the only lock to write, so it had better be quick. If it panics,
// nothing is changed, and the panic is the caller's.
func (s *Store) Update(ctx context.Context, session, key string,
	change func(old string, found bool) string) (old string, found bool, err error) {
	if s.queue != nil {
		if err := s.queue.alone(ctx); err != nil {
			return "", false, wrap("update", err, true)
		}
		defer s.queue.pass()
	}
	c, err := s.write.take(ctx)
	if err != nil {
		return "", false, wrap("update", err, true)
	}
	ended := false
	defer func() {
		if !ended { // it has panicked
			c.rollBack()
		}
		s.write.give(c)
	}()
	certain, err := c.transact(ctx, c.immediate, func() (err error) {
		c.bind(session, key)
		if old, found, err = c.read(ctx, c.get); err != nil {
			return err
		}
		value := change(old, found)
		c.bind(session, key, value, time.Now().UnixNano())
		return c.exec(ctx, c.upsert)
	})
	ended = true
	if err != nil {
		return "", false, wrap("update", err, certain)
	}
	return old, found, nil
}

// Take deletes a slot and returns the value that it had, read as Get reads it. A value that is no
// text is an error, but gone all the same.
func (s *Store) Take(ctx context.Context, session, key string) (string, bool, error) {
	a := s.change(ctx, func(c *conn) *statement { return c.pull }, session, key)
	if a.err != nil || !a.found {
		return "", false, wrap("take", a.err, a.certain)
	}
	text, err := asText(a.row)
	return text, err == nil, wrap("take", err, false)
}
