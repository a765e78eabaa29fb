package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
)

// VersionWarning lets a test ask about versions that it does not run on.
var VersionWarning = versionWarning

// Numbered gives the parameters of a statement numbers for names.
var Numbered = numbers.Replace

// BreakRollback makes every connection that writes one that cannot roll back.
func (s *Store) BreakRollback(ctx context.Context) error {
	for range cap(s.write.free) {
		c, err := s.write.take(ctx)
		if err != nil {
			return err
		}
		if err := c.undo.raw.Close(); err != nil {
			return err
		}
		if c.undo, err = prepare(c.raw, "SELECT 1"); err != nil {
			return fmt.Errorf("prepare what does not roll back: %w", err)
		}
		s.write.give(c)
	}
	return nil
}

// HoldWriter keeps a connection that writes from all calls until release is called.
func (s *Store) HoldWriter(ctx context.Context) (release func(), err error) {
	c, err := s.write.take(ctx)
	return func() { s.write.give(c) }, err
}

// AwaitQueue returns once so many calls wait for a batch.
func (s *Store) AwaitQueue(n int) {
	for s.queue.length() < n {
		runtime.Gosched()
	}
}

// AwaitClosing returns once no call is let into the queue any more.
func (s *Store) AwaitClosing() {
	for closed := false; !closed; runtime.Gosched() {
		s.queue.mu.Lock()
		closed = s.queue.closed
		s.queue.mu.Unlock()
	}
}

// announced is a statement before which something is done.
type announced struct {
	RawStmt
	before func()
}

func (a announced) QueryContext(ctx context.Context, args []driver.NamedValue,
) (driver.Rows, error) {
	a.before()
	return a.RawStmt.QueryContext(ctx, args)
}

// Before has functions called before each BEGIN and each COMMIT of the connection that writes.
func (s *Store) Before(ctx context.Context, begin, commit func()) error {
	c, err := s.write.take(ctx)
	if err != nil {
		return err
	}
	c.begin.raw = announced{RawStmt: c.begin.raw, before: begin}
	c.commit.raw = announced{RawStmt: c.commit.raw, before: commit}
	s.write.give(c)
	return nil
}

// Integrity returns what SQLite says of the whole file: "ok" if nothing is wrong with it.
func (s *Store) Integrity(ctx context.Context) string {
	c, err := s.write.take(ctx)
	if err != nil {
		return err.Error()
	}
	defer s.write.give(c)
	answer, err := queryText(ctx, c.raw, "PRAGMA integrity_check")
	if err != nil {
		return err.Error()
	}
	return answer
}

// Patiently lets a test wait in its own time.
var Patiently = patiently

// ConnectUnchecked makes one connection of a variant that Validate may refuse.
func ConnectUnchecked(ctx context.Context, dir string, v Variant) error {
	c, err := uncheckedConnector(dir, v)
	if err != nil {
		return err
	}
	conn, err := c.connect(ctx)
	if err != nil {
		return err
	}
	return conn.Close()
}

// CheckDisk makes a connection of one variant and asks it whether it is one of another.
func CheckDisk(ctx context.Context, dir string, asked, got Variant) error {
	c, err := newConnector(dir, got)
	if err != nil {
		return err
	}
	conn, err := c.connect(ctx)
	if err != nil {
		return err
	}
	return errors.Join(checkDisk(ctx, conn, asked), conn.Close())
}
