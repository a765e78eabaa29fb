package check_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/check"
	"memrace/stress/history"
)

// orderCase is a history of one slot and the first violation of its order, if there is one.
type orderCase struct {
	name     string
	text     string
	want     check.Anomaly // empty: it is right
	ops      []int
	sentence string
	why      string
}

func parse(t *testing.T, text string) *history.History {
	t.Helper()
	h, err := history.ParseString(text)
	require.NoError(t, err)
	return h
}

func TestLinearizability(t *testing.T) {
	testOrder(t, check.Linearizability, slices.Concat(
		orderCases, deleteCases, updateCases, outcomeCases, listCases))
}

func TestFinalValue(t *testing.T) {
	testOrder(t, check.FinalValue, slices.Concat(finalCases, finalListCases))
}

func testOrder(t *testing.T, property check.Property, cases []orderCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := parse(t, c.text)
			want := check.Verdict{Property: property, State: check.Holds}
			if c.want != "" {
				violation := check.Violation{
					Property: property, Anomaly: c.want, Ops: c.ops, Sentence: c.sentence,
				}
				want.State, want.Count = check.Violated, 1
				want.Violations = []check.Violation{violation}
				again, _ := check.Explain(h, c.ops)
				require.Empty(t, cmp.Diff(violation, again), "Explain")
			}
			got := verdictsOf(h)[property]
			got.Notes = nil
			require.Empty(t, cmp.Diff(want, got), c.why)
		})
	}
}

// readCase is a history and what is wrong with where a value comes from.
type readCase struct {
	name string
	text string
	want check.Violation
	why  string
}

// readCases are about where values come from.
var readCases = []readCase{
	{
		name: "another session",
		text: `1 2 c1 upsert "b" "k" v1.0 ok
			3 4 c3 get "a" "k" v1.0 ok`,
		want: check.Violation{
			Property: check.Isolation, Anomaly: check.CrossSessionLeak, Slot: 1, Ops: []int{0, 1},
			Sentence: `c3 read v1.0 in session "a", key "k", which c1 wrote to session "b", ` +
				`key "k"`,
		},
		why: "the session is what keeps owners apart",
	}, {
		name: "another key",
		text: `1 2 c1 upsert "a" "j" v1.0 ok
			3 4 final get "a" "k" v1.0 ok`,
		want: check.Violation{
			Property: check.Isolation, Anomaly: check.CrossKeyMixup, Slot: 1, Ops: []int{0, 1},
			Sentence: `the final read returned v1.0 in session "a", key "k", which c1 wrote to ` +
				`session "a", key "j"`,
		},
		why: "the owner is the same, so nothing leaked",
	}, {
		name: "written to two slots, read in a third",
		text: `1 2 c1 upsert "a" "j" "x" ok
			3 4 c1 upsert "b" "j" "x" ok
			5 6 c1 get "b" "j" "x" ok
			7 8 c1 get "a" "j" "x" ok
			9 10 c3 get "a" "k" "x" ok`,
		want: check.Violation{
			Property: check.Isolation, Anomaly: check.CrossKeyMixup, Slot: 2, Ops: []int{0, 4},
			Sentence: `c3 read "x" in session "a", key "k", which c1 wrote to session "a", ` +
				`key "j"`,
		},
		why: "values may repeat on different slots without harm; only the third read is wrong",
	}, {
		name: "refused here, written elsewhere",
		text: `1 2 c1 upsert "a" "j" "x" not-applied busy
			3 4 c2 upsert "b" "j" "x" ok
			5 6 c3 get "a" "k" "x" ok`,
		want: check.Violation{
			Property: check.Isolation, Anomaly: check.CrossSessionLeak, Slot: 2, Ops: []int{1, 2},
			Sentence: `c3 read "x" in session "a", key "k", which c2 wrote to session "b", key "j"`,
		},
		why: "a write that was refused cannot be where the value comes from",
	}, {
		name: "refused write",
		text: `1 2 c1 upsert "a" "k" v1.0 not-applied busy
			3 4 c3 get "a" "k" v1.0 ok`,
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.FailedWriteRead, Ops: []int{0, 1},
			Sentence: `c3 read v1.0, although c1's write of it was refused (busy) and must leave ` +
				`nothing behind`,
		},
		why: "not applied is a promise",
	}, {
		name: "from nowhere",
		text: `1 2 c1 upsert "a" "k" v1.0 ok
			3 4 c3 get "a" "k" "hello" ok`,
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.ValueFromNowhere, Ops: []int{1},
			Sentence: `c3 read "hello", which nobody wrote`,
		},
		why: "the store made it up",
	}, {
		name: "tag that nobody wrote",
		text: `1 2 c1 upsert "a" "k" v1.0 ok
			3 4 c3 get "a" "k" v7.7 ok`,
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.ValueFromNowhere, Ops: []int{1},
			Sentence: `c3 read v7.7, which nobody wrote; it has the form of a value of this run, ` +
				`but its write is not in the history`,
		},
		why: "a value that is well made is still not written",
	}, {
		name: "cut short",
		text: `1 2 c1 upsert "a" "k" v1.0 ok
			3 4 c3 get "a" "k" "m0000002a.s5.c3." ok`,
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.ValueFromNowhere, Ops: []int{1},
			Sentence: `c3 read "m0000002a.s5.c3.", which nobody wrote; it looks like a value of ` +
				`memrace that was cut short or damaged`,
		},
		why: "the head of a tag is easy to know",
	}, {
		name: "another run",
		text: `1 2 c1 upsert "a" "k" v1.0 ok
			3 4 c3 get "a" "k" "m0000002a.s5.c3.17.20:" ok`,
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.ValueFromNowhere, Ops: []int{1},
			Sentence: `c3 read "m0000002a.s5.c3.17.20:", which nobody wrote; it looks like a ` +
				`value of memrace that was cut short or damaged`,
		},
		why: "its length is not the one it states",
	},
}

