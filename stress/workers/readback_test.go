package workers_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/stress/history"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

// readBy returns what a client read of each slot, and requires that it read no slot twice.
func readBy(t *testing.T, h *history.History, client history.Client) map[history.Slot]string {
	t.Helper()
	got := make(map[history.Slot]string)
	for _, op := range h.Ops {
		if op.Client != client {
			continue
		}
		require.Equal(t, history.Get, op.Kind)
		slot := h.Slots[op.Slot]
		_, twice := got[slot]
		require.False(t, twice, "%v was read twice", slot)
		got[slot] = h.Text(op.Value)
	}
	return got
}

func texts(h *history.History, m *memory) map[history.Slot]string {
	want := make(map[history.Slot]string)
	for _, op := range h.Ops {
		want[h.Slots[op.Slot]] = h.Text(history.None)
	}
	for slot, text := range m.copy() {
		tag, _ := history.ParseTag(text)
		for id, value := range h.Values {
			if value == history.TagValue(tag.Client, tag.Step) {
				want[slot] = h.Text(history.ValueID(id))
			}
		}
	}
	return want
}

func TestReadBack(t *testing.T) {
	m := newMemory()
	spec := workload.Spec{Clients: 4, Mix: workload.Mix{Upsert: 1, Delete: 1}}
	run, before := play(t, m, spec, workers.Config{Ops: 40})
	require.NoError(t, run.ReadBack(t.Context(), m, history.Final))
	require.NoError(t, run.ReadBack(t.Context(), m, history.Reopened))
	h := run.History([]history.Meta{{Name: "seed", Value: "1"}})
	require.Equal(t, "1", h.MetaValue("seed"))
	want := texts(before, m)
	require.Less(t, len(want), 64, "not every slot was used, and only those count")
	require.Empty(t, cmp.Diff(want, readBy(t, h, history.Final)))
	require.Empty(t, cmp.Diff(want, readBy(t, h, history.Reopened)))
	last := before.Ops[len(before.Ops)-1].Return
	for _, op := range h.Ops[len(before.Ops):] {
		require.GreaterOrEqual(t, op.Call, last, "reads back are on the clock of the run")
	}
}

func TestReadBackNotesErrors(t *testing.T) {
	m := newMemory()
	run, before := play(t, m, workload.Spec{Keys: 2, Sessions: 2}, workers.Config{Ops: 100})
	broken := hooked{m, func(context.Context, history.Kind) error { return classed("ioerr") }}
	require.NoError(t, run.ReadBack(t.Context(), broken, history.Final))
	h := run.History(nil)
	require.Len(t, h.Ops, len(before.Ops)+4)
	for _, op := range h.Ops[len(before.Ops):] {
		require.Equal(t, history.Final, op.Client, "a reader of the end has one number only")
		require.Equal(t, history.Unknown, op.Outcome)
		require.Equal(t, history.ClassIOErr, op.Class)
	}
	require.Equal(t, map[history.Class]string{history.ClassIOErr: "error of class ioerr"},
		run.FirstErrors)
}

func TestReadBackIsEndedByItsContext(t *testing.T) {
	spec := workload.Spec{Keys: 2, Sessions: 2}
	run, before := play(t, newMemory(), spec, workers.Config{Ops: 100})
	ctx, cancel := context.WithCancel(t.Context())
	s := hook(func(context.Context, history.Kind) error { cancel(); return nil })
	err := run.ReadBack(ctx, s, history.Final)
	require.EqualError(t, err, "read back: ended after 1 of 4 slots: context canceled")
	require.Len(t, run.History(nil).Ops, len(before.Ops)+1)
}

func TestReadBackThatHangsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		run, before := play(t, m, workload.Spec{Keys: 2, Sessions: 2}, workers.Config{Ops: 100})
		open, result := make(chan struct{}), make(chan error)
		s := stuck(3, history.Get, open)
		go func() { result <- run.ReadBack(t.Context(), s, history.Final) }()
		synctest.Wait()
		h := run.History(nil)
		require.Len(t, h.Ops, len(before.Ops)+3)
		require.Equal(t, history.Unknown, h.Ops[len(before.Ops)+2].Outcome)
		close(open)
		require.EqualError(t, <-result, "read back: given up after 2 of 4 slots")
		require.Equal(t, h, run.History(nil), "what comes later changes nothing")
	})
}

// dumping is a store that lists rows.
type dumping struct {
	rows []store.Row
	err  error
}

func (d dumping) Dump(context.Context) ([]store.Row, error) { return d.rows, d.err }

func TestDump(t *testing.T) {
	row := func(session, key, value store.Field) store.Row {
		return store.Row{Session: session, Key: key, Value: value}
	}
	text := store.TextField
	blob := func(s string) store.Field { return store.Field{Type: store.Blob, Text: s} }
	all := map[string]string{"k0": "nothing", "k1": "nothing", "k2": "nothing"}
	others := map[string]string{"k0": "nothing", "k2": "nothing"}
	tests := []struct {
		name string
		rows []store.Row
		want map[string]string
		why  string
	}{
		{"no rows", nil, all, "a slot without a row has no value"},
		{"one", []store.Row{row(text("s0"), text("k1"), text("foo"))},
			map[string]string{"k0": "nothing", "k1": `"foo"`, "k2": "nothing"},
			"its row is its value"},
		{"two", []store.Row{
			row(text("s0"), text("k1"), text("foo")), row(text("s0"), text("k1"), text("bar")),
		}, others, "nobody knows which of two a Get would find"},
		{"blob as key", []store.Row{row(text("s0"), blob("k1"), text("foo"))},
			others, "a store may keep all keys as blobs"},
		{"text and blob", []store.Row{
			row(text("s0"), text("k1"), text("foo")), row(blob("s0"), text("k1"), text("foo")),
		}, others, "two rows, whatever their types"},
		{"null as value", []store.Row{row(text("s0"), text("k1"), store.Field{})},
			others, "NULL is no text"},
		{"foreign slot", []store.Row{row(text("s9"), text("k1"), text("foo"))}, all,
			"rows of slots that nobody used are no reads"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run, before := play(t, newMemory(), workload.Spec{Sessions: 1, Keys: 3},
				workers.Config{Ops: 100})
			rows, err := run.Dump(t.Context(), dumping{rows: tt.rows})
			require.NoError(t, err)
			require.Equal(t, tt.rows, rows, "rows are handed on as they are")
			h := run.History(nil)
			got := make(map[string]string)
			for slot, text := range readBy(t, h, history.Dumped) {
				got[slot.Key] = text
			}
			require.Empty(t, cmp.Diff(tt.want, got), tt.why)
			for _, op := range h.Ops[len(before.Ops):] {
				require.Equal(t, h.Ops[len(before.Ops)].Call, op.Call, "one listing, one interval")
				require.Equal(t, h.Ops[len(before.Ops)].Return, op.Return)
			}
		})
	}
}

func TestDumpFails(t *testing.T) {
	run, before := play(t, newMemory(), workload.Spec{}, workers.Config{Ops: 100})
	broken := errors.New("disk on fire")
	_, err := run.Dump(t.Context(), dumping{err: broken})
	require.Equal(t, broken, err)
	require.Len(t, run.History(nil).Ops, len(before.Ops))
}
