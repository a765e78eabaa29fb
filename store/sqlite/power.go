package sqlite

import (
	"context"
	"fmt"

	"memrace/store/disk"
)

// Check has SQLite look at the whole file, and returns what it finds wrong, as far as it says.
func (s *Store) Check(ctx context.Context) error {
	c, err := s.write.take(ctx)
	if err != nil {
		return wrap("check", err, true)
	}
	defer s.write.give(c)
	found, err := queryText(ctx, c.raw, "PRAGMA integrity_check(1)")
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if found != "ok" {
		return fmt.Errorf("integrity_check: %s", found)
	}
	return nil
}

// CanCutPower reports whether the files go through package disk.
func (s *Store) CanCutPower() bool { return s.connector.variant.Disk }

// CutPower has the power fail, see disk.Cut. It returns only if it cannot.
func (s *Store) CutPower(seed uint64) error {
	if !s.connector.variant.Disk {
		return wrap("cut the power", errNoLayer, true)
	}
	return disk.Cut(seed)
}

// lossy reports whether what was acknowledged last may be gone when the power fails: a commit that
// is not pressed onto the disk, or one in a rollback journal whose deletion is not.
func (v Variant) lossy() bool {
	switch v.Synchronous {
	case "off", "normal":
		return !v.Memory
	case "full":
		return v.Journal == "delete" || v.Journal == "memory"
	}
	return false
}
