package history_test

import (
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
)

func TestWriteRefuses(t *testing.T) {
	get := history.Op{Kind: history.Get, Outcome: history.OK}
	upsert := history.Op{Value: 1, Outcome: history.OK}
	tests := []struct {
		name   string
		change func(h *history.History)
		want   string
	}{
		{"slot", func(h *history.History) { h.Ops[1].Slot = 1 }, "slot 1 of 1"},
		{"value", func(h *history.History) { h.Ops[1].Value = 9 }, "value 9 of 2"},
		{"foreign", func(h *history.History) { h.Values[1] = history.ForeignValue(3) },
			"value 1 is neither a tag nor a text of the history"},
		{"kind", func(h *history.History) { h.Ops[1].Kind = 9 }, "kind(9) with ok and class 0"},
		{"whole", func(h *history.History) { h.Ops[1].Whole = true },
			"whole upsert with ok and class 0"},
		{"half", func(h *history.History) { h.Ops[1].Kind = history.Items },
			"items with ok and class 0"},
		{"outcome", func(h *history.History) { h.Ops[1].Outcome = 7 },
			"upsert with outcome(7) and class 0"},
		{"client", func(h *history.History) { h.Ops[1].Client = 1 << 31 },
			`unknown client "c2147483648"; want c0 to c2147483647, final, dump or reopen`},
		{"time", func(h *history.History) { h.Ops[1].Call = -5 },
			"called at -5; want no time before 0"},
		{"return", func(h *history.History) { h.Ops[1].Call = 5 },
			"returns at 0, before it is called at 5; want no return before its call"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := &history.History{
				Ops: []history.Op{get, upsert}, Slots: []history.Slot{{}},
				Values: []history.Value{0, history.TagValue(0, 0)},
			}
			require.NoError(t, history.Write(io.Discard, h))
			tt.change(h)
			err := history.Write(io.Discard, h)
			require.EqualError(t, err, "write history: operation 1: "+tt.want)
		})
	}
	bad := &history.History{Meta: []history.Meta{{Name: "two words"}}}
	require.ErrorContains(t, history.Write(io.Discard, bad), `header line "two words": want a name`)
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteToFullDisk(t *testing.T) {
	require.ErrorIs(t, history.Write(fullDisk{}, &history.History{}), errFull)
	long := history.Merge(nil, slotNamed, manyOps(1, 5000)...)
	require.ErrorIs(t, history.Write(fullDisk{}, long), errFull)
	require.ErrorIs(t, history.WriteRows(fullDisk{}, nil), errFull)
}
