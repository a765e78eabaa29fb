package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/check"
	"memrace/stress/history"
)

var unitCases = []struct {
	name string
	text string
	want [][]int
	why  string
}{
	{
		name: "write with reads",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 get "s" "k" v1.0 ok
			5 6 c3 get "s" "k" v1.0 ok`,
		want: [][]int{{0, 1, 2}, {1}, {2}},
		why:  "a read may go alone, a write takes its reads along",
	}, {
		name: "delete before a miss",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 delete "s" "k" - ok
			5 6 c3 get "s" "k" - ok`,
		want: [][]int{{0}, {2}},
		why:  "without the delete the miss would be wrong",
	}, {
		name: "delete after all misses",
		text: `1 2 c3 get "s" "k" - ok
			3 4 c2 delete "s" "k" - ok
			5 6 c1 get "s" "k" v1.0 ok`,
		want: [][]int{{0}, {1}, {2}},
		why:  "nothing can depend on it",
	}, {
		name: "delete that is overwritten before the miss",
		text: `1 2 c2 delete "s" "k" - ok
			3 4 c1 upsert "s" "k" v1.0 ok
			5 6 c2 delete "s" "k" - ok
			7 8 c3 get "s" "k" - ok`,
		want: [][]int{{0}, {1}, {3}},
		why:  "only the second delete can explain the miss",
	}, {
		name: "delete that is overwritten as the miss begins",
		text: `1 2 c2 delete "s" "k" - ok
			3 5 c1 upsert "s" "k" v1.0 ok
			5 6 c3 get "s" "k" - ok`,
		want: [][]int{{1}, {2}},
		why:  "the miss may have come before the write",
	}, {
		name: "take that is overwritten before the miss",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 take "s" "k" v1.0 ok
			5 6 c1 upsert "s" "k" v1.1 ok
			7 8 c2 take "s" "k" v1.1 ok
			9 10 c3 get "s" "k" - ok`,
		want: [][]int{{0, 1}, {4}},
		why:  "as a delete: only the second can explain the miss",
	}, {
		name: "take after an update that found nothing",
		text: `1 2 c1 update "s" "k" - v1.0 ok
			3 4 c2 take "s" "k" v1.0 ok
			5 6 c2 take "s" "k" - ok
			7 8 c1 update "s" "k" - v1.1 ok
			9 10 c2 take "s" "k" v1.1 ok`,
		want: [][]int{{2}, {3, 4}},
		why:  "both misses may depend on the first take, and none on the second",
	}, {
		name: "without effect",
		text: `1 - c1 upsert "s" "k" v1.0 unknown
			2 3 c2 upsert "s" "k" v2.0 not-applied
			4 5 c3 delete "s" "k" - not-applied
			6 7 c4 get "s" "k" - not-applied
			8 9 c5 get "s" "k" - ok`,
		want: [][]int{{0}, {1}, {2}, {3}, {4}},
		why:  "what has no effect can always go",
	},
}

func TestUnits(t *testing.T) {
	for _, c := range unitCases {
		t.Run(c.name, func(t *testing.T) {
			h := parse(t, c.text)
			require.Empty(t, cmp.Diff(c.want, check.Units(h, all(h))), c.why)
		})
	}
}

func all(h *history.History) []int {
	ops := make([]int, len(h.Ops))
	for i := range ops {
		ops[i] = i
	}
	return ops
}

// TestOracleUnits leaves any number of units out of right histories, which must stay right.
func TestOracleUnits(t *testing.T) {
	left := 0
	for i := range oracleRuns(t, 20_000) / 2 {
		random := randomSource{rand.New(rand.NewPCG(3, uint64(i)))}
		h := makeHistory(random, shapes[i%len(shapes)])
		if !legal(h.Ops) {
			continue
		}
		rest := all(h)
		for len(rest) > 0 {
			smaller := leaveOutSome(random, rest, check.Units(h, rest))
			require.True(t, legal(pick(h, smaller)),
				"%v is right and %v of it is not:\n%s", rest, smaller, lines(h))
			if len(smaller) == len(rest) {
				break
			}
			rest, left = smaller, left+1
		}
	}
	require.Greater(t, left, 1000)
}

func leaveOutSome(random randomSource, ops []int, units [][]int) []int {
	for _, unit := range units {
		if random.below(3) == 0 {
			ops = slices.DeleteFunc(slices.Clone(ops), func(i int) bool {
				return slices.Contains(unit, i)
			})
		}
	}
	return ops
}

// TestOracleExplain adds to the proof of a violation any other operations of the
// history, with the writes of what they read: it must stay wrong.
func TestOracleExplain(t *testing.T) {
	violations := 0
	for i := range oracleRuns(t, 20_000) / 2 {
		random := randomSource{rand.New(rand.NewPCG(4, uint64(i)))}
		h := makeHistory(random, shapes[i%len(shapes)])
		subset := slices.DeleteFunc(all(h), func(int) bool { return random.below(4) == 0 })
		v, found := check.Explain(h, subset)
		if !found || v.Property == check.Integrity {
			continue
		}
		violations++
		more := slices.DeleteFunc(all(h), func(i int) bool {
			return random.below(3) == 0 && !slices.Contains(v.Ops, i)
		})
		require.False(t, legal(pick(h, more)),
			"%q does not follow from %v:\n%s", v.Sentence, v.Ops, lines(h))
	}
	require.Greater(t, violations, 100)
}

// TestExplainWantsAllThatMatters leaves out what would explain a read.
func TestExplainWantsAllThatMatters(t *testing.T) {
	h := parse(t, `1 2 c1 upsert "s" "k" v1.0 ok
		3 4 c2 delete "s" "k" - ok
		5 6 c3 get "s" "k" - ok
		7 8 c1 upsert "s" "k" v1.1 ok
		9 10 c3 get "s" "k" v1.1 ok`)
	for _, ops := range [][]int{nil, {0, 2}, {4}, {0, 1, 2, 3, 4}, {4, 3}} {
		v, found := check.Explain(h, ops)
		require.False(t, found, fmt.Sprint(ops, v))
	}
}

// TestLongProofsAreSmall hides a miss that nothing explains among many operations.
func TestLongProofsAreSmall(t *testing.T) {
	h := rightHistory(20_000, 16, 1)
	spoiled := 0
	for i := range h.Ops {
		op := &h.Ops[i]
		if op.Kind == history.Delete && i > 10_000 && i < 10_500 {
			op.Outcome = history.NotApplied
			spoiled++
		}
	}
	v := verdictsOf(h)[check.Linearizability]
	require.Equal(t, check.Violated, v.State)
	require.Less(t, len(v.Violations[0].Ops), 8, v.Violations[0].Sentence)
	require.Positive(t, spoiled)
}
