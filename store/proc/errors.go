package proc

import "memrace/store"

// Error is what became of a call that was not answered with "ok". It wraps store.ErrNotApplied
// where the child promised that, or where the call never reached it, and only there.
type Error struct {
	// What was tried: "upsert", "init".
	What string
	// Text is what the child said, or what is known of it.
	Text string

	class   string
	certain bool
}

// The classes of errors that this package finds itself. A child may name others in its answers.
const (
	classExit     = "exit"     // the child ended
	classDeadline = "deadline" // it did not answer before the caller's deadline
	classHang     = "hang"     // it did not answer at all
	classCanceled = "canceled" // the caller did not wait for it
	classProtocol = "protocol" // it said what is no answer, or cannot be asked that
	classOther    = "other"
)

// Error returns what was tried and what became of it.
func (e *Error) Error() string { return e.What + ": " + e.Text }

// Class returns "exit", "deadline", "canceled", "protocol", "other", or what the child named.
func (e *Error) Class() string { return e.class }

// Unwrap returns store.ErrNotApplied where that is certain, and nil otherwise.
func (e *Error) Unwrap() error {
	if e.certain {
		return store.ErrNotApplied
	}
	return nil
}
