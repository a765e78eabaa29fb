package proc_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"memrace/store"
)

// nothing is a store that does nothing, as fast as it can.
type nothing struct{}

func (nothing) Upsert(context.Context, string, string, string) (time.Time, error) {
	return time.Time{}, nil
}
func (nothing) Get(context.Context, string, string) (string, bool, error) { return "", false, nil }
func (nothing) Delete(context.Context, string, string) error              { return nil }
func (nothing) Close() error                                              { return nil }

// noted is what a store in memory notes as the time of every upsert.
var noted = time.Unix(1700000000, 123456789)

// memory is a store with every optional method.
type memory struct {
	mu    sync.Mutex
	slots map[[2]string]string
	items map[string][]string
}

func openMemory(context.Context, string) (store.Store, error) {
	return &memory{slots: map[[2]string]string{}, items: map[string][]string{}}, nil
}

func (m *memory) Upsert(_ context.Context, session, key, value string) (time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.slots[[2]string{session, key}] = value
	return noted, nil
}

func (m *memory) Get(_ context.Context, session, key string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, found := m.slots[[2]string{session, key}]
	return value, found, nil
}

func (m *memory) Delete(_ context.Context, session, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.slots, [2]string{session, key})
	return nil
}

func (m *memory) Close() error { return nil }

func (m *memory) Describe(context.Context) (store.Description, error) {
	return store.Description{Name: "memory", Volatile: true,
		Settings: []store.Setting{{Name: "colour", Value: "blue"}}}, nil
}

// Update calls change under the lock, so that a change that never ends locks everybody out.
func (m *memory) Update(_ context.Context, session, key string,
	change func(string, bool) string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slot := [2]string{session, key}
	old, found := m.slots[slot]
	m.slots[slot] = change(old, found)
	return old, found, nil
}

func (m *memory) Take(_ context.Context, session, key string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slot := [2]string{session, key}
	value, found := m.slots[slot]
	delete(m.slots, slot)
	return value, found, nil
}

func (m *memory) List(_ context.Context, session string) ([]store.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var entries []store.Entry
	for slot, value := range m.slots {
		if slot[0] == session {
			entries = append(entries, store.Entry{Key: slot[1], Value: value})
		}
	}
	return entries, nil
}

func (m *memory) Clear(_ context.Context, session string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for slot := range m.slots {
		if slot[0] == session {
			delete(m.slots, slot)
		}
	}
	return nil
}

func (m *memory) Append(_ context.Context, session, item string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items[session] = append(m.items[session], item)
	return nil
}

func (m *memory) Items(_ context.Context, session string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.items[session]), nil
}

// Dump lists, besides the slots, one row of every type that a column can have.
func (m *memory) Dump(context.Context) ([]store.Row, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := []store.Row{oddRow}
	for slot, value := range m.slots {
		all = append(all, store.Row{Session: store.TextField(slot[0]),
			Key: store.TextField(slot[1]), Value: store.TextField(value), UpdatedAt: noted})
	}
	return all, nil
}

var oddRow = store.Row{
	Session: store.Field{Type: store.Blob, Text: "a\xff\x00"},
	Key:     store.Field{Type: store.Integer, Text: "-7"},
	Value:   store.Field{Type: store.Real, Text: "1.5"},
}
