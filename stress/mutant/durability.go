package mutant

import (
	"context"
	"errors"
	"sync"
	"time"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress/check"
)

// durability lists the mutants that answer before, or without, keeping what they were given.
func durability() []Mutant {
	return []Mutant{
		{
			Name: "ack-before-write", Kind: "K16", CaughtBy: check.Linearizability,
			Fault: "an upsert answers when its value is queued, and the queue is written when " +
				"eight values wait in it",
			Remedy:  "answer after the commit, for instance of a group of writes",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
			Open: wrapped("memory", func(s *sqlite.Store) store.Store {
				return &late{Store: s, upserts: true}
			}),
		},
		{
			Name: "lazy-delete", Kind: "K16", CaughtBy: check.Linearizability,
			Fault: "a delete answers when it is noted, and what was noted is done later, to " +
				"whatever the slot holds by then",
			Remedy:  "delete, then answer",
			Profile: "churn", Ops: 400, Caught: 20, Of: 20,
			Open: wrapped("memory", func(s *sqlite.Store) store.Store {
				return &late{Store: s, deletes: true}
			}),
		},
		{
			Name: "busy-swallowed", Kind: "K16", CaughtBy: check.Linearizability, Sequential: true,
			Fault: "an upsert that the database refused because it was busy is logged, and the " +
				"caller is told that all is well",
			Remedy:  "hand the error on; and set a busy timeout, so that it is rare",
			Profile: "hot", Ops: 2000, Caught: 18, Of: 20,
			Open: wrapped("wal-pool,busy=0s,synchronous=off",
				func(s *sqlite.Store) store.Store { return swallower{s} }),
		},
		{
			Name: "batch-lost-at-close", Kind: "K16", CaughtBy: check.FinalValue,
			Fault: "writes gather in one open transaction, which is committed after every 256 " +
				"and forgotten at close",
			Remedy: "commit before answering; at the least, commit at close",
			// Some 420 writes: the first 256 are committed, the others lost.
			Profile: "uniform", Ops: 700, Caught: 20, Of: 20,
			Open: inGo("shared,synchronous=off",
				func(p *plain) store.Store { return &openBatch{plain: p} }),
		},
		{
			Name: "poisoned-connection", Kind: "K07", CaughtBy: check.FinalValue,
			Fault: "a delete that finds nothing returns without ending its transaction; from " +
				"then on nothing on that connection is ever committed",
			Remedy:  "defer the rollback right behind the begin",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
			Open: inGo("shared,synchronous=off",
				func(p *plain) store.Store { return &poisoned{plain: p} }),
		},
	}
}

// late puts off some kinds of write until eight of them wait.
type late struct {
	*sqlite.Store
	upserts, deletes bool

	mu      sync.Mutex
	waiting []func() error
}

func (l *late) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	if !l.upserts {
		return l.Store.Upsert(ctx, session, key, value)
	}
	return time.Now(), l.putOff(func() error {
		_, err := l.Store.Upsert(context.WithoutCancel(ctx), session, key, value)
		return err
	})
}

func (l *late) Delete(ctx context.Context, session, key string) error {
	if !l.deletes {
		return l.Store.Delete(ctx, session, key)
	}
	return l.putOff(func() error {
		return l.Store.Delete(context.WithoutCancel(ctx), session, key)
	})
}

func (l *late) putOff(write func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, write)
	if len(l.waiting) < 8 {
		return nil
	}
	return l.flush()
}

func (l *late) flush() error {
	var errs []error
	for _, write := range l.waiting {
		errs = append(errs, write())
	}
	l.waiting = nil
	return errors.Join(errs...)
}

func (l *late) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.flush(), l.Store.Close())
}

// swallower reports success for upserts that did not take place.
type swallower struct{ *sqlite.Store }

func (s swallower) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	now, err := s.Store.Upsert(ctx, session, key, value)
	if errors.Is(err, store.ErrNotApplied) {
		return time.Now(), nil
	}
	return now, err
}

// openBatch writes everything in a transaction that only the 256th write ends.
type openBatch struct {
	*plain
	mu    sync.Mutex
	count int // of writes in the transaction that is open; 0 if none is
}

func (b *openBatch) write(ctx context.Context, query string, r row) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.count == 0 {
		if _, err := exec(ctx, b.pools.Write, "BEGIN IMMEDIATE", r); err != nil {
			return err
		}
	}
	b.count++
	_, err := exec(ctx, b.pools.Write, query, r)
	if b.count < 256 {
		return err
	}
	b.count = 0
	_, commit := exec(ctx, b.pools.Write, "COMMIT", r)
	return errors.Join(err, commit)
}

func (b *openBatch) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	r := row{session, key, value, time.Now()}
	return r.now, b.write(ctx, b.sql.Upsert, r)
}

func (b *openBatch) Delete(ctx context.Context, session, key string) error {
	return b.write(ctx, b.sql.Delete, row{session: session, key: key})
}

// poisoned wraps each write in a savepoint, which is a transaction if none is open. Where one is,
// it only nests, and nobody notices.
type poisoned struct {
	*plain
	mu sync.Mutex
}

func (p *poisoned) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	r := row{session, key, value, time.Now()}
	_, err := p.write(ctx, p.sql.Upsert, r)
	return r.now, err
}

func (p *poisoned) Delete(ctx context.Context, session, key string) error {
	_, err := p.write(ctx, p.sql.Delete, row{session: session, key: key})
	return err
}

// write forgets to release the savepoint of a write that changed nothing.
func (p *poisoned) write(ctx context.Context, query string, r row) (int64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := exec(ctx, p.pools.Write, "SAVEPOINT call", r); err != nil {
		return 0, err
	}
	changed, err := exec(ctx, p.pools.Write, query, r)
	if err != nil || changed == 0 {
		return 0, err
	}
	_, err = exec(ctx, p.pools.Write, "RELEASE call", r)
	return changed, err
}
