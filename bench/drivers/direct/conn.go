// Package direct makes what database/sql calls a connection out of a driver for SQLite that has an
// interface of its own. It belongs here if all such drivers need it, and knows none of them.
package direct

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"strings"

	"memrace/store/sqlite"
)

// Engine is a connection in the terms of a driver. Its errors are those of the driver.
type Engine interface {
	// Prepare prepares the first statement of a text, and returns what there is behind it. A text
	// without any is an error.
	Prepare(text string) (s Statement, rest string, err error)
	// Step steps through a statement, and reports whether there is a row. If the context ends
	// before, that is its error.
	Step(ctx context.Context, s Statement) (row bool, err error)
	// AutoCommit is false while a transaction is open.
	AutoCommit() bool
	// Changes returns the number of the row that was inserted last, and how many were changed.
	Changes() (id, rows int64)
	// Close closes the connection.
	Close() error
}

// Statement is a prepared statement in the terms of a driver. Parameters count from 1 and columns
// from 0.
type Statement interface {
	Parameters() int
	Parameter(i int) (name string)
	// Bind is given what database/sql hands to drivers.
	Bind(i int, value driver.Value) error
	Columns() int
	Column(i int) (name string)
	// Value returns a column of the row that Step has found.
	Value(i int) driver.Value
	// Reset ends what Step has begun, so that the statement can be bound and stepped through anew.
	Reset() error
	Close() error
}

// Conn is a connection as package sqlite and database/sql want it.
type Conn struct {
	Engine
	// TxLock is what Begin begins: deferred, immediate or exclusive.
	TxLock string
	// Numbers are nil for a connection that numbers nothing.
	Numbers *sqlite.Numbers
}

var _ sqlite.RawConn = Conn{}

// Begin begins a transaction.
func (c Conn) Begin() (driver.Tx, error) {
	_, err := c.ExecContext(context.Background(), "BEGIN "+c.TxLock, nil)
	return tx{c}, err
}

type tx struct{ conn Conn }

// Commit ends the transaction.
func (t tx) Commit() error { return t.end("COMMIT") }

// Rollback undoes the transaction.
func (t tx) Rollback() error { return t.end("ROLLBACK") }

func (t tx) end(sql string) error {
	_, err := t.conn.ExecContext(context.Background(), sql, nil)
	return err
}

// Prepare prepares a single statement.
func (c Conn) Prepare(query string) (driver.Stmt, error) {
	s, rest, err := c.Engine.Prepare(query)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(rest) != "" {
		return nil, errors.Join(errors.New("this is more than one statement"), s.Close())
	}
	return &stmt{conn: c, raw: s}, nil
}

// ExecContext executes one statement after the other. Each is given all arguments.
func (c Conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue,
) (result driver.Result, err error) {
	for query = strings.TrimSpace(query); query != ""; query = strings.TrimSpace(query) {
		s, rest, err := c.Engine.Prepare(query)
		if err != nil {
			return nil, err
		}
		result, err = (&stmt{conn: c, raw: s}).ExecContext(ctx, args)
		if closed := s.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return nil, err
		}
		query = rest
	}
	return result, nil
}

// QueryContext runs a single statement, which ends with its rows.
func (c Conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue,
) (driver.Rows, error) {
	s, err := c.Prepare(query)
	if err != nil {
		return nil, err
	}
	r, err := s.(*stmt).QueryContext(ctx, args)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	r.(*rows).once = true
	return r, nil
}

// rest notes the end of a transaction, which has come wherever none is open any more.
func (c Conn) rest() {
	if c.Numbers != nil && c.AutoCommit() {
		c.Numbers.End()
	}
}

// rows are those of a statement, read one by one.
type rows struct {
	stmt *stmt
	ctx  context.Context
	// once is true if the statement ends with its rows.
	once bool
}

// Columns returns the names of the columns.
func (r *rows) Columns() []string {
	names := make([]string, r.stmt.raw.Columns())
	for i := range names {
		names[i] = r.stmt.raw.Column(i)
	}
	return names
}

// Next reads as much of a row as is asked for.
func (r *rows) Next(row []driver.Value) error {
	found, err := r.stmt.conn.Step(r.ctx, r.stmt.raw)
	if err != nil || !found {
		r.stmt.conn.rest()
	}
	if err != nil {
		return err
	}
	if !found {
		return io.EOF
	}
	for i := range min(len(row), r.stmt.raw.Columns()) {
		row[i] = r.stmt.raw.Value(i)
	}
	return nil
}

// Close lets go of the rows that have not been read.
func (r *rows) Close() error {
	err := r.stmt.raw.Reset()
	r.stmt.conn.rest()
	if r.once {
		err = errors.Join(err, r.stmt.Close())
	}
	return err
}
