package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"memrace/store"
)

// Error is an error of the database, with the class that its result code puts it in. It wraps
// store.ErrNotApplied where that is certain, and only there.
type Error struct {
	// What was tried: "upsert", "open wal".
	What string
	// Err is what the driver, the context or the pool said.
	Err error

	class   string
	certain bool
}

// Error returns what was tried and what became of it.
func (e *Error) Error() string { return e.What + ": " + e.Err.Error() }

// Unwrap returns the cause, and store.ErrNotApplied where it is certain.
func (e *Error) Unwrap() []error {
	if e.certain {
		return []error{e.Err, store.ErrNotApplied}
	}
	return []error{e.Err}
}

// Class returns one of busy, busy-snapshot, locked, constraint, readonly, interrupted, ioerr,
// full, corrupt, cantopen, notadb, schema, error, canceled, deadline, closed, other.
func (e *Error) Class() string { return e.class }

// Wrap returns err as an *Error that says what was tried; nil stays nil. It takes err for the
// answer to a single statement outside of any transaction, or to a COMMIT that the driver rolled
// back: "not applied" is certain for busy, locked, constraint, readonly, schema and for errors in
// the SQL, but for no other class. Who knows more, such as that BEGIN has failed, adds
// store.ErrNotApplied.
func Wrap(what string, err error) error {
	return wrap(what, err, certainly(err))
}

func wrap(what string, err error, certain bool) error {
	if err == nil {
		return nil
	}
	return &Error{What: what, Err: err, class: class(err), certain: certain}
}

// errClosed is the answer to whoever calls a store after its Close.
var errClosed = errors.New("the store is closed")

// result is what is known of a primary result code of SQLite.
type result struct {
	class string
	// undone is true for a statement that SQLite has undone by the time it reports the code. An
	// I/O error, a full disk or an interruption may strike after the commit is on the disk.
	undone bool
}

// results are by number, see https://sqlite.org/rescode.html.
var results = map[int]result{
	1:  {"error", true},
	5:  {"busy", true},
	6:  {"locked", true},
	8:  {"readonly", true},
	9:  {"interrupted", false},
	10: {"ioerr", false},
	11: {"corrupt", false},
	13: {"full", false},
	14: {"cantopen", false},
	17: {"schema", true},
	18: {"error", true}, // too big
	19: {"constraint", true},
	20: {"error", true}, // mismatch of types
	23: {"error", true}, // not authorized
	25: {"error", true}, // argument out of range
	26: {"notadb", false},
}

// busySnapshot is the extended code of a transaction that has read what is no longer the latest.
const busySnapshot = 5 | 2<<8

// resultCode returns the extended result code of SQLite that is behind err, if one is.
func resultCode(err error) (code int, ok bool) {
	if err == nil {
		return 0, false
	}
	for _, d := range drivers {
		if code, ok := d.Code(err); ok {
			return code, true
		}
	}
	return 0, false
}

// primary returns the result code of which an extended one tells more.
func primary(code int) int { return code & 0xff }

func certainly(err error) bool {
	if code, ok := resultCode(err); ok {
		return results[primary(code)].undone
	}
	return errors.Is(err, errClosed) || errors.Is(err, store.ErrNotApplied)
}

// stopped is true for a call that ended early because its caller wanted it to.
func stopped(err error) bool {
	switch class(err) {
	case "canceled", "deadline", "interrupted":
		return true
	}
	return false
}

// ruined is true for an error after which a connection is not to be trusted.
func ruined(err error) bool {
	if _, ok := resultCode(err); !ok {
		return errors.Is(err, driver.ErrBadConn)
	}
	return class(err) != "full" && !certainly(err) && !stopped(err)
}

func class(err error) string {
	var known *Error
	if errors.As(err, &known) {
		return known.class
	}
	code, ok := resultCode(err)
	switch {
	case ok && code == busySnapshot:
		return "busy-snapshot"
	case ok:
		return cmp.Or(results[primary(code)].class, "other")
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline"
	case errors.Is(err, errClosed), errors.Is(err, sql.ErrConnDone):
		return "closed"
	}
	return "other"
}
