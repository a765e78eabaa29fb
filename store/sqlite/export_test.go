package sqlite

import (
	"context"
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
