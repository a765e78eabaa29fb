package workers

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"memrace/store"
	"memrace/stress/history"
)

// judge returns what an error of a store says about the call, and the class of the error.
func judge(err error) (history.Outcome, history.Class) {
	switch {
	case err == nil:
		return history.OK, history.ClassNone
	case errors.Is(err, store.ErrNotApplied):
		return history.NotApplied, classOf(err)
	}
	return history.Unknown, classOf(err)
}

// classOf asks the error itself first: a driver that was cancelled may know better why.
func classOf(err error) history.Class {
	var c store.Classer
	switch {
	case errors.As(err, &c):
		return history.ClassNamed(c.Class())
	case errors.Is(err, context.Canceled):
		return history.ClassCanceled
	case errors.Is(err, context.DeadlineExceeded):
		return history.ClassDeadline
	}
	var p *panicError
	if errors.As(err, &p) {
		return history.ClassPanic
	}
	return history.ClassOther
}

// panicError is what is left of a call that panicked or ended its goroutine.
type panicError struct {
	reason string
	stack  []byte
}

func newPanicError(value any) *panicError {
	reason := fmt.Sprintf("panic: %v", value)
	if value == nil {
		reason = "the store ended the goroutine that called it (runtime.Goexit)"
	}
	return &panicError{reason: reason, stack: debug.Stack()}
}

func (e *panicError) Error() string { return e.reason + "\n\n" + string(e.stack) }
