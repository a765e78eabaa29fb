//go:build cgo

package sqlite

import (
	"database/sql/driver"
	"errors"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// Ready returns an error that says what to do if this program cannot open any database.
func Ready() error { return nil }

// newDriver returns the driver of all connections. What it opens is a rawConn.
func newDriver() driver.Driver { return &sqlite3.SQLiteDriver{} }

// version returns the version of SQLite, the same as a number, and its date and hash.
func version() (text string, number int, source string) { return sqlite3.Version() }

// resultCode returns the primary and the extended result code of SQLite that err wraps, if any.
func resultCode(err error) (primary, extended int, ok bool) {
	var e sqlite3.Error
	ok = errors.As(err, &e)
	return int(e.Code), int(e.ExtendedCode), ok
}
