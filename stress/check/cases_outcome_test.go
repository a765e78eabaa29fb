package check_test

import "memrace/stress/check"

// outcomeCases are about outcomes that are not ok, and about values that repeat.
var outcomeCases = []orderCase{
	{
		name: "unknown write that is read later",
		text: `1 - c1 upsert "s" "k" v1.0 unknown
			2 3 c2 upsert "s" "k" v2.0 ok
			4 5 c3 get "s" "k" v2.0 ok
			6 7 c3 get "s" "k" v1.0 ok`,
		why: "it may take effect at any time after its call",
	}, {
		name: "unknown write that nobody reads",
		text: `1 - c1 upsert "s" "k" v1.0 unknown
			2 3 c2 get "s" "k" - ok
			4 5 c2 get "s" "k" - ok`,
		why: "it may never take effect",
	}, {
		name: "unknown write that comes and goes",
		text: `1 - c1 upsert "s" "k" v1.0 unknown
			2 3 c2 get "s" "k" v1.0 ok
			4 5 c2 get "s" "k" - ok`,
		want: check.LostValue, ops: []int{0, 1, 2},
		sentence: `c2 found nothing although c2 had read v1.0 1ns before c2 asked, and no ` +
			`delete can have come between`,
		why: "once it was read, it has taken effect",
	}, {
		name: "unknown delete explains a miss",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 - c2 delete "s" "k" - unknown
			90 91 c3 get "s" "k" - ok`,
		why: "it may have taken effect, however late",
	}, {
		name: "unknown delete explains nothing",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 - c2 delete "s" "k" - unknown
			90 91 c3 get "s" "k" v1.0 ok`,
		why: "it need not take effect",
	}, {
		name: "unknown delete takes effect once",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 - c2 delete "s" "k" - unknown
			4 5 c3 get "s" "k" - ok
			6 7 c1 upsert "s" "k" v1.1 ok
			8 9 c3 get "s" "k" - ok`,
		want: check.LostValue, ops: []int{0, 1, 2, 3, 4},
		sentence: `c3 found nothing although c1's write of v1.1 had returned 1ns before c3 ` +
			`asked, and c2's delete cannot explain both that and what c3 missed`,
		why: "nobody knows whether it did, but twice it did not",
	}, {
		name: "unknown delete is kept for later",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 9 c2 delete "s" "k" - ok
			4 - c3 delete "s" "k" - unknown
			5 6 c4 get "s" "k" - ok
			10 11 c1 upsert "s" "k" v1.1 ok
			12 13 c4 get "s" "k" - ok`,
		why: "the delete that must be used soon explains the first miss, the other the second",
	}, {
		name: "miss that has to come before a zone",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 7 c4 get "s" "k" - ok
			4 20 c2 delete "s" "k" - ok
			5 6 c1 upsert "s" "k" v1.1 ok
			8 9 c3 get "s" "k" v1.1 ok`,
		why: "v1.1 was there from 6 to 8, so what c4 missed was deleted by 6",
	}, {
		name: "refused delete",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 delete "s" "k" - not-applied busy
			5 6 c3 get "s" "k" - ok`,
		want: check.LostValue, ops: []int{0, 2},
		sentence: `c3 found nothing although c1's write of v1.0 had returned 3ns before c3 ` +
			`asked, and no delete can have come between`,
		why: "a refused delete has no effect",
	}, {
		name: "refused write leaves the old value",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 upsert "s" "k" v2.0 not-applied locked
			5 6 c3 get "s" "k" v1.0 ok`,
		why: "a refused write overwrites nothing",
	}, {
		name: "read of unknown outcome",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 - c2 get "s" "k" - unknown canceled
			4 5 c3 get "s" "k" v1.0 ok`,
		why: "a read that did not return has found nothing out",
	}, {
		name: "value repeats, right",
		text: `1 2 c1 upsert "s" "k" "x" ok
			3 4 c1 upsert "s" "k" "y" ok
			5 6 c1 upsert "s" "k" "x" ok
			7 8 c2 get "s" "k" "x" ok`,
		why: "the read is of the second x; a search finds that",
	}, {
		name: "value repeats, wrong",
		text: `1 2 c1 upsert "s" "k" "x" ok
			3 4 c1 upsert "s" "k" "x" ok
			5 6 c1 upsert "s" "k" "y" ok
			7 8 c2 get "s" "k" "x" ok`,
		want: check.NotLinearizable, ops: []int{0, 1, 2, 3},
		sentence: `no order of 4 operations gives each read the value that it returned`,
		why:      "whichever x it is, y overwrote it",
	}, {
		name: "value repeats, unread",
		text: `1 2 c1 upsert "s" "k" "x" ok
			3 4 c1 upsert "s" "k" "x" ok
			5 6 c1 upsert "s" "k" "y" ok
			7 8 c2 get "s" "k" "y" ok`,
		why: "what nobody read cannot be mistaken",
	}, {
		name: "value repeats after a refusal",
		text: `1 2 c1 upsert "s" "k" "x" not-applied busy
			3 4 c1 upsert "s" "k" "x" ok
			7 8 c2 get "s" "k" "x" ok`,
		why: "the refused write is none, so the read tells which write it saw",
	},
}

// finalCases are histories with reads after the end of the workload.
var finalCases = []orderCase{
	{
		name: "lost write",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 get "s" "k" v1.0 ok
			5 6 c1 upsert "s" "k" v1.1 ok
			90 91 final get "s" "k" v1.0 ok`,
		want: check.LostWrite, ops: []int{0, 2, 3},
		sentence: `the final read returned v1.0, which c1 wrote, although c1's overwrite v1.1 ` +
			`had returned 84ns before it`,
		why: "the last write was acknowledged and is not there",
	}, {
		name: "lost after reopen",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 get "s" "k" v1.0 ok
			90 91 final get "s" "k" v1.0 ok
			95 96 reopen get "s" "k" - ok`,
		want: check.LostAfterReopen, ops: []int{0, 3},
		sentence: `the read after reopening found nothing although c1's write of v1.0 had ` +
			`returned 93ns before it, and no delete can have come between`,
		why: "it was there until the store was closed",
	}, {
		name: "lost in the dump",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 get "s" "k" v1.0 ok
			90 91 final get "s" "k" v1.0 ok
			92 93 dump get "s" "k" - ok`,
		want: check.LostWrite, ops: []int{0, 3},
		sentence: `the dump found nothing although c1's write of v1.0 had returned 90ns before ` +
			`it, and no delete can have come between`,
		why: "rows say so, whatever reads say",
	}, {
		name: "unknown write shows up after reopen",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 get "s" "k" v1.0 ok
			5 - c3 upsert "s" "k" v3.0 unknown ioerr
			90 91 final get "s" "k" v1.0 ok
			95 96 reopen get "s" "k" v3.0 ok`,
		why: "it may take effect that late",
	}, {
		name: "final value of two writes at once",
		text: `1 9 c1 upsert "s" "k" v1.0 ok
			2 8 c2 upsert "s" "k" v2.0 ok
			10 11 c3 get "s" "k" v1.0 ok
			90 91 final get "s" "k" v2.0 ok`,
		want: check.LostWrite, ops: []int{0, 1, 2, 3},
		sentence: `the final read returned v2.0, which c2 wrote, although c1's overwrite v1.0 ` +
			`had returned 81ns before it; v2.0 came first, since c2's write of it had returned ` +
			`before c3 asked and got v1.0`,
		why: "a read after both settled which of them was last",
	},
}
