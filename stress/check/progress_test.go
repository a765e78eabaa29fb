package check_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/check"
)

const noOverlap = "no two operations of different clients on one slot overlapped, so nothing was " +
	"tried at once; run it with more operations or fewer slots"

var progressCases = []struct {
	name string
	meta string
	text string
	want check.Verdict
	why  string
}{
	{
		name: "upserts never succeed",
		meta: "clients: 2\n",
		text: `1 2 c1 upsert "s" "k" v1.0 not-applied busy
			3 4 c1 upsert "s" "k" v1.1 not-applied locked
			5 6 c1 upsert "s" "k" v1.2 not-applied busy
			7 8 c2 get "s" "k" - ok`,
		want: check.Verdict{
			State: check.Violated, Count: 1, Violations: []check.Violation{{
				Property: check.Progress, Anomaly: check.NothingSucceeds, Slot: check.NoSlot,
				Sentence: "none of 3 upserts succeeded: 2 busy, 1 locked",
			}},
		},
		why: "a store that refuses everything breaks no other promise",
	}, {
		name: "reads succeed only at the end",
		meta: "clients: 2\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 - c2 get "s" "k" - unknown
			5 6 final get "s" "k" v1.0 ok`,
		want: check.Verdict{
			State: check.Violated, Count: 1, Violations: []check.Violation{{
				Property: check.Progress, Anomaly: check.NothingSucceeds, Slot: check.NoSlot,
				Sentence: "none of 1 get succeeded: 1 without a known error",
			}},
		},
		why: "reading back is no part of the workload",
	}, {
		name: "history from elsewhere",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 - c1 update "s" "k" v1.0 v1.1 unknown
			5 6 c2 get "s" "k" v1.1 ok`,
		want: check.Verdict{
			State: check.Undecided, Reason: "none of 1 update succeeded: 1 without a known error",
		},
		why: "nobody says how hard it was tried",
	}, {
		name: "killed in its only delete",
		meta: "clients: 2\nfaults: kill every 1s\nevent: 5 killed, back after 1ms\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			1 4 c2 get "s" "k" v1.0 ok
			3 - c1 delete "s" "k" - unknown exit`,
		want: check.Verdict{State: check.Holds},
		why:  "whoever is killed while deleting cannot answer",
	}, {
		name: "dies in its only delete after it was killed",
		meta: "clients: 2\nfaults: kill every 1s\nevent: 2 killed, back after 1ms\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			1 4 c2 get "s" "k" v1.0 ok
			3 - c1 delete "s" "k" - unknown exit`,
		want: check.Verdict{State: check.Undecided, Reason: "none of 1 delete succeeded: 1 exit; " +
			"perhaps since the store was hurt"},
		why: "that one is not to be blamed on the kill, which came before it was called",
	}, {
		name: "hurt all the time",
		meta: "clients: 2\nfaults: disk full\n",
		text: `1 2 c1 upsert "s" "k" v1.0 not-applied full
			1 4 c2 get "s" "k" - ok`,
		want: check.Verdict{State: check.Undecided, Reason: "none of 1 upsert succeeded: 1 full; " +
			"perhaps since the store was hurt"},
		why: "that a full disk takes no writes is no fault of the store",
	}, {
		name: "panics now and then",
		meta: "clients: 2\nfaults: kill every 1s\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			1 4 c2 get "s" "k" v1.0 ok
			3 - c1 upsert "s" "k" v1.1 unknown panic`,
		want: check.Verdict{
			State: check.Violated, Count: 1, Violations: []check.Violation{{
				Property: check.Progress, Anomaly: check.Panic, Slot: 0, Ops: []int{2},
				Sentence: "1 call panicked: the first of them is upsert of c1",
			}},
		},
		why: "that is never an answer, whatever was done to the store",
	}, {
		name: "canceled in its only delete",
		meta: "clients: 2\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			1 4 c2 get "s" "k" v1.0 ok
			3 - c1 delete "s" "k" - unknown canceled`,
		want: check.Verdict{State: check.Holds},
		why:  "nobody waited for it",
	}, {
		name: "nothing could be asked",
		meta: "clients: 2\n",
		text: `1 2 c1 upsert "s" "k" v1.0 not-applied protocol
			1 4 c2 get "s" "k" - not-applied protocol`,
		want: check.Verdict{
			State: check.Undecided, Reason: "no call of a client was answered by the store",
		},
		why: "a child that keeps lists alone has no upsert to fail",
	}, {
		name: "hangs while it is hurt",
		meta: "clients: 2\nfaults: hold write lock 11s every 12s\nhang: no call returned\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			1 4 c2 get "s" "k" v1.0 ok`,
		want: check.Verdict{State: check.Undecided,
			Reason: "no call returned; perhaps since the store was hurt"},
		why: "who waits for a lock that another holds does what is right",
	}, {
		name: "hangs after it was killed",
		meta: "clients: 2\nfaults: kill every 1s\nhang: no call returned\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			1 4 c2 get "s" "k" v1.0 ok`,
		want: check.Verdict{
			State: check.Violated, Count: 1, Violations: []check.Violation{{
				Property: check.Progress, Anomaly: check.Hang, Slot: check.NoSlot,
				Sentence: "no call returned",
			}},
		},
		why: "that one came back, and had nothing to wait for",
	}, {
		name: "reads alone",
		text: `1 2 c1 get "s" "k" - ok
			3 4 c2 get "s" "k" - ok`,
		want: check.Verdict{
			State:  check.Undecided,
			Reason: "no client wrote anything, so there was nothing to get wrong",
		},
		why: "a store that keeps nothing would look the same",
	}, {
		name: "hang",
		meta: "hang: c3 waits in Upsert for 10s\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok`,
		want: check.Verdict{
			State: check.Violated, Count: 1, Violations: []check.Violation{{
				Property: check.Progress, Anomaly: check.Hang, Slot: check.NoSlot,
				Sentence: "c3 waits in Upsert for 10s",
			}},
		},
		why: "whoever made the history saw it",
	}, {
		name: "no overlap",
		meta: "clients: 2\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 upsert "s" "k" v2.0 ok
			1 9 c3 upsert "s" "j" v3.0 ok
			1 - c4 upsert "s" "k" v4.0 unknown`,
		want: check.Verdict{State: check.Undecided, Reason: noOverlap},
		why:  "what is never at once proves nothing about concurrency",
	}, {
		name: "no overlap but with itself",
		meta: "clients: 2\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			2 3 c1 upsert "s" "k" v1.1 ok
			4 5 c2 upsert "s" "k" v2.0 ok`,
		want: check.Verdict{State: check.Undecided, Reason: noOverlap},
		why:  "a client that calls again as soon as it can is still one client",
	}, {
		name: "overlap within",
		meta: "clients: 2\n",
		text: `1 8 c1 upsert "s" "k" v1.0 ok
			2 3 c2 upsert "s" "k" v2.0 ok`,
		want: check.Verdict{State: check.Holds},
		why:  "one is within the other",
	}, {
		name: "long before, many between",
		meta: "clients: 2\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 7 c1 upsert "s" "k" v1.1 ok
			7 9 c2 upsert "s" "k" v2.0 ok`,
		want: check.Verdict{State: check.Holds},
		why:  "those that touch are concurrent",
	}, {
		name: "whole calls",
		meta: "clients: 2\n",
		text: `1 2 c1 add "s" "" v1.0 ok
			3 - c2 items "s" "" - unknown
			3 4 c3 list "s" "k" - not-applied busy
			3 4 c3 list "s" "j" - not-applied busy
			5 6 c3 list "s" "k" - not-applied busy
			5 6 c3 list "s" "j" - not-applied busy
			7 8 c1 get "s" "k" - ok
			7 8 c4 clear "s" "k" - not-applied busy
			7 8 c4 clear "s" "j" - not-applied busy`,
		want: check.Verdict{
			State: check.Violated, Count: 3, Violations: []check.Violation{{
				Property: check.Progress, Anomaly: check.NothingSucceeds, Slot: check.NoSlot,
				Sentence: "none of 2 lists succeeded: 2 busy",
			}, {
				Property: check.Progress, Anomaly: check.NothingSucceeds, Slot: check.NoSlot,
				Sentence: "none of 1 clear succeeded: 1 busy",
			}, {
				Property: check.Progress, Anomaly: check.NothingSucceeds, Slot: check.NoSlot,
				Sentence: "none of 1 items call succeeded: 1 without a known error",
			}},
		},
		why: "a call counts once, whatever it has to do with; a get makes no list succeed",
	}, {
		name: "adds alone",
		meta: "clients: 2\n",
		text: `1 3 c1 add "s" "" v1.0 not-applied busy
			2 4 c2 items "s" "" - ok`,
		want: check.Verdict{
			State: check.Violated, Count: 1, Violations: []check.Violation{{
				Property: check.Progress, Anomaly: check.NothingSucceeds, Slot: check.NoSlot,
				Sentence: "none of 1 add succeeded: 1 busy",
			}},
		},
		why: "an empty list is read in vain",
	}, {
		name: "a read of several items overlaps nobody",
		meta: "clients: 2\n",
		text: `1 2 c1 add "s" "" v1.0 ok
			3 4 c1 add "s" "" v1.1 ok
			5 6 c2 items "s" "" v1.0 ok
			5 6 c2 items "s" "" v1.1 ok`,
		want: check.Verdict{State: check.Undecided, Reason: noOverlap},
		why:  "its lines are one call",
	}, {
		name: "whole call that overlaps on its second slot",
		meta: "clients: 2\n",
		text: `1 9 c1 list "s" "j" - ok
			1 9 c1 list "s" "k" - ok
			2 3 c2 upsert "s" "k" v2.0 ok`,
		want: check.Verdict{State: check.Holds},
		why:  "it is on all of them",
	}, {
		name: "one client alone",
		meta: "clients: 1\n",
		text: `1 2 c1 upsert "s" "k" v1.0 ok`,
		want: check.Verdict{State: check.Holds},
		why:  "one client cannot overlap with others",
	},
}

func TestProgress(t *testing.T) {
	for _, c := range progressCases {
		t.Run(c.name, func(t *testing.T) {
			h := parse(t, "memrace-history 1\n"+c.meta+"\n"+c.text)
			c.want.Property = check.Progress
			require.Empty(t, cmp.Diff(c.want, verdictsOf(h)[check.Progress]), c.why)
		})
	}
}

func TestCallThatIsNeverAnswered(t *testing.T) {
	v := verdictsOf(parse(t, `memrace-history 1
		clients: 2
		1 5 c1 upsert "s" "k" v1.0 ok
		2 - c2 upsert "s" "k" v2.0 unknown hang
		6 - c1 list "s" "k" - unknown hang
		6 - c1 list "s" "l" - unknown hang
		7 9 c3 get "s" "k" v1.0 ok`))[check.Progress]
	require.Equal(t, check.Violated, v.State)
	hangs := 0
	for _, one := range v.Violations {
		if one.Anomaly == check.Hang {
			hangs++
			require.Equal(t, "2 calls never came back: upsert of c2", one.Sentence)
		}
	}
	require.Equal(t, 1, hangs)
}
