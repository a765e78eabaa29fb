package check_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store"

	"memrace/stress/check"
	"memrace/stress/history"
)

// snapshotCase is a history of the session s, perhaps with the commits of its store, and the first
// violation of snapshots, if there is one.
type snapshotCase struct {
	name, text, commits string
	want                check.Anomaly // empty: it is right
	state               check.State   // if it is neither right nor wrong
	ops                 []int
	sentence            string
	why                 string
}

var snapshotCases = []snapshotCase{
	{
		name: "read skew",
		text: `1 90 c1 upsert "s" "x" v1.0 ok
			1 90 c2 upsert "s" "y" v2.0 ok
			10 20 c3 list "s" "x" v1.0 ok
			10 20 c3 list "s" "y" - ok
			10 20 c4 list "s" "x" - ok
			10 20 c4 list "s" "y" v2.0 ok`,
		want: check.ReadSkew, ops: []int{0, 1, 2, 3, 4, 5},
		sentence: `no order of these calls on session "s" is possible: c3's list found v1.0 in ` +
			`"x", so it came after c1 wrote that; c3's list found nothing in "y", so it came ` +
			`before c2 wrote v2.0 there; c4's list found v2.0 in "y", so it came after c2 wrote ` +
			`that; c4's list found nothing in "x", so it came before c1 wrote v1.0 there`,
		why: "each slot by itself is right: only together the two lists contradict each other",
	}, {
		name: "two lists that agree",
		text: `1 90 c1 upsert "s" "x" v1.0 ok
			1 90 c2 upsert "s" "y" v2.0 ok
			10 20 c3 list "s" "x" v1.0 ok
			10 20 c3 list "s" "y" - ok
			10 20 c4 list "s" "x" - ok
			10 20 c4 list "s" "y" - ok`,
		why: "c4, c1, c3, c2",
	}, {
		name: "new value beside an old one",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			3 4 c1 upsert "s" "y" v1.1 ok
			10 50 c3 list "s" "x" v1.0 ok
			10 50 c3 list "s" "y" v2.1 ok
			20 30 c2 upsert "s" "x" v2.0 ok
			32 40 c2 upsert "s" "y" v2.1 ok`,
		want: check.ReadSkew, ops: []int{0, 2, 3, 4, 5},
		why: "v2.1 was never there without v2.0, since the same client wrote it afterwards",
	}, {
		name: "a clear by halves",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			3 4 c1 upsert "s" "y" v1.1 ok
			10 90 c2 clear "s" "x" - ok
			10 90 c2 clear "s" "y" - ok
			20 30 c3 list "s" "x" - ok
			20 30 c3 list "s" "y" v1.1 ok`,
		want: check.ReadSkew, ops: []int{0, 1, 2, 3, 4, 5},
		sentence: `no order of 4 calls on session "s" gives each what it saw: c1's upsert of ` +
			`v1.0; c1's upsert of v1.1; c2's clear; c3's list found nothing in "x" and v1.1 in "y"`,
		why: "both go at one instant",
	}, {
		name: "a clear that may have been",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			3 4 c1 upsert "s" "y" v1.1 ok
			10 - c2 clear "s" "x" - unknown
			10 - c2 clear "s" "y" - unknown
			20 30 c3 list "s" "x" v1.0 ok
			20 30 c3 list "s" "y" v1.1 ok
			40 50 c3 list "s" "x" - ok
			40 50 c3 list "s" "y" - ok`,
		why: "it took effect after 20, long after nobody waited for it any more",
	}, {
		name: "a key twice",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			1 9 c2 upsert "s" "x" v2.0 ok
			10 20 c3 list "s" "x" v1.0 ok
			10 20 c3 list "s" "y" - ok
			10 20 c3 list "s" "x" v2.0 ok`,
		state: check.Undecided,
		why:   "as two reads they contradict each other, which linearizability says",
	}, {
		name: "a key twice with one value",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			10 20 c3 list "s" "x" v1.0 ok
			10 20 c3 list "s" "x" v1.0 ok`,
		want: check.DuplicateRow, ops: []int{1, 2},
		sentence: `c3's list of session "s" has key "x" twice, with v1.0 and v1.0`,
		why:      "as two reads there would be nothing wrong with them",
	}, {
		name: "a slot by itself is wrong",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			10 20 c3 list "s" "x" - ok
			10 20 c3 list "s" "y" - ok`,
		state: check.Undecided,
		why:   "linearizability says it, and says it better",
	}, {
		name: "no list",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			3 4 c1 clear "s" "x" - ok`,
		state: check.Undecided,
		why:   "nobody looked",
	}, {
		name:  "nothing whole",
		text:  `1 2 c1 upsert "s" "x" v1.0 ok`,
		state: check.Skipped,
		why:   "slots are the business of others",
	}, {
		name: "written again",
		text: `1 2 c1 upsert "s" "x" "a" ok
			3 4 c1 upsert "s" "x" v1.1 ok
			5 6 c1 upsert "s" "x" "a" ok
			7 8 c2 list "s" "x" "a" ok`,
		why: "a value that is written twice may come back",
	}, {
		name: "wrong in the end",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			3 4 c1 list "s" "x" v1.0 ok
			5 6 final get "s" "x" - ok`,
		why: "what is read after the workload is the business of final",
	}, {
		name: "what others accuse",
		text: `1 2 c1 upsert "other" "x" v1.0 ok
			3 4 c2 upsert "s" "y" v2.0 ok
			5 6 c1 list "s" "x" v1.0 ok
			5 6 c1 list "s" "y" v2.0 ok`,
		why: "isolation says what is wrong with v1.0; without it the list is right",
	}, {
		name: "written twice",
		text: `1 90 c1 upsert "s" "x" "a" ok
			1 90 c2 upsert "s" "y" v2.0 ok
			1 5 c5 upsert "s" "x" "a" ok
			10 20 c3 list "s" "x" "a" ok
			10 20 c3 list "s" "y" - ok
			30 40 c4 list "s" "x" - ok
			30 40 c4 list "s" "y" v2.0 ok
			10 35 c6 delete "s" "x" - ok`,
		why: "c5 or c1, c3, c6, c2, c4: values that repeat leave it to the search",
	},
}

func TestSnapshots(t *testing.T) {
	for _, c := range snapshotCases {
		t.Run(c.name, func(t *testing.T) { c.run(t, history.Evidence{History: parse(t, c.text)}) })
	}
	for _, c := range journaledCases {
		t.Run("journaled/"+c.name, func(t *testing.T) {
			h := parse(t, c.text)
			c.run(t, history.Evidence{
				History: h, Journaled: true, Commits: commitsOf(h, c.commits),
			})
		})
	}
}

func (c snapshotCase) run(t *testing.T, e history.Evidence) {
	want := check.Verdict{Property: check.Snapshot, State: c.state}
	switch {
	case c.want != "":
		want.State, want.Count = check.Violated, 1
	case c.state == check.Skipped && c.name != "nothing whole":
		want.State = check.Holds
	}
	got := check.Verdict{Property: check.Snapshot, State: check.Skipped} // if there is none
	for _, v := range check.Judge(context.Background(), e, check.Options{}) {
		if v.Property == check.Snapshot {
			got = v
		}
	}
	violations := got.Violations
	got.Violations, got.Notes, got.Reason = nil, nil, ""
	require.Empty(t, cmp.Diff(want, got), c.why)
	if c.want == "" {
		return
	}
	v := violations[0]
	require.Equal(t, c.want, v.Anomaly, c.why)
	require.Equal(t, c.ops, v.Ops, "%s: %s", c.why, v.Sentence)
	if c.sentence != "" {
		require.Equal(t, c.sentence, v.Sentence)
	}
	if !e.Journaled && v.Anomaly == check.ReadSkew {
		again, wrong := check.ExplainSnapshot(e.History, v.Ops)
		require.True(t, wrong, "what a violation rests on is wrong by itself")
		require.Empty(t, cmp.Diff(v, again))
	}
}

// commitsOf reads commits such as "x=v1.0 | x=- y=-", transactions of keys of the session s.
func commitsOf(h *history.History, text string) (commits []store.Commit) {
	for i, transaction := range strings.Split(text, "|") {
		for _, change := range strings.Fields(transaction) {
			name, value, _ := strings.Cut(change, "=")
			session, key, other := strings.Cut(name, "/")
			if !other {
				session, key = "s", name
			}
			c := store.Commit{Transaction: int64(i), Session: session, Key: key}
			if c.Deleted = value == "-"; !c.Deleted {
				c.Value = tagText(h, value)
			}
			commits = append(commits, c)
		}
	}
	return commits
}

// tagText returns what the store holds for a value such as v1.0.
func tagText(h *history.History, value string) string {
	var client, step uint32
	for id, v := range h.Values {
		if h.Text(history.ValueID(id)) == value {
			c, s, _ := v.Tag()
			client, step = uint32(c), s
		}
	}
	tag := history.Tag{Client: history.Client(client), Step: step}
	return string(tag.Append(nil, 0))
}
