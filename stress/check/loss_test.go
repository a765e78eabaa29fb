package check_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/check"
)

var lossCases = []struct {
	name, text string
	want       *check.Loss
	note       string
	violated   bool
	why        string
}{
	{
		name: "no power was cut",
		text: `event: 100 killed, back after 1ms
			1 2 c1 upsert "s" "k" v1.0 ok
			950 960 reopen get "s" "k" - ok`,
		violated: true,
		why:      "a process that is killed loses nothing that was acknowledged",
	}, {
		name: "nothing is gone",
		text: `event: 900 cut off from power
			1 2 c1 upsert "s" "k" v1.0 ok
			899 - c2 upsert "s" "k" v2.0 unknown
			950 960 reopen get "s" "k" v1.0 ok`,
		want: &check.Loss{},
		note: "the power was cut at 900ns: nothing that was acknowledged is gone",
		why:  "nobody knows of the last write",
	}, {
		name: "a store that may not lose",
		text: `event: 900 cut off from power
			1 2 c1 upsert "s" "k" v1.0 ok
			3 600 c1 upsert "s" "k" v1.1 ok
			700 800 c1 upsert "s" "k" v1.2 ok
			950 960 reopen get "s" "k" v1.0 ok`,
		want:     &check.Loss{Writes: 2, Span: 300},
		note:     "the power was cut at 900ns: lost 2 acknowledged writes of the last 300ns",
		violated: true,
		why:      "two writes came after what is left",
	}, {
		name: "a store that may lose",
		text: `event: 900 cut off from power
			lossy: true
			1 2 c1 upsert "s" "k" v1.0 ok
			700 800 c1 upsert "s" "k" v1.1 ok
			700 850 c2 upsert "s" "l" v2.0 ok
			950 960 reopen get "s" "k" v1.0 ok
			970 980 reopen get "s" "l" - ok`,
		want: &check.Loss{Writes: 2, Span: 100, Allowed: true},
		note: "the power was cut at 900ns: lost 2 acknowledged writes of the last 100ns, " +
			"which the store says may happen",
		why: "it had said so before",
	}, {
		name: "a delete is gone",
		text: `event: 900 cut off from power
			lossy: true
			1 2 c1 upsert "s" "k" v1.0 ok
			700 800 c1 delete "s" "k" - ok
			950 960 reopen get "s" "k" v1.0 ok`,
		want: &check.Loss{Writes: 1, Span: 100, Allowed: true},
		note: "the power was cut at 900ns: lost 1 acknowledged write of the last 100ns, " +
			"which the store says may happen",
		why: "what was deleted is back",
	}, {
		name: "writes since the last delete",
		text: `event: 900 cut off from power
			lossy: true
			1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c1 take "s" "k" v1.0 ok
			700 890 c1 upsert "s" "k" v1.1 ok
			950 960 reopen get "s" "k" - ok`,
		want: &check.Loss{Writes: 1, Span: 10, Allowed: true},
		note: "the power was cut at 900ns: lost 1 acknowledged write of the last 10ns, " +
			"which the store says may happen",
		why: "what was taken had been there",
	}, {
		name: "items",
		text: `event: 900 cut off from power
			lossy: true
			1 2 c1 add "s" "" v1.0 ok
			3 400 c1 add "s" "" v1.1 ok
			410 500 c1 add "s" "" v1.2 ok
			950 960 reopen items "s" "" v1.0 ok`,
		want: &check.Loss{Items: 2, Span: 500, Allowed: true},
		note: "the power was cut at 900ns: lost 2 acknowledged items of the last 500ns, " +
			"which the store says may happen",
		why: "the list has its first item still",
	}, {
		name: "wrong before the power failed",
		text: `event: 900 cut off from power
			lossy: true
			1 2 c1 upsert "s" "k" v1.0 ok
			3 4 final get "s" "k" - ok
			950 960 reopen get "s" "k" - ok`,
		want:     &check.Loss{Allowed: true},
		note:     "the power was cut at 900ns: nothing that was acknowledged is gone",
		violated: true,
		why:      "no loss of power explains what was read before it",
	},
}

func TestLosses(t *testing.T) {
	for _, tt := range lossCases {
		t.Run(tt.name, func(t *testing.T) {
			v := verdictsOf(parse(t, "memrace-history 1\n"+tt.text))[check.FinalValue]
			require.Empty(t, cmp.Diff(tt.want, v.Loss), tt.why)
			require.Equal(t, tt.violated, v.State == check.Violated, "%s: %v", tt.why, v)
			if tt.note != "" {
				require.Contains(t, v.Notes, tt.note, tt.why)
			}
		})
	}
}
