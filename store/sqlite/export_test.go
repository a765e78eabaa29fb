package sqlite

import (
	"context"
	"errors"
	"fmt"
)

// VersionWarning lets a test ask about versions that it does not run on.
var VersionWarning = versionWarning

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
