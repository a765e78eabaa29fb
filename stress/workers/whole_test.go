package workers_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/shared"
	"memrace/stress/history"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

func (m *memory) List(_ context.Context, session string) (list []store.Entry, err error) {
	for slot, value := range m.copy() {
		if slot.Session == session {
			list = append(list, store.Entry{Key: slot.Key, Value: value})
		}
	}
	return list, nil
}

func (m *memory) Clear(_ context.Context, session string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for slot := range m.values {
		if slot.Session == session {
			delete(m.values, slot)
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

// acts returns the operations without their times, each line with what was done.
func acts(h *history.History) (list []string) {
	for i, op := range h.Ops {
		more := ""
		if h.Continues(i) {
			more = "+ "
		}
		list = append(list, fmt.Sprintf("%s%v %v %v %s %v", more, op.Client, op.Act(),
			h.Slots[op.Slot], h.Text(op.Value), op.Outcome))
	}
	return list
}

// A listing is a line for each key, whether the store lists it or not; what the store has beside
// these, or twice, is not lost.
func TestListingsAreRecorded(t *testing.T) {
	s := listing{newMemory(), []store.Entry{{Key: "k2", Value: "b"}, {Key: "k0", Value: "a"},
		{Key: "odd", Value: "c"}, {Key: "k2", Value: "d"}}}
	spec := workload.Spec{Clients: 1, Sessions: 1, Keys: 3, Mix: workload.Mix{List: 1}}
	_, h := play(t, s, spec, workers.Config{Ops: 1})
	require.Empty(t, cmp.Diff([]string{
		`c0 list {s0 k0} "a" ok`,
		`+ c0 list {s0 k1} nothing ok`,
		`+ c0 list {s0 k2} "b" ok`,
		`+ c0 list {s0 odd} "c" ok`,
		`+ c0 list {s0 k2} "d" ok`,
	}, acts(h)))
}

type listing struct {
	*memory
	entries []store.Entry
}

func (l listing) List(context.Context, string) ([]store.Entry, error) { return l.entries, nil }

func (l listing) Clear(context.Context, string) error { return errNobodyKnows }

var errNobodyKnows = fmt.Errorf("nobody knows")

// Of a clear that may have happened, each slot has to know.
func TestUnknownClearIsRecordedEverywhere(t *testing.T) {
	spec := workload.Spec{Clients: 1, Sessions: 1, Keys: 2, Mix: workload.Mix{Clear: 1}}
	run, h := play(t, listing{memory: newMemory()}, spec, workers.Config{Ops: 2})
	require.Empty(t, cmp.Diff([]string{
		`c0 clear {s0 k0} nothing unknown`,
		`+ c0 clear {s0 k1} nothing unknown`,
		`c1 clear {s0 k0} nothing unknown`,
		`+ c1 clear {s0 k1} nothing unknown`,
	}, acts(h)))
	require.Equal(t, 2, run.Ops, "two calls")
}

func TestItemsAreReadInOrderAndReadBack(t *testing.T) {
	spec := workload.Spec{Profile: "chat", Clients: 1, Sessions: 1,
		Mix: workload.Mix{Add: 1, Items: 1}}
	plan, err := workload.New(spec)
	require.NoError(t, err)
	m := newMemory()
	run, err := workers.Play(t.Context(), m, plan, workers.Config{Ops: 8})
	require.NoError(t, err)
	require.NoError(t, run.ReadBack(t.Context(), m, history.Final))
	h := run.History(nil)
	added, read := []string{}, []string{}
	for i, op := range h.Ops {
		switch text := h.Text(op.Value); {
		case op.Kind == history.Add:
			added = append(added, text)
		case !h.Continues(i):
			require.Equal(t, read, added[:len(read)], "in order")
			read = []string{text}
			if op.Value == history.None {
				read = []string{}
			}
		default:
			read = append(read, text)
		}
	}
	require.NotEmpty(t, added)
	require.Equal(t, added, read, "read back at the end")
	last := h.Ops[len(h.Ops)-1]
	require.Equal(t, history.Final, last.Client)
	require.Equal(t, history.Act{Kind: history.Items, Whole: true}, last.Act())
}

// Stores that are several need to know whose call it is.
func TestCallsNameTheirClient(t *testing.T) {
	stores := []*memory{}
	open := shared.Opener(2, func(int) store.Opener {
		return func(context.Context, string) (store.Store, error) {
			stores = append(stores, newMemory())
			return stores[len(stores)-1], nil
		}
	})
	s, err := open(t.Context(), t.TempDir())
	require.NoError(t, err)
	spec := workload.Spec{Clients: 4, Mix: workload.Mix{Upsert: 1}}
	play(t, s, spec, workers.Config{Ops: 400})
	require.Len(t, stores, 2)
	for i, one := range stores {
		for _, text := range one.copy() {
			tag, ok := history.ParseTag(text)
			require.True(t, ok)
			require.Equal(t, i, int(tag.Client)%2, "clients 0 and 2 share one, 1 and 3 the other")
		}
	}
}