func TestReads(t *testing.T) {
	for _, c := range slices.Concat(readCases, listReadCases) {
		t.Run(c.name, func(t *testing.T) {
			h := parse(t, c.text)
			verdicts := verdictsOf(h)
			got := verdicts[c.want.Property]
			require.Equal(t, check.Violated, got.State)
			require.Empty(t, cmp.Diff([]check.Violation{c.want}, got.Violations), c.why)
			again, _ := check.Explain(h, c.want.Ops)
			require.Empty(t, cmp.Diff(c.want, again), "Explain")
			for _, other := range []check.Property{
				check.Isolation, check.Integrity, check.Linearizability,
			} {
				if other != c.want.Property {
					require.NotEqual(t, check.Violated, verdicts[other].State,
						"one fault is accused of by one property: %v", verdicts[other])
				}
			}
		})
	}
}

// TestForeignRun reads a whole tag of another run.
func TestForeignRun(t *testing.T) {
	tag := string(history.Tag{Run: 1, Slot: 2, Client: 3, Step: 4}.Append(nil, 30))
	h := parse(t, `1 2 c1 upsert "a" "k" v1.0 ok
		3 4 c3 get "a" "k" "`+tag+`" ok`)
	got := verdictsOf(h)[check.Integrity]
	require.Len(t, got.Violations, 1)
	require.Contains(t, got.Violations[0].Sentence, "it is a whole value, but of another run")
}

func TestEmptyHistoryIsNeverGreen(t *testing.T) {
	onlyFinal := parse(t, `1 2 final get "s" "k" - ok`)
	for _, h := range []*history.History{nil, {}, onlyFinal} {
		evidence := history.Evidence{History: h, Dumped: true}
		for _, v := range check.Judge(context.Background(), evidence, check.Options{}) {
			require.Equal(t, check.Undecided, v.State, v.Property)
			require.Equal(t, "there are no operations", v.Reason)
		}
	}
}

func TestJudgeReturnsAllPropertiesInOrder(t *testing.T) {
	properties := func(text string) (got []check.Property) {
		evidence := history.Evidence{History: parse(t, text)}
		for _, v := range check.Judge(context.Background(), evidence, check.Options{}) {
			got = append(got, v.Property)
		}
		return got
	}
	want := check.Properties()
	require.Empty(t, cmp.Diff(want, properties(`1 2 c1 list "s" "k" - ok`)))
	want = slices.DeleteFunc(want, func(p check.Property) bool { return p == check.Snapshot })
	require.Empty(t, cmp.Diff(want, properties(`1 2 c1 get "s" "k" - ok`)))
	require.Empty(t, cmp.Diff(want, properties(`1 2 c1 items "s" "" - ok`)))
	require.Empty(t, cmp.Diff(want, properties(``)))
}

func TestNothingReadIsUndecided(t *testing.T) {
	verdicts := verdictsOf(parse(t, `1 2 c1 upsert "s" "k" v1.0 ok`))
	for _, p := range []check.Property{
		check.Isolation, check.Integrity, check.Linearizability,
	} {
		require.Equal(t, check.Undecided, verdicts[p].State, p)
	}
	require.Equal(t, check.Skipped, verdicts[check.Uniqueness].State)
	require.Equal(t, check.Skipped, verdicts[check.FinalValue].State)
}

func TestCancelledJudgingIsUndecided(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	h := parse(t, `1 2 c1 get "s" "k" - ok
		3 4 final get "s" "k" - ok`)
	for _, v := range check.Judge(ctx, history.Evidence{History: h}, check.Options{}) {
		if v.Property == check.Linearizability || v.Property == check.FinalValue {
			require.Equal(t, check.Undecided, v.State)
			require.Equal(t, "judging was cut short: context canceled", v.Reason)
		}
	}
	h = parse(t, `1 2 c1 upsert "b" "k" v1.0 ok
		3 4 c2 get "a" "k" v1.0 ok`)
	isolation := check.Judge(ctx, history.Evidence{History: h}, check.Options{})[1]
	require.Equal(t, check.Violated, isolation.State, "reads are looked at nevertheless")
}

func TestMaxViolationsKeepsTheCount(t *testing.T) {
	evidence := history.Evidence{History: parse(t, `1 2 c1 upsert "a" "k" v1.0 not-applied
		3 4 c2 get "a" "k" v1.0 ok
		5 6 c2 get "a" "k" v1.0 ok`)}
	for _, v := range check.Judge(context.Background(), evidence, check.Options{MaxViolations: 1}) {
		if v.Property == check.Integrity {
			require.Equal(t, 2, v.Count)
			require.Len(t, v.Violations, 1)
		}
	}
}

func TestOptionsValidate(t *testing.T) {
	require.NoError(t, check.Options{}.Validate())
	require.EqualError(t, check.Options{MaxViolations: -1}.Validate(),
		"MaxViolations is -1; it cannot be negative")
	require.EqualError(t, check.Options{SearchLimit: -1}.Validate(),
		"SearchLimit is -1; it cannot be negative")
}
