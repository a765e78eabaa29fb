package script

import (
	"context"
	"errors"
	"fmt"
	"runtime"
)

// run runs the statements of an operation whose conditions are met.
func (s *Store) run(ctx context.Context, o *Operation, c *call) error {
	pool := s.config.Write
	if o.reads() {
		pool = s.config.Read
	}
	run := s.transact
	if o.Transaction == "none" {
		run = s.each
	}
	if e := run(ctx, pool, o, c); e != nil {
		return e
	}
	return nil
}

// each runs every statement on a connection that it has to itself, and gives that back before it
// takes one for the next. In between it gives way to other calls, as a program does that looks at
// what it got: where a statement is as quick as one in memory, no call would come between two.
func (s *Store) each(ctx context.Context, pool *Pool, o *Operation, c *call) *Error {
	wrote := false
	for i := range o.Statements {
		st := &o.Statements[i]
		if !c.due(st) {
			continue
		}
		if i > 0 {
			runtime.Gosched()
		}
		e := s.one(ctx, pool, o, st, c)
		if e != nil {
			// What an earlier statement wrote stays, whatever became of this one.
			e.certain = e.certain && !wrote
			return e
		}
		wrote = wrote || st.Writes
	}
	return s.complete(o, c, !wrote)
}

// one runs a statement that is a transaction of its own.
func (s *Store) one(ctx context.Context, pool *Pool, o *Operation, st *Statement, c *call) *Error {
	if err := c.compose(st); err != nil {
		return s.failed(o, st.Line, err, true)
	}
	on, err := pool.take(ctx)
	if err != nil {
		return s.failed(o, st.Line, err, true)
	}
	err = c.perform(ctx, on, st)
	if err == nil {
		on.give(false)
		return nil
	}
	e := s.failed(o, st.Line, err, !st.Writes)
	on.give(e.ruins())
	return e
}

// transact runs all statements on one connection, between a BEGIN and a COMMIT. Whatever happens,
// a panic of an update's change included, no transaction is left open.
func (s *Store) transact(ctx context.Context, pool *Pool, o *Operation, c *call) (e *Error) {
	on, err := pool.take(ctx)
	if err != nil {
		return s.failed(o, o.Line, err, true)
	}
	if err := on.begin(ctx, o.Transaction); err != nil {
		e := s.failed(o, o.Line, fmt.Errorf("begin: %w", err), true)
		on.give(!on.rollBack(ctx) || e.ruins())
		return e
	}
	committed := false
	defer func() {
		undone := committed || on.rollBack(ctx)
		if e != nil {
			e.certain = e.certain && undone
		}
		on.give(!undone || e.ruins())
	}()
	if e := s.inside(ctx, on, o, c); e != nil {
		return e
	}
	if err := on.commit(ctx); err != nil {
		return s.failed(o, o.Line, fmt.Errorf("commit: %w", err), o.reads())
	}
	committed = true
	return nil
}

// inside runs the statements of a transaction. An error is certain as far as the transaction can
// be rolled back.
func (s *Store) inside(ctx context.Context, on *conn, o *Operation, c *call) *Error {
	for i := range o.Statements {
		st := &o.Statements[i]
		if !c.due(st) {
			continue
		}
		if err := c.compose(st); err != nil {
			return s.failed(o, st.Line, err, true)
		}
		if err := c.perform(ctx, on, st); err != nil {
			e := s.failed(o, st.Line, err, o.reads())
			e.certain = e.certain || e.stopped()
			return e
		}
	}
	return s.complete(o, c, true)
}

// complete finds an update that never came to a statement with the new value.
func (s *Store) complete(o *Operation, c *call, certain bool) *Error {
	if c.change == nil || c.composed {
		return nil
	}
	return s.failed(o, o.Line, errors.New("no statement with :value was run, so that the new "+
		"value would be lost"), certain)
}

// failed says where an error comes from. It is certain that nothing happened if the caller knows
// that, or the database promises it.
func (s *Store) failed(o *Operation, line int, err error, certain bool) *Error {
	what := o.At(line) + ": " + o.Name
	if s.config.Judge == nil {
		return newError(fmt.Errorf("%s: %w", what, err), certain)
	}
	return newError(s.config.Judge(what, err), certain)
}
