//go:build cgo

package sqlite

import (
	"cmp"
	"database/sql/driver"
	"errors"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// Ready returns an error that says what to do if this program cannot open any database.
func Ready() error { return nil }

// newDriver returns the driver of all connections, which know transactionNumber if numbered is
// true. What it opens is a rawConn.
func newDriver(numbered bool) driver.Driver {
	if !numbered {
		return &sqlite3.SQLiteDriver{}
	}
	return &sqlite3.SQLiteDriver{ConnectHook: numberTransactions}
}

// numberTransactions gives the connection a function that returns what it was given at its first
// call in the transaction that is open, or since nextNumber. A COMMIT that is refused as busy ends
// that too: whoever goes on writing before another COMMIT gets a second number.
func numberTransactions(c *sqlite3.SQLiteConn) error {
	var number int64 // 0 if none is open that has one
	end := func() { number = 0 }
	c.RegisterCommitHook(func() int { end(); return 0 })
	c.RegisterRollbackHook(end)
	next := func() int64 { end(); return 0 }
	return cmp.Or(c.RegisterFunc(nextNumber, next, false),
		c.RegisterFunc(transactionNumber, func(first int64) int64 {
			number = cmp.Or(number, first)
			return number
		}, false))
}

// version returns the version of SQLite, the same as a number, and its date and hash.
func version() (text string, number int, source string) { return sqlite3.Version() }

// resultCode returns the primary and the extended result code of SQLite that err wraps, if any.
func resultCode(err error) (primary, extended int, ok bool) {
	var e sqlite3.Error
	ok = errors.As(err, &e)
	return int(e.Code), int(e.ExtendedCode), ok
}
