package workers_test

import (
	"context"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"memrace/store"
	"memrace/stress/history"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memory is a right store: a map and a mutex.
type memory struct {
	mu     sync.Mutex
	values map[history.Slot]string
	items  map[string][]string
}

func newMemory() *memory {
	return &memory{values: make(map[history.Slot]string), items: make(map[string][]string)}
}

func (m *memory) Upsert(_ context.Context, session, key, value string) (time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.values[history.Slot{Session: session, Key: key}] = value
	return time.Time{}, nil
}

func (m *memory) Get(_ context.Context, session, key string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, found := m.values[history.Slot{Session: session, Key: key}]
	return value, found, nil
}

func (m *memory) Delete(_ context.Context, session, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, history.Slot{Session: session, Key: key})
	return nil
}

func (m *memory) Update(_ context.Context, session, key string,
	change func(string, bool) string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slot := history.Slot{Session: session, Key: key}
	value, found := m.values[slot]
	m.values[slot] = change(value, found)
	return value, found, nil
}

func (m *memory) Take(_ context.Context, session, key string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slot := history.Slot{Session: session, Key: key}
	value, found := m.values[slot]
	delete(m.values, slot)
	return value, found, nil
}

func (m *memory) Close() error { return nil }

func (m *memory) copy() map[history.Slot]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.values)
}

// hooked is a memory that runs before at the beginning of each call and fails with its error.
type hooked struct {
	*memory
	before func(ctx context.Context, kind history.Kind) error
}

func (h hooked) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	if err := h.before(ctx, history.Upsert); err != nil {
		return time.Time{}, err
	}
	return h.memory.Upsert(ctx, session, key, value)
}

func (h hooked) Get(ctx context.Context, session, key string) (string, bool, error) {
	if err := h.before(ctx, history.Get); err != nil {
		return "", false, err
	}
	return h.memory.Get(ctx, session, key)
}

func (h hooked) Delete(ctx context.Context, session, key string) error {
	if err := h.before(ctx, history.Delete); err != nil {
		return err
	}
	return h.memory.Delete(ctx, session, key)
}

func (h hooked) Update(ctx context.Context, session, key string,
	change func(string, bool) string) (string, bool, error) {
	if err := h.before(ctx, history.Update); err != nil {
		return "", false, err
	}
	return h.memory.Update(ctx, session, key, change)
}

func (h hooked) Take(ctx context.Context, session, key string) (string, bool, error) {
	if err := h.before(ctx, history.Take); err != nil {
		return "", false, err
	}
	return h.memory.Take(ctx, session, key)
}

func hook(before func(ctx context.Context, kind history.Kind) error) store.Store {
	return hooked{newMemory(), before}
}

func play(
	t testing.TB, s store.Store, spec workload.Spec, cfg workers.Config,
) (*workers.Run, *history.History) {
	t.Helper()
	plan, err := workload.New(spec)
	require.NoError(t, err)
	run, err := workers.Play(t.Context(), s, plan, cfg)
	require.NoError(t, err)
	return run, run.History(nil)
}

// byClient returns the operations of each client, in the order of their calls.
func byClient(h *history.History) map[history.Client][]history.Op {
	m := make(map[history.Client][]history.Op)
	for _, op := range h.Ops {
		m[op.Client] = append(m[op.Client], op)
	}
	return m
}
