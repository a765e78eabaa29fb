package script

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"

	"memrace/store"
)

// Error is the error of an operation. It wraps store.ErrNotApplied where nothing can have
// happened, and only there.
type Error struct {
	// Err is what the database, the pool or the context said, and of which statement.
	Err error

	class   string
	certain bool
}

// newError takes the error for certain if the caller says so, or the error itself does.
func newError(err error, certain bool) *Error {
	class := "other"
	var known store.Classer
	switch {
	case errors.As(err, &known):
		class = known.Class()
	case errors.Is(err, context.Canceled):
		class = "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		class = "deadline"
	}
	return &Error{err, class, certain || errors.Is(err, store.ErrNotApplied)}
}

// Error returns the text of Err.
func (e *Error) Error() string { return e.Err.Error() }

// Class returns the class that Err says, canceled or deadline for those of a context, or other.
func (e *Error) Class() string { return e.class }

// Unwrap returns Err, and store.ErrNotApplied where that is certain. Where it is not, although Err
// promises it of its own statement, nothing is returned: an earlier statement has written.
func (e *Error) Unwrap() []error {
	switch {
	case e.certain:
		return []error{e.Err, store.ErrNotApplied}
	case errors.Is(e.Err, store.ErrNotApplied):
		return nil
	}
	return []error{e.Err}
}

// stopped is true for the error of a call whose caller did not want to wait any longer.
func (e *Error) stopped() bool {
	return slices.Contains([]string{"canceled", "deadline", "interrupted"}, e.class)
}

// ruins is true for an error after which a connection is not to be trusted. It is false for nil.
func (e *Error) ruins() bool {
	return e != nil && (errors.Is(e.Err, driver.ErrBadConn) ||
		slices.Contains([]string{"ioerr", "corrupt", "notadb", "cantopen"}, e.class))
}
