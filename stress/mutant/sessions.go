package mutant

import (
	"context"
	"fmt"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress/check"
)

// sessions lists the mutants that read or forget a whole session wrongly.
func sessions() []Mutant {
	return []Mutant{
		{
			Name: "list-by-gets", Kind: "K06", CaughtBy: check.Snapshot, Sequential: true,
			Fault: "a list looks for the keys and then gets one after the other, without a " +
				"transaction, so that its values are of several moments",
			Remedy:  "one SELECT, or one transaction around all of them",
			Profile: "sessions", Ops: 1000, Caught: 20, Of: 20,
			Open: wrapped("wal,synchronous=off", func(s *sqlite.Store) store.Store {
				return listByGets{s}
			}),
		},
		{
			Name: "list-leaks", Kind: "K13", CaughtBy: check.Isolation,
			Fault:   "the list forgets the session, so that it shows what is in all of them",
			Remedy:  "WHERE session_id = ? in every statement that reads",
			Profile: "sessions", Ops: 400, Caught: 20, Of: 20,
		},
		{
			Name: "clear-one-by-one", Kind: "K06", CaughtBy: check.Snapshot, Sequential: true,
			Fault: "a clear lists the keys and deletes one after the other, each in a " +
				"transaction of its own",
			Remedy:  "one DELETE, or one transaction around all of them",
			Profile: "sessions", Ops: 1000, Caught: 20, Of: 20,
			// The journal shows the transactions of a clear one by one, too.
			Open: wrapped("memory,commits=on", func(s *sqlite.Store) store.Store {
				return clearOneByOne{s}
			}),
		},
		{
			Name: "clear-leaves", Kind: "K15", CaughtBy: check.Linearizability,
			Fault: "a clear deletes what is older than its own stamp, which is in milliseconds, " +
				"so that what was written in the same one stays",
			Remedy:  "delete what is there; no guard by the clock",
			Profile: "sessions", Ops: 400, Caught: 20, Of: 20,
		},
	}
}

// listByGets is a right store but for the moments of which its lists are.
type listByGets struct{ *sqlite.Store }

func (s listByGets) List(ctx context.Context, session string) ([]store.Entry, error) {
	entries, err := s.Store.List(ctx, session) // for the sake of the keys
	if err != nil {
		return nil, err
	}
	var got []store.Entry
	for _, e := range entries {
		think()
		value, found, err := s.Get(ctx, session, e.Key)
		if err != nil {
			return nil, err
		}
		if found {
			got = append(got, store.Entry{Key: e.Key, Value: value})
		}
	}
	return got, nil
}

// clearOneByOne is a right store but for its clears, which others see half done.
type clearOneByOne struct{ *sqlite.Store }

func (s clearOneByOne) Clear(ctx context.Context, session string) error {
	entries, err := s.List(ctx, session)
	if err != nil {
		return err
	}
	for _, e := range entries {
		think()
		if err := s.Delete(ctx, session, e.Key); err != nil {
			return fmt.Errorf("half-way through a clear: %v", err) // some may be gone by now
		}
	}
	return nil
}
