package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// makeSchema makes what is missing. It takes the lock first, so that of several processes that
// find an empty file each sees all or nothing of what another one makes.
func (s *Store) makeSchema(ctx context.Context, raw RawConn) error {
	err := patiently(ctx, s.connector.variant.BusyTimeout, func() error {
		_, err := raw.ExecContext(ctx, "BEGIN IMMEDIATE", nil)
		return err
	})
	if err != nil {
		return fmt.Errorf("lock the database for the schema: %w", err)
	}
	if err := s.makeTables(ctx, raw); err != nil {
		return fmt.Errorf("make the schema: %w", err)
	}
	if err := s.checkSchema(ctx, raw); err != nil {
		return err
	}
	if err := s.checkJournal(ctx, raw); err != nil {
		return err
	}
	if _, err := raw.ExecContext(context.Background(), "COMMIT", nil); err != nil {
		return fmt.Errorf("commit the schema: %w", err)
	}
	return nil
}

// makeTables makes what is missing on a connection, whatever database that is to.
func (s *Store) makeTables(ctx context.Context, raw RawConn) error {
	schemas := []string{s.statements.Schema, s.statements.ItemSchema}
	if s.connector.variant.Commits {
		schemas = append(schemas, journalSchema)
	}
	for _, sql := range schemas {
		if _, err := raw.ExecContext(ctx, sql, nil); err != nil {
			return err
		}
	}
	return nil
}

// checkSchema refuses a file in which one of the tables was there before and is another one,
// since IF NOT EXISTS is content with the name. It compares with an empty database.
func (s *Store) checkSchema(ctx context.Context, raw RawConn) (err error) {
	if s.connector.variant.Memory {
		return nil
	}
	memory := s.connector.source()
	memory.Path, memory.Disk = "", false
	empty, err := s.connector.open(memory)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, empty.Close()) }()
	if err := s.makeTables(ctx, empty); err != nil {
		return fmt.Errorf("make the schema in memory: %w", err)
	}
	want, err := objects(ctx, empty)
	if err != nil {
		return err
	}
	got, err := objects(ctx, raw)
	if err != nil {
		return err
	}
	if _, kept := got[journalTrigger]; kept && !s.connector.variant.Commits {
		return errors.New("the file keeps a journal of its changes; open it with commits=on")
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			return fmt.Errorf("%s is there already and was made by other SQL: the file is "+
				"another store's; give this one a directory of its own", name)
		}
	}
	return nil
}

// objects returns the SQL of each table, index, trigger and view of a database, by its name.
func objects(ctx context.Context, raw RawConn) (map[string]string, error) {
	rows, err := raw.QueryContext(ctx, "SELECT name, sql FROM sqlite_schema", nil)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	found := map[string]string{}
	var cols [2]driver.Value
	err = eachRow(rows, cols[:], func() error {
		found[fmt.Sprint(cols[0])] = fmt.Sprint(cols[1])
		return nil
	})
	return found, err
}
