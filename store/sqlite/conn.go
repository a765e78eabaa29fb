package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
)

// conn is one connection with its prepared statements. One goroutine at a time uses it.
//
// It speaks to the driver itself: database/sql would add a quarter to the time of a Get and more
// where the context can be cancelled, and it hands a connection to any of those who wait, where a
// pool here serves them in turn.
type conn struct {
	raw                       RawConn
	upsert, get, remove, pull *statement
	list, clear, add, items   *statement
	// begin is nil where each statement is its own transaction; immediate is for what needs one
	// of several statements.
	begin, immediate, commit, undo *statement
	// number is nil where each transaction is one call, or there is no journal; see renumber.
	number *statement
	// broken is true for a connection that must not be used again.
	broken bool
	args   [4]driver.NamedValue
	row    [1]driver.Value
}

// statement is a prepared statement and the number of arguments that it takes.
type statement struct {
	raw   RawStmt
	takes int
}

// newConn prepares the statements of a connection, and closes it if that cannot be done.
func newConn(raw RawConn, v Variant, s Statements) (*conn, error) {
	c := &conn{raw: raw}
	begin, number := "BEGIN "+v.TxLock, ""
	if v.TxLock == "auto" {
		begin = ""
	}
	if v.Batch > 0 && v.Commits {
		number = "SELECT " + NextNumber + "()"
	}
	for _, one := range []struct {
		name, sql string
		into      **statement
	}{
		{"Upsert", s.Upsert, &c.upsert}, {"Get", s.Get, &c.get},
		{"Delete", s.Delete, &c.remove}, {"Take", s.Take, &c.pull},
		{"List", s.List, &c.list}, {"Clear", s.Clear, &c.clear},
		{"Append", s.Append, &c.add}, {"Items", s.Items, &c.items},
		{"begin", begin, &c.begin}, {"immediate", "BEGIN IMMEDIATE", &c.immediate},
		{"commit", "COMMIT", &c.commit}, {"undo", "ROLLBACK", &c.undo},
		{"number", number, &c.number},
	} {
		if one.sql == "" {
			continue
		}
		var err error
		if *one.into, err = prepare(raw, one.sql); err != nil {
			return nil, errors.Join(fmt.Errorf("prepare %s: %w", one.name, err), c.close())
		}
	}
	return c, nil
}

func prepare(raw RawConn, sql string) (*statement, error) {
	made, err := raw.Prepare(sql)
	if err != nil {
		return nil, err
	}
	takes := made.NumInput()
	if takes < 0 {
		takes = len(conn{}.args)
	}
	return &statement{raw: made.(RawStmt), takes: takes}, nil
}

func (c *conn) close() error {
	var errs []error
	for _, s := range []*statement{c.upsert, c.get, c.remove, c.pull,
		c.list, c.clear, c.add, c.items,
		c.begin, c.immediate, c.commit, c.undo, c.number} {
		if s != nil {
			errs = append(errs, s.raw.Close())
		}
	}
	return errors.Join(append(errs, c.raw.Close())...)
}

// bind puts arguments where the driver wants them, in the order of the names in Statements.
func (c *conn) bind(values ...driver.Value) {
	for i, value := range values {
		c.args[i] = driver.NamedValue{Ordinal: i + 1, Value: value}
	}
}

// exec runs a statement to its end. It asks the driver for rows although there are none: that way
// the arguments and the first step go to C in one call, where an Exec makes one for each argument
// and, if the context can be cancelled, a goroutine.
func (c *conn) exec(ctx context.Context, s *statement) error {
	rows, err := s.raw.QueryContext(ctx, c.args[:s.takes])
	if err != nil {
		return err
	}
	return c.finish(rows)
}

// finish steps through the rows that are left, since a statement that writes is done, and its
// commit answered, only at its end.
func (c *conn) finish(rows driver.Rows) (err error) {
	for err == nil {
		err = rows.Next(c.row[:])
	}
	c.row[0] = nil
	if closed := rows.Close(); err == io.EOF {
		err = closed
	}
	return err
}

// first returns the first column of the first row of a statement, and whether there is one.
func (c *conn) first(ctx context.Context, s *statement) (driver.Value, bool, error) {
	rows, err := s.raw.QueryContext(ctx, c.args[:s.takes])
	if err != nil {
		return nil, false, err
	}
	err = rows.Next(c.row[:])
	closed := rows.Close()
	value := c.row[0]
	c.row[0] = nil
	switch err {
	case nil:
		return value, true, closed
	case io.EOF:
		return nil, false, closed
	}
	return nil, false, err
}

// only is first for a statement that writes, which has to come to its end.
func (c *conn) only(ctx context.Context, s *statement) (driver.Value, bool, error) {
	rows, err := s.raw.QueryContext(ctx, c.args[:s.takes])
	if err != nil {
		return nil, false, err
	}
	err = rows.Next(c.row[:])
	value := c.row[0]
	c.row[0] = nil
	if err == nil {
		return value, true, c.finish(rows)
	}
	closed := rows.Close()
	if err == io.EOF {
		err = closed
	}
	return nil, false, err
}

// transact runs what is to be done between begin and a commit; if begin is nil, it is a single
// statement. If it fails, certain says whether it is certain that nothing was changed.
func (c *conn) transact(ctx context.Context, begin *statement, do func() error,
) (certain bool, err error) {
	if begin == nil {
		err := do()
		return c.failed(err) && certainly(err), err
	}
	if err := c.exec(ctx, begin); err != nil {
		c.failed(err)
		return true, err
	}
	if err := do(); err != nil {
		return c.failed(err) && (certainly(err) || stopped(err)), err
	}
	// A commit that has begun is not to be stopped half-way, so its context never ends.
	err = c.exec(context.Background(), c.commit)
	return c.failed(err) && certainly(err), err
}

// failed leaves no transaction behind after an error, and returns whether that is certain. It
// does nothing for nil.
func (c *conn) failed(err error) (undone bool) {
	if err == nil {
		return true
	}
	undone = c.rollBack()
	c.broken = c.broken || ruined(err)
	return undone
}

// rollBack ends the transaction that is open, if one is, and reports whether none is left.
func (c *conn) rollBack() bool {
	if !c.raw.AutoCommit() {
		// The answer is seen in AutoCommit, whatever the error.
		_ = c.exec(context.Background(), c.undo)
	}
	undone := c.raw.AutoCommit()
	c.broken = c.broken || !undone
	return undone
}
