package proc

import (
	"context"
	"slices"

	"memrace/store"
	"memrace/store/ability"
)

// Limited returns the store with those of the optional methods that the child has, and no others.
func (s *Store) Limited() (store.Store, error) {
	var has []string
	for _, name := range ability.Names() {
		if !slices.Contains(s.hello.Ops, name) || name == opAppend.name && !s.offers(opItems) {
			continue
		}
		has = append(has, name)
	}
	return ability.Limit(s, has...)
}

// Take removes the slot's value and returns it.
func (s *Store) Take(ctx context.Context, session, key string) (string, bool, error) {
	a, err := s.do(ctx, call{op: opTake, session: session, key: key})
	if err != nil {
		return "", false, err
	}
	return a.value(opTake)
}

// Update lets the child ask, by an answer of type "seen", what to write in place of what it saw.
func (s *Store) Update(ctx context.Context, session, key string,
	change func(old string, found bool) string) (old string, found bool, err error) {
	w, err := s.begin(ctx, call{op: opUpdate, session: session, key: key})
	if err != nil {
		return "", false, err
	}
	answered := false
	defer func() {
		if !answered {
			s.abandon(w) // change has panicked, or what was said made no sense
		}
	}()
	for {
		a, err := s.finish(ctx, opUpdate, w)
		if err != nil || a.Type != typeSeen {
			answered = true
			return old, found, err
		}
		if old, found, err = a.value(opUpdate); err != nil {
			return "", false, err
		}
		value := change(old, found)
		line, err := appendRequest(nil, w.id, call{op: opChange, value: value})
		if err != nil {
			return "", false, err
		}
		if s.calls.again(w) {
			s.out.add(line)
		}
	}
}

// abandon gives up an update that the child waits for.
func (s *Store) abandon(w *waiting) {
	if s.calls.forsake(w) {
		s.cancel(w.id)
	}
}

// cancel tells the child that nobody will say what an update is to write.
func (s *Store) cancel(id int64) {
	line, _ := appendRequest(nil, id, call{op: opCancel}) // it has no text that could be wrong
	s.out.add(line)
}

// List returns what the session holds.
func (s *Store) List(ctx context.Context, session string) ([]store.Entry, error) {
	var found listing
	if err := s.read(ctx, call{op: opList, session: session}, &found); err != nil {
		return nil, err
	}
	if found.Entries == nil {
		return nil, lacking(opList, `"entries"`)
	}
	entries := make([]store.Entry, 0, len(found.Entries))
	for _, e := range found.Entries {
		entries = append(entries, store.Entry(e))
	}
	return entries, nil
}

// Clear removes the values of the session.
func (s *Store) Clear(ctx context.Context, session string) error {
	_, err := s.do(ctx, call{op: opClear, session: session})
	return err
}

// Append adds an item to the session's list.
func (s *Store) Append(ctx context.Context, session, item string) error {
	_, err := s.do(ctx, call{op: opAppend, session: session, value: item})
	return err
}

// Items returns the items of the session.
func (s *Store) Items(ctx context.Context, session string) ([]string, error) {
	var found items
	if err := s.read(ctx, call{op: opItems, session: session}, &found); err != nil {
		return nil, err
	}
	if found.Items == nil {
		return nil, lacking(opItems, `"items"`)
	}
	return found.Items, nil
}

// Dump returns every row.
func (s *Store) Dump(ctx context.Context) ([]store.Row, error) {
	var found rows
	if err := s.read(ctx, call{op: opDump}, &found); err != nil {
		return nil, err
	}
	if found.Rows == nil {
		return nil, lacking(opDump, `"rows"`)
	}
	kept := make([]store.Row, 0, len(found.Rows))
	for _, r := range found.Rows {
		kept = append(kept, r.kept())
	}
	return kept, nil
}

// read makes a call whose answer has more than simple members.
func (s *Store) read(ctx context.Context, c call, into any) error {
	a, err := s.do(ctx, c)
	if err != nil {
		return err
	}
	return a.rest(c.op, into)
}
