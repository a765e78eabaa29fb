package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"
)

// answer is what became of a statement that writes.
type answer struct {
	// row is the first column of the first row that it returned, if found is true.
	row   driver.Value
	found bool
	// certain is true for an err after which nothing was changed.
	certain bool
	err     error
}

// picker names one of a connection's statements.
type picker func(*conn) *statement

// change runs one statement as a transaction, or in one with others where the variant has batches.
// The arguments are in the order of conn.bind.
func (s *Store) change(ctx context.Context, pick picker, args ...driver.Value) (a answer) {
	if s.queue != nil {
		return s.changeTogether(ctx, pick, args)
	}
	c, err := s.write.take(ctx)
	if err != nil {
		return answer{err: err, certain: true}
	}
	c.bind(args...)
	a.certain, a.err = c.transact(ctx, c.begin, func() (err error) {
		a.row, a.found, err = c.only(ctx, pick(c))
		return err
	})
	s.write.give(c)
	return a
}

// changeTogether waits until another call has made this one along with its own, or until it is
// this one's turn to do so for others. A call whose context ends before it is in a batch changes
// nothing; later, it is not known what becomes of it.
func (s *Store) changeTogether(ctx context.Context, pick picker, args []driver.Value) answer {
	w := s.queue.waiter(pick)
	copy(w.args[:], args)
	leads, certain, err := s.queue.join(ctx, w)
	if err != nil {
		if certain {
			s.queue.free(w)
		}
		return answer{err: err, certain: certain}
	}
	if leads {
		s.lead(ctx, w)
	}
	a := w.answer
	s.queue.free(w)
	return a
}

// lead makes a batch of the calls that wait, of which the leader's own is the first, and answers
// them. Which they are is settled only once BEGIN has the lock, however long that takes.
func (s *Store) lead(ctx context.Context, leader *waiter) {
	defer s.queue.pass()
	s.queue.gather(ctx)
	c, err := s.write.take(ctx)
	if err != nil {
		s.queue.pick(1)
		leader.answer = answer{err: err, certain: true}
		return
	}
	b := batch{conn: c, queue: s.queue, leader: leader, stop: ctx}
	b.run()
	s.write.give(c)
	for _, w := range b.done {
		if w != leader {
			w.told <- struct{}{}
		}
	}
}

// batch is a transaction of several calls.
type batch struct {
	conn   *conn
	queue  *queue
	leader *waiter
	// stop is the context of the leader. It stops a statement only where no other call waits for
	// it, since SQLite would undo the work of all.
	stop context.Context
	// todo are those that are not answered yet; nil until BEGIN has succeeded.
	todo, done []*waiter
}

// run commits all statements but those that fail. Where one does, everything is rolled back and
// done anew without it: that undoes it whatever its SQL says of conflicts, while a savepoint would
// cost every statement two more. The others go down with it only where the connection does.
func (b *batch) run() {
	present := b.queue.length()
	for b.todo == nil || len(b.todo) > 0 {
		failed := -1
		certain, err := b.conn.transact(context.Background(), b.conn.begin, func() (err error) {
			failed, err = b.statements()
			return err
		})
		if b.todo == nil { // BEGIN failed for all that had been waiting for it
			b.todo = b.queue.pick(present)
		}
		from, to := 0, len(b.todo)
		if failed >= 0 && !b.conn.broken {
			from, to = failed, failed+1
		}
		b.settle(from, to, certain, err)
	}
}

// statements runs those of all calls in turn, and returns the index of one that fails, or -1.
func (b *batch) statements() (failed int, err error) {
	if b.todo == nil {
		b.todo = b.queue.pick(b.queue.most)
	}
	ctx := context.Background()
	if len(b.todo) == 1 && b.todo[0] == b.leader {
		ctx = b.stop
	}
	c := b.conn
	for i, w := range b.todo {
		if err := c.renumber(); err != nil {
			return i, err
		}
		c.bind(w.args[:]...)
		if w.answer.row, w.answer.found, err = c.only(ctx, w.pick(c)); err != nil {
			return i, err
		}
	}
	return -1, nil
}

// settle moves calls from todo to done. If err is not nil, it is their answer.
func (b *batch) settle(from, to int, certain bool, err error) {
	for _, w := range b.todo[from:to] {
		if err != nil {
			w.answer = answer{err: err, certain: certain}
		}
		b.done = append(b.done, w)
	}
	b.todo = slices.Delete(b.todo, from, to)
}
