package check_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/check"
	"memrace/stress/history"
)

// repeating makes a history in which the values x and y are written again and again, as many
// writes at once as width says, and in which a last read finds what nobody can have left.
func repeating(n, width int) *history.History {
	h := &history.History{
		Slots:  []history.Slot{{Session: "s", Key: "k"}},
		Values: []history.Value{0, history.ForeignValue(0), history.ForeignValue(1)},
		// Values 1 and 2 are x and y.
		Foreign: []string{"x", "y"},
	}
	for i := range n {
		at := int64(i - i%width)
		h.Ops = append(h.Ops, history.Op{
			Call: at, Return: at + int64(width) - 1, Client: history.Client(i % width),
			Value: history.ValueID(1 + i%2), Outcome: history.OK,
		})
	}
	for _, value := range []history.ValueID{1, history.None} {
		n++
		h.Ops = append(h.Ops, history.Op{
			Call: int64(2 * n), Return: int64(2*n) + 1, Kind: history.Get, Value: value,
			Outcome: history.OK,
		})
	}
	return h
}

func TestSearch(t *testing.T) {
	const note = `"x" was written to session "s", key "k" more than once, by operation 0 and ` +
		`operation 2`
	for _, c := range []struct {
		name  string
		h     *history.History
		limit int
		want  check.Verdict
		why   string
	}{
		{
			name: "small",
			h:    repeating(8, 4),
			want: check.Verdict{State: check.Violated, Count: 1},
			why:  "nothing was deleted, which a search soon finds out",
		}, {
			name:  "limit too small",
			h:     repeating(8, 4),
			limit: 5,
			want:  check.Verdict{State: check.Undecided, Reason: note + gaveUp(5, 10)},
			why:   "what was not tried to the end is not decided",
		}, {
			name: "too wide",
			h:    repeating(2000, 40),
			want: check.Verdict{State: check.Undecided, Reason: note + gaveUp(1<<20, 2002)},
			why:  "what is tried grows with all that can be put in any order",
		}, {
			name: "long",
			h:    repeating(100_000, 1),
			want: check.Verdict{State: check.Violated, Count: 1},
			why:  "where one follows the other, there is nothing to try",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			evidence := history.Evidence{History: c.h}
			options := check.Options{SearchLimit: c.limit}
			got := check.Judge(context.Background(), evidence, options)[4]
			c.want.Property, c.want.Notes = check.Linearizability, []string{note}
			got.Violations = nil
			require.Empty(t, cmp.Diff(c.want, got), c.why)
		})
	}
}

func gaveUp(limit, n int) string {
	return fmt.Sprintf("; the search for an order gave up after %d states, of %d operations",
		limit, n)
}

// TestSlotsShareTheSearch has many slots, on each of which the same value is written.
func TestSlotsShareTheSearch(t *testing.T) {
	for _, c := range []struct {
		name         string
		slots, twice uint32 // on how many slots it is written, and twice
		want         check.State
	}{
		{"one", 1, 1, check.Holds},
		{"many", 50, 50, check.Undecided},
		{"one of many needs a search", 50, 1, check.Holds},
	} {
		t.Run(c.name, func(t *testing.T) {
			evidence := history.Evidence{History: writtenOn(c.slots, c.twice)}
			got := check.Judge(context.Background(), evidence, check.Options{SearchLimit: 50})[4]
			require.Equal(t, c.want, got.State, got)
		})
	}
}

// writtenOn returns a history in which a value is written once or twice and then read on each slot.
func writtenOn(slots, twice uint32) *history.History {
	h := &history.History{
		Values: []history.Value{0, history.ForeignValue(0)}, Foreign: []string{"x"},
	}
	for slot := range slots {
		h.Slots = append(h.Slots, history.Slot{Session: "s", Key: fmt.Sprint(slot)})
		kinds := []history.Kind{history.Upsert, history.Get}
		if slot < twice {
			kinds = []history.Kind{history.Upsert, history.Upsert, history.Get}
		}
		for at, kind := range kinds {
			h.Ops = append(h.Ops, history.Op{
				Call: int64(2 * at), Return: int64(2*at) + 1, Client: history.Client(slot),
				Slot: slot, Value: 1, Kind: kind, Outcome: history.OK,
			})
		}
	}
	slices.SortStableFunc(h.Ops, func(a, b history.Op) int { return int(a.Call - b.Call) })
	return h
}

// TestSearchNamesLines reads a history from a file, where operations have lines.
func TestSearchNamesLines(t *testing.T) {
	h := parse(t, `# a comment
		1 2 c1 upsert "s" "k" "x" ok

		3 4 c1 upsert "s" "k" "x" ok
		5 6 c2 get "s" "k" "x" ok`)
	got := verdictsOf(h)[check.Linearizability]
	require.Equal(t, check.Holds, got.State)
	require.Equal(t, []string{`"x" was written to session "s", key "k" more than once, by line 2 ` +
		`and line 4`}, got.Notes)
}
