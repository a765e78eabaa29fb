package stress_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/history"
)

var storyCases = []struct {
	name, text string
	anomaly    check.Anomaly
	ops        []int // nil: whichever
	accused    int
	why        string
}{
	{"stale read", `
		1 2 c9 get "s" "k" - ok
		10 20 c1 upsert "s" "k" v1.0 ok
		30 40 c2 upsert "s" "k" v2.0 ok
		50 60 c3 get "s" "k" v1.0 ok
		70 80 c4 get "s" "k" v2.0 ok`, check.StaleRead, []int{1, 2, 3}, 3,
		"what has nothing to do with it is left out"},
	{"read before its write", `
		10 20 c2 get "s" "k" v1.0 ok
		30 40 c1 upsert "s" "k" v1.0 ok`, check.ReadFromFuture, []int{0, 1}, 0,
		"the only read"},
	{"value that comes back", `
		10 20 c1 upsert "s" "k" v1.0 ok
		25 29 c9 delete "s" "k" - ok
		30 40 c2 get "s" "k" - ok
		50 60 c3 get "s" "k" v1.0 ok`, check.ResurrectedValue, []int{0, 1, 3}, 3,
		"the delete was right"},
	{"value gone for a while", `
		10 20 c1 upsert "s" "k" v1.0 ok
		30 40 c2 get "s" "k" - ok
		50 60 c3 get "s" "k" v1.0 ok`, check.LostValue, nil, 1,
		"the read that found nothing is wrong, not the later one that proves it"},
	{"leak", `
		10 20 c1 upsert "alice" "k" v1.0 ok
		30 40 c2 get "bob" "k" v1.0 ok`, check.CrossSessionLeak, []int{0, 1}, 1, "the read"},
	{"value from nowhere", `
		10 20 c1 upsert "s" "k" v1.0 ok
		30 40 c2 get "s" "k" "x" ok`, check.ValueFromNowhere, []int{1}, 1, "nobody wrote it"},
	{"lost write", `
		10 20 c1 upsert "s" "k" v1.0 ok
		90 99 final get "s" "k" - ok`, check.LostWrite, []int{0, 1}, 1, "the final read"},
	{"no order", `
		10 20 c1 upsert "s" "k" "x" ok
		30 40 c1 upsert "s" "k" "x" ok
		50 60 c1 delete "s" "k" - ok
		70 80 c2 get "s" "k" "x" ok`, check.NotLinearizable, []int{0, 1, 2, 3}, stress.NoOp,
		"a search accuses nobody"},
	{"plainest of two", `
		1 90 c9 delete "s" "a" - ok
		2 3 c1 upsert "s" "a" v1.0 ok
		4 5 c2 get "s" "a" - ok
		6 7 c1 upsert "s" "a" v1.1 ok
		8 9 c3 get "s" "a" - ok
		100 101 c1 upsert "s" "b" v1.2 ok
		102 103 c3 get "s" "b" - ok`, check.LostValue, []int{5, 6}, 6,
		"a miss that no delete explains is plainer than two for which one has to do"},
	{"take long before", `
		10 20 c2 upsert "s" "k" v2.0 ok
		30 40 c2 take "s" "k" v2.0 ok
		50 60 c7 upsert "s" "k" v7.0 ok
		70 90 c7 take "s" "k" v7.0 ok
		80 85 c3 upsert "s" "k" v3.0 ok
		95 99 c4 get "s" "k" - ok`, check.LostValue, []int{2, 3, 4, 5}, 5,
		"v7.0 was there after the first take, which therefore explains nothing"},
	{"end of a chain", `
		10 20 c6 upsert "s" "k" v6.0 ok
		30 40 c6 update "s" "k" v6.0 v6.1 ok
		50 90 c6 take "s" "k" v6.1 ok
		60 65 c2 upsert "s" "k" v2.0 ok
		70 75 c0 update "s" "k" v2.0 v0.0 ok
		80 85 c1 update "s" "k" v0.0 v1.0 ok
		95 99 c4 get "s" "k" - ok`, check.LostValue, []int{1, 2, 3, 6}, 6,
		"where v6.1 came from does not matter, nor what became of v2.0"},
	{"nothing succeeds", `clients: 2
		10 20 c1 upsert "s" "k" v1.0 not-applied busy
		15 40 c2 get "s" "k" - ok`, check.NothingSucceeds, nil, stress.NoOp,
		"it rests on what never happened"},
}

// A story names the operations that it is made of, and the one that its sentence is about.
func TestStoriesNameTheirOperations(t *testing.T) {
	for _, c := range storyCases {
		t.Run(c.name, func(t *testing.T) {
			text := "memrace-history 1\n" + strings.ReplaceAll(c.text, "\t", "")
			h, err := history.Read(strings.NewReader(text), c.name)
			require.NoError(t, err)
			_, stories := stress.Judge(t.Context(), history.Evidence{History: h})
			require.NotEmpty(t, stories)
			s := stories[0]
			require.Equal(t, c.anomaly, s.Anomaly, s)
			require.Equal(t, c.accused, s.Accused, c.why)
			if c.ops != nil {
				require.Empty(t, cmp.Diff(c.ops, s.Ops), c.why)
			}
			require.Len(t, s.Lines, len(s.Ops))
			for i, op := range s.Ops {
				require.Equal(t, h.Line(op), s.Lines[i])
			}
		})
	}
}
