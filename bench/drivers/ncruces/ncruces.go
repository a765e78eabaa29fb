// Package ncruces registers the driver github.com/ncruces/go-sqlite3: SQLite, compiled to
// WebAssembly and from there to Go. What it has for database/sql would take the name that
// github.com/mattn/go-sqlite3 has there, so it is spoken to directly.
package ncruces

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"

	ncruces "github.com/ncruces/go-sqlite3"

	"memrace/bench/drivers/direct"
	"memrace/store/sqlite"
)

func init() {
	sqlite.Register(sqlite.Driver{Name: "ncruces", Open: open, Code: code})
}

func open(s sqlite.Source) (sqlite.RawConn, error) {
	raw, err := ncruces.Open(s.URI(url.Values{"_pragma": {
		fmt.Sprintf("busy_timeout(%d)", s.BusyTimeout.Milliseconds())}}))
	if err != nil {
		return nil, err
	}
	c := direct.Conn{Engine: engine{raw}, TxLock: s.TxLock}
	if s.Numbered {
		c.Numbers = new(sqlite.Numbers)
		if err := number(raw, c.Numbers); err != nil {
			return nil, errors.Join(err, raw.Close())
		}
	}
	return c, nil
}

func number(c *ncruces.Conn, n *sqlite.Numbers) error {
	return errors.Join(
		c.CreateFunction(sqlite.NextNumber, 0, ncruces.INNOCUOUS,
			func(ctx ncruces.Context, _ ...ncruces.Value) {
				ctx.ResultInt64(n.Next())
			}),
		c.CreateFunction(sqlite.TransactionNumber, 1, ncruces.INNOCUOUS,
			func(ctx ncruces.Context, args ...ncruces.Value) {
				ctx.ResultInt64(n.Transaction(args[0].Int64()))
			}))
}

// code returns the result code of an error, which may be nothing but one.
func code(err error) (int, bool) {
	if e := (*ncruces.Error)(nil); errors.As(err, &e) {
		return int(e.ExtendedCode()), true
	}
	var short ncruces.ErrorCode
	ok := errors.As(err, &short)
	return int(short), ok
}

type engine struct{ *ncruces.Conn }

// Prepare prepares a statement.
func (e engine) Prepare(text string) (direct.Statement, string, error) {
	raw, rest, err := e.Conn.Prepare(text)
	if err == nil && raw == nil {
		err = errors.New("there is no statement in it")
	}
	if err != nil {
		return nil, "", err
	}
	return statement{raw}, rest, nil
}

// Step takes a step, in the course of which the driver looks at the context.
func (e engine) Step(ctx context.Context, s direct.Statement) (row bool, err error) {
	if ctx.Done() != nil {
		defer e.SetInterrupt(e.SetInterrupt(ctx))
	}
	raw := s.(statement).Stmt
	if raw.Step() {
		return true, nil
	}
	err = raw.Err()
	if ctx.Err() != nil && errors.Is(err, ncruces.INTERRUPT) {
		return false, ctx.Err()
	}
	return false, err
}

// AutoCommit is false while a transaction is open.
func (e engine) AutoCommit() bool { return e.GetAutocommit() }

// Changes tells what the last statement did.
func (e engine) Changes() (id, rows int64) { return e.LastInsertRowID(), e.Conn.Changes() }

type statement struct{ *ncruces.Stmt }

// Parameters counts the parameters.
func (s statement) Parameters() int { return s.BindCount() }

// Parameter returns the name of one.
func (s statement) Parameter(i int) string { return s.BindName(i) }

// Bind gives it a value.
func (s statement) Bind(i int, value driver.Value) error {
	switch v := value.(type) {
	case nil:
		return s.BindNull(i)
	case int64:
		return s.BindInt64(i, v)
	case float64:
		return s.BindFloat(i, v)
	case bool:
		return s.BindBool(i, v)
	case string:
		return s.BindText(i, v)
	case []byte:
		return s.BindBlob(i, v)
	}
	return fmt.Errorf("argument %d is %T, which SQLite has not", i, value)
}

// Columns counts the columns.
func (s statement) Columns() int { return s.ColumnCount() }

// Column returns the name of one.
func (s statement) Column(i int) string { return s.ColumnName(i) }

// Value returns the value of one.
func (s statement) Value(i int) driver.Value {
	switch s.ColumnType(i) {
	case ncruces.INTEGER:
		return s.ColumnInt64(i)
	case ncruces.FLOAT:
		return s.ColumnFloat(i)
	case ncruces.TEXT:
		return s.ColumnText(i)
	case ncruces.BLOB:
		return s.ColumnBlob(i, nil)
	}
	return nil
}
