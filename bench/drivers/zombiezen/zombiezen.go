// Package zombiezen registers the driver zombiezen.com/go/sqlite: an interface of its own to the
// translation of SQLite that modernc.org/sqlite is.
package zombiezen

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"

	zombiezen "zombiezen.com/go/sqlite"

	"memrace/bench/drivers/direct"
	"memrace/store/sqlite"
)

func init() {
	sqlite.Register(sqlite.Driver{Name: "zombiezen", Open: open, Code: code})
}

func open(s sqlite.Source) (sqlite.RawConn, error) {
	raw, err := zombiezen.OpenConn(s.URI(url.Values{}),
		zombiezen.OpenReadWrite, zombiezen.OpenCreate, zombiezen.OpenURI)
	if err != nil {
		return nil, coded(err)
	}
	raw.SetBusyTimeout(s.BusyTimeout)
	e := &engine{raw: raw}
	e.arm()
	c := direct.Conn{Engine: e, TxLock: s.TxLock}
	if s.Numbered {
		c.Numbers = new(sqlite.Numbers)
		if err := number(raw, c.Numbers); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

func number(c *zombiezen.Conn, n *sqlite.Numbers) error {
	function := func(args int, f func([]zombiezen.Value) int64) *zombiezen.FunctionImpl {
		return &zombiezen.FunctionImpl{NArgs: args, AllowIndirect: true,
			Scalar: func(_ zombiezen.Context, args []zombiezen.Value) (zombiezen.Value, error) {
				return zombiezen.IntegerValue(f(args)), nil
			}}
	}
	return errors.Join(
		c.CreateFunction(sqlite.NextNumber, function(0,
			func([]zombiezen.Value) int64 { return n.Next() })),
		c.CreateFunction(sqlite.TransactionNumber, function(1,
			func(args []zombiezen.Value) int64 { return n.Transaction(args[0].Int64()) })))
}

// failure is an error of the driver with its result code: the driver's own function has one for
// errors that are not SQLite's, too.
type failure struct {
	error
	code zombiezen.ResultCode
}

// Unwrap returns the error.
func (f failure) Unwrap() error { return f.error }

func coded(err error) error {
	if err == nil {
		return nil
	}
	return failure{err, zombiezen.ErrCode(err)}
}

func code(err error) (int, bool) {
	var f failure
	ok := errors.As(err, &f)
	return int(f.code), ok
}

// engine is a connection.
type engine struct {
	raw *zombiezen.Conn
	// ended interrupts what is under way as soon as it is closed.
	ended chan struct{}
}

// arm makes the connection one that can be interrupted, once.
func (e *engine) arm() {
	e.ended = make(chan struct{})
	e.raw.SetInterrupt(e.ended)
}

// Step takes a step. To tell the driver of each context would cost a goroutine each time, so that
// is done only after one has ended.
func (e *engine) Step(ctx context.Context, s direct.Statement) (row bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	raw := s.(statement).raw
	if ctx.Done() == nil {
		row, err = raw.Step()
		return row, coded(err)
	}
	stop := context.AfterFunc(ctx, func() { close(e.ended) })
	row, err = raw.Step()
	if !stop() {
		<-e.ended
		e.arm()
	}
	if ctx.Err() != nil && zombiezen.ErrCode(err) == zombiezen.ResultInterrupt {
		return false, ctx.Err()
	}
	return row, coded(err)
}

// Prepare prepares a statement.
func (e *engine) Prepare(text string) (direct.Statement, string, error) {
	raw, trailing, err := e.raw.PrepareTransient(text)
	if err != nil {
		return nil, "", coded(err)
	}
	return statement{raw}, text[len(text)-trailing:], nil
}

// AutoCommit is false while a transaction is open.
func (e *engine) AutoCommit() bool { return e.raw.AutocommitEnabled() }

// Changes tells what the last statement did.
func (e *engine) Changes() (id, rows int64) {
	return e.raw.LastInsertRowID(), int64(e.raw.Changes())
}

// Close closes the connection.
func (e *engine) Close() error { return coded(e.raw.Close()) }

type statement struct{ raw *zombiezen.Stmt }

// Parameters counts the parameters.
func (s statement) Parameters() int { return s.raw.BindParamCount() }

// Parameter returns the name of one.
func (s statement) Parameter(i int) string { return s.raw.BindParamName(i) }

// Bind gives it a value. What is wrong with the place the driver says at the next step.
func (s statement) Bind(i int, value driver.Value) error {
	switch v := value.(type) {
	case nil:
		s.raw.BindNull(i)
	case int64:
		s.raw.BindInt64(i, v)
	case float64:
		s.raw.BindFloat(i, v)
	case bool:
		s.raw.BindBool(i, v)
	case string:
		s.raw.BindText(i, v)
	case []byte:
		s.raw.BindBytes(i, v)
	default:
		return fmt.Errorf("argument %d is %T, which SQLite has not", i, value)
	}
	return nil
}

// Columns counts the columns.
func (s statement) Columns() int { return s.raw.ColumnCount() }

// Column returns the name of one.
func (s statement) Column(i int) string { return s.raw.ColumnName(i) }

// Value returns the value of one.
func (s statement) Value(i int) driver.Value {
	switch s.raw.ColumnType(i) {
	case zombiezen.TypeInteger:
		return s.raw.ColumnInt64(i)
	case zombiezen.TypeFloat:
		return s.raw.ColumnFloat(i)
	case zombiezen.TypeText:
		return s.raw.ColumnText(i)
	case zombiezen.TypeBlob:
		blob := make([]byte, s.raw.ColumnLen(i))
		s.raw.ColumnBytes(i, blob)
		return blob
	}
	return nil
}

// Reset ends what Step has begun.
func (s statement) Reset() error { return coded(s.raw.Reset()) }

// Close ends the statement.
func (s statement) Close() error { return coded(s.raw.Finalize()) }
