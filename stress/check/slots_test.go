package check_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/check"
	"memrace/stress/history"
)

const (
	blindHistory = `1 2 c1 upsert "s" "a" "y" ok
		3 4 c2 get "s" "b" - ok
		5 - c2 get "s" "a" - unknown error
		`
	noValues = "values were written, reads failed, and no read returned a value, so there is " +
		"nothing to judge"
)

// TestSlotsAreJudgedApart puts many small histories into one, each on a slot of its own: each
// must be judged as if it were alone.
func TestSlotsAreJudgedApart(t *testing.T) {
	const slots = 40
	for seed := range uint64(50) {
		var want []uint32
		all := &history.History{Values: []history.Value{0}}
		for slot := range uint32(slots) {
			random := randomSource{rand.New(rand.NewPCG(seed, uint64(slot)))}
			h := makeHistory(random, shapes[slot%8])
			if verdictsOf(h)[check.Linearizability].State == check.Violated {
				want = append(want, slot)
			}
			addSlot(all, h)
		}
		evidence := history.Evidence{History: all}
		options := check.Options{MaxViolations: slots}
		v := check.Judge(context.Background(), evidence, options)[4]
		var got []uint32
		for _, violation := range v.Violations {
			got = append(got, violation.Slot)
			require.False(t, legal(pick(all, violation.Ops)), violation.Sentence)
		}
		require.Equal(t, len(want), v.Count)
		require.Empty(t, cmp.Diff(want, got), "seed %d", seed)
	}
}

// addSlot adds a history of one slot to another as a further slot.
func addSlot(all, h *history.History) {
	slot, values := uint32(len(all.Slots)), history.ValueID(len(all.Values)-1)
	all.Slots = append(all.Slots, history.Slot{Session: "s", Key: string(rune('a' + slot))})
	for id := range h.Values[1:] {
		all.Values = append(all.Values, history.TagValue(history.Client(slot), uint32(id)))
	}
	for _, op := range h.Ops {
		op.Slot = slot
		if op.Value != history.None {
			op.Value += values
		}
		all.Ops = append(all.Ops, op)
	}
	slices.SortStableFunc(all.Ops, func(a, b history.Op) int { return int(a.Call - b.Call) })
}

// searchedSlot is what a search of one step cannot judge.
const searchedSlot = `1 2 c1 upsert "s" "a" "x" ok
	3 4 c1 upsert "s" "a" "x" ok
	`

