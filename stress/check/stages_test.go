package check_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/check"
)

// stageStart is what comes before the reads of each case.
const stageStart = `1 2 c1 upsert "s" "k" v1.0 ok
	3 4 c2 get "s" "k" v1.0 ok
	`

var stageCases = []struct {
	name string
	text string
	want check.Verdict
	why  string
}{
	{
		name: "nothing",
		want: check.Verdict{
			State: check.Skipped, Reason: "nothing was read after the end of the workload",
		},
		why: "a history from elsewhere need not have such reads",
	}, {
		name: "all",
		text: `5 6 final get "s" "k" v1.0 ok
			7 8 dump get "s" "k" v1.0 ok
			9 10 reopen get "s" "k" v1.0 ok`,
		want: check.Verdict{State: check.Holds, Notes: []string{
			"judged: reading back, the dump, reading after reopening",
		}},
		why: "a store on disk that can list its rows",
	}, {
		name: "volatile",
		text: `5 6 final get "s" "k" v1.0 ok`,
		want: check.Verdict{State: check.Holds, Notes: []string{
			"judged: reading back", "not done: the dump, reading after reopening",
		}},
		why: "what was not looked at must show",
	}, {
		name: "some fail",
		text: `5 6 final get "s" "k" v1.0 ok
			7 - final get "s" "j" - unknown ioerr`,
		want: check.Verdict{State: check.Holds, Notes: []string{
			"reading back failed on 1 of 2 slots", "judged: reading back",
			"not done: the dump, reading after reopening",
		}},
		why: "a slot that was not read was not judged",
	}, {
		name: "most fail",
		text: `5 6 final get "s" "k" v1.0 ok
			7 - final get "s" "j" - unknown ioerr
			7 - final get "s" "l" - unknown ioerr`,
		want: check.Verdict{
			State: check.Undecided, Reason: "reading back failed on 2 of 3 slots",
			Notes: []string{
				"reading back failed on 2 of 3 slots", "judged: reading back",
				"not done: the dump, reading after reopening",
			},
		},
		why: "what was judged is the smaller part",
	}, {
		name: "all fail after reopening",
		text: `5 6 final get "s" "k" v1.0 ok
			7 - reopen get "s" "k" - unknown corrupt`,
		want: check.Verdict{
			State: check.Undecided, Reason: "reading after reopening failed on every slot",
			Notes: []string{
				"reading after reopening failed on 1 of 1 slot", "judged: reading back",
				"not done: the dump",
			},
		},
		why: "a store that cannot be read again has not shown that it kept anything",
	}, {
		name: "all fail",
		text: `5 - final get "s" "k" - unknown corrupt`,
		want: check.Verdict{
			State: check.Undecided, Reason: "reading back failed on every slot",
			Notes: []string{
				"reading back failed on 1 of 1 slot",
				"not done: the dump, reading after reopening",
			},
		},
		why: "nothing was judged at all",
	}, {
		name: "lists fail",
		text: `5 6 final items "s" "" v1.1 ok
			5 6 final items "s" "" v1.2 ok
			5 6 c5 add "s" "" v1.1 ok
			5 7 c6 add "s" "" v1.2 ok
			7 - final items "j" "" - unknown ioerr`,
		want: check.Verdict{State: check.Holds, Notes: []string{
			"reading back failed on 1 of 2 slots", "judged: reading back",
			"not done: the dump, reading after reopening",
		}},
		why: "a list is read by one call, whatever it holds",
	}, {
		name: "wrong already",
		text: `5 6 c1 upsert "s" "k" v1.1 ok
			7 8 c2 get "s" "k" v1.0 ok
			9 10 final get "s" "k" v1.0 ok`,
		want: check.Verdict{
			State:  check.Undecided,
			Reason: "on every slot the operations before are wrong already",
			Notes: []string{
				"judged: reading back", "not done: the dump, reading after reopening",
				"left out: 1 slot on which the operations before are wrong already",
			},
		},
		why: "one fault is counted once",
	},
}

// TestFinalValueSaysWhatWasJudged is about the notes and about reads that are missing.
func TestFinalValueSaysWhatWasJudged(t *testing.T) {
	for _, c := range stageCases {
		t.Run(c.name, func(t *testing.T) {
			c.want.Property = check.FinalValue
			got := verdictsOf(parse(t, stageStart+c.text))[check.FinalValue]
			require.Empty(t, cmp.Diff(c.want, got), c.why)
		})
	}
}
