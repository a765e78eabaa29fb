package mutant

import (
	"context"
	"sync"
	"time"

	"memrace/store"
	"memrace/store/shared"
	"memrace/store/sqlite"
	"memrace/stress/check"
)

// handles lists the mutants that are right as long as nobody else has the file open.
func handles() []Mutant {
	return []Mutant{
		{
			Name: "lock-in-process", Kind: "K10", CaughtBy: check.Linearizability, Sequential: true,
			Fault: "an update gets the value, changes it and upserts it under a mutex, and the " +
				"file is open a second time, with a mutex of its own",
			Remedy:  "one IMMEDIATE transaction around the get and the upsert",
			Profile: "updates", Ops: 600, Caught: 20, Of: 20,
			Open: openLocked(2),
		},
	}
}

// openLocked opens a file several times, each time as if it were the only one.
func openLocked(handles int) store.Opener {
	return shared.Opener(handles, func(int) store.Opener {
		return wrapped("wal,synchronous=off", func(s *sqlite.Store) store.Store {
			return &locked{Store: s}
		})
	})
}

// locked is a right store as long as it is the only one on its file.
type locked struct {
	*sqlite.Store
	mu sync.Mutex
}

func (l *locked) Update(ctx context.Context, session, key string,
	change func(string, bool) string) (string, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	old, found, err := l.Store.Get(ctx, session, key)
	if err != nil {
		return "", false, err
	}
	value := change(old, found)
	think()
	_, err = l.Store.Upsert(ctx, session, key, value)
	return old, found, err
}

func (l *locked) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Store.Upsert(ctx, session, key, value)
}

func (l *locked) Delete(ctx context.Context, session, key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Store.Delete(ctx, session, key)
}

func (l *locked) Take(ctx context.Context, session, key string) (string, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Store.Take(ctx, session, key)
}