var mixedCases = []struct {
	name     string
	text     string
	property check.Property
	want     check.State
	reason   string
	why      string
}{
	{
		name: "undecided before violated",
		text: searchedSlot + `5 6 c2 get "s" "a" "x" ok
			7 8 c1 upsert "s" "b" "y" ok
			9 10 c2 get "s" "b" - ok`,
		property: check.Linearizability, want: check.Violated,
		why: "what is violated is not undecided, and needs no excuse",
	}, {
		name: "violated before undecided",
		text: `0 0 c3 upsert "s" "b" "y" ok
			1 1 c4 get "s" "b" - ok
			` + searchedSlot + `15 16 c2 get "s" "a" "x" ok`,
		property: check.Linearizability, want: check.Violated,
		why: "the order of the slots does not matter",
	}, {
		name: "final read undecided",
		text: searchedSlot + `5 6 c2 get "s" "b" - ok
			90 91 final get "s" "a" "x" ok`,
		property: check.FinalValue, want: check.Undecided,
		reason: `"x" was written to session "s", key "a" more than once, by line 1 and line 2; ` +
			`the search for an order gave up after 1 states, of 3 operations`,
		why: "the final read is of one of the two",
	}, {
		name: "final read undecided, operations fine",
		text: searchedSlot + `5 6 c2 get "s" "b" - ok
			90 91 final get "s" "a" "x" ok`,
		property: check.Linearizability, want: check.Holds,
		why: "what clients did is clear",
	}, {
		name: "only a read that others accuse",
		text: `1 2 c1 upsert "s" "a" "y" ok
			3 4 c2 get "s" "a" "z" ok`,
		property: check.Linearizability, want: check.Undecided,
		reason: "no read succeeded, so there is nothing to judge",
		why:    "a read that is left out tells nothing of the order",
	}, {
		name: "reads that find nothing are the only ones that succeed, in order",
		text: blindHistory, property: check.Linearizability, want: check.Undecided,
		reason: noValues,
		why:    "whoever cannot read values, reads nothing that is wrong",
	}, {
		name: "reads that find nothing are the only ones that succeed, at home",
		text: blindHistory, property: check.Isolation, want: check.Undecided, reason: noValues,
		why: "nor anything of others",
	}, {
		name: "reads that find nothing are the only ones that succeed, unchanged",
		text: blindHistory, property: check.Integrity, want: check.Undecided, reason: noValues,
		why: "nor anything changed",
	}, {
		name:     "one read of a value among those",
		text:     blindHistory + `9 10 c2 get "s" "a" "y" ok`,
		property: check.Isolation, want: check.Holds,
		why: "it can be done, so there was something to see",
	}, {
		name: "no read fails and none finds anything",
		text: `1 - c1 upsert "s" "a" "y" unknown
			1 2 c3 upsert "s" "a" "z" not-applied busy
			3 4 c2 get "s" "a" - ok`,
		property: check.Isolation, want: check.Holds,
		why: "nothing was there",
	}, {
		name: "item that was added twice",
		text: `1 2 c1 add "s" "" "x" ok
			3 4 c2 add "s" "" "x" ok
			5 6 c3 items "s" "" "x" ok`,
		property: check.Linearizability, want: check.Undecided,
		reason: `"x" was added to the list of session "s" more than once, by line 1 and line 2`,
		why:    "nobody can tell which of the two was read",
	}, {
		name: "item that was added twice and not read",
		text: `1 2 c1 add "s" "" "x" ok
			3 4 c2 add "s" "" "x" not-applied busy
			3 4 c4 add "t" "" "x" ok
			3 4 c5 upsert "s" "" "x" ok
			5 6 c3 items "s" "" "x" ok
			7 9 c1 add "s" "" "y" ok
			7 9 c2 add "s" "" "y" ok`,
		property: check.Linearizability, want: check.Holds,
		why: "one was refused, others are elsewhere, and of the last two nobody saw any",
	}, {
		name: "only items that others accuse",
		text: `1 2 c1 add "s" "" "x" ok
			3 4 c2 items "t" "" "x" ok`,
		property: check.Linearizability, want: check.Holds,
		why: "that list is empty, as it should be",
	}, {
		name: "lists were not read at the end",
		text: `1 2 c1 add "s" "" "x" ok
			3 4 c2 items "s" "" - ok
			5 6 c1 upsert "s" "" "z" ok
			90 91 final items "s" "" - ok
			92 - final get "s" "" - unknown`,
		property: check.FinalValue, want: check.Undecided,
		reason: "on every slot the operations before are wrong already",
		why:    "a list and a slot of one number are two",
	}, {
		name: "list and slot wrong",
		text: `1 2 c1 add "s" "" "x" ok
			3 4 c2 items "s" "" - ok
			5 6 c1 upsert "s" "" "z" ok
			7 8 c2 get "s" "" - ok
			90 91 final items "s" "" - ok
			92 93 final get "s" "" - ok`,
		property: check.FinalValue, want: check.Undecided,
		reason: "on every slot the operations before are wrong already",
		why:    "both are",
	}, {
		name: "the right slot was not read at the end",
		text: `1 2 c1 upsert "s" "a" "y" ok
			3 4 c2 get "s" "a" - ok
			5 6 c1 upsert "s" "b" "z" ok
			90 91 final get "s" "a" "y" ok
			92 - final get "s" "b" - unknown`,
		property: check.FinalValue, want: check.Undecided,
		reason: "on every slot the operations before are wrong already",
		why:    "a read that failed judges nothing",
	}, {
		name: "the wrong slot was not read at the end",
		text: `1 2 c1 upsert "s" "a" "y" ok
			3 4 c2 get "s" "a" - ok
			5 6 c1 upsert "s" "b" "z" ok
			90 - final get "s" "a" - unknown
			92 93 final get "s" "b" "z" ok`,
		property: check.FinalValue, want: check.Holds,
		why: "there is a slot that was judged",
	},
}

func TestMixedSlots(t *testing.T) {
	for _, c := range mixedCases {
		t.Run(c.name, func(t *testing.T) {
			evidence := history.Evidence{History: parse(t, c.text)}
			options := check.Options{SearchLimit: 1}
			for _, v := range check.Judge(context.Background(), evidence, options) {
				if v.Property == c.property {
					require.Equal(t, c.want, v.State, c.why)
					require.Equal(t, c.reason, v.Reason, c.why)
				}
			}
		})
	}
}

// TestDumpOfNothingIsUndecided has a dump without rows and no read that succeeded.
func TestDumpOfNothingIsUndecided(t *testing.T) {
	evidence := history.Evidence{History: parse(t, `1 2 c1 upsert "s" "k" v1.0 ok`), Dumped: true}
	for _, v := range check.Judge(context.Background(), evidence, check.Options{}) {
		if v.Property == check.Isolation || v.Property == check.Integrity {
			require.Equal(t, check.Undecided, v.State, v.Property)
		}
	}
}
