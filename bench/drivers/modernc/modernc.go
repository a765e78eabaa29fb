// Package modernc registers the driver modernc.org/sqlite: SQLite, translated from C to Go.
package modernc

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"net/url"
	"strconv"

	modernc "modernc.org/sqlite"

	"memrace/store/sqlite"
)

func init() {
	sqlite.Register(sqlite.Driver{Name: "modernc", Open: open, Code: code})
}

// rawConn is what the driver opens.
type rawConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

type conn struct{ rawConn }

func open(s sqlite.Source) (sqlite.RawConn, error) {
	var d modernc.Driver
	if s.Numbered {
		if err := number(&d); err != nil {
			return nil, err
		}
	}
	made, err := d.Open(s.URI(url.Values{"_txlock": {s.TxLock},
		"_busy_timeout": {strconv.FormatInt(s.BusyTimeout.Milliseconds(), 10)}}))
	if err != nil {
		return nil, err
	}
	return conn{made.(rawConn)}, nil
}

// number gives the connections of a driver, of which there is to be one, the functions of
// sqlite.Numbers.
func number(d *modernc.Driver) error {
	var n sqlite.Numbers
	d.RegisterConnectionHook(func(c modernc.ExecQuerierContext, _ string) error {
		hooks := c.(modernc.HookRegisterer)
		hooks.RegisterCommitHook(func() int32 { n.End(); return 0 })
		hooks.RegisterRollbackHook(n.End)
		return nil
	})
	return cmp.Or(
		d.RegisterScalarFunction(sqlite.NextNumber, 0,
			func(*modernc.FunctionContext, []driver.Value) (driver.Value, error) {
				return n.Next(), nil
			}),
		d.RegisterScalarFunction(sqlite.TransactionNumber, 1,
			func(_ *modernc.FunctionContext, args []driver.Value) (driver.Value, error) {
				return n.Transaction(args[0].(int64)), nil
			}))
}

// code returns the extended result code, which all connections of this driver report.
func code(err error) (int, bool) {
	var e *modernc.Error
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.Code(), true
}

// AutoCommit tries to begin a transaction, which only one that is open already refuses: the driver
// does not tell. It is asked only after errors.
func (c conn) AutoCommit() bool {
	ctx := context.Background()
	if _, err := c.ExecContext(ctx, "BEGIN", nil); err != nil {
		return false
	}
	_, err := c.ExecContext(ctx, "ROLLBACK", nil)
	return err == nil
}
