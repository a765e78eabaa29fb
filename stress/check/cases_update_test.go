package check_test

import "memrace/stress/check"

// updateCases are about operations that see a value and put another in its place, or take it.
var updateCases = []orderCase{
	{
		name: "lost update",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 6 c2 update "s" "k" v1.0 v2.0 ok
			4 7 c3 update "s" "k" v1.0 v3.0 ok`,
		want: check.LostUpdate, ops: []int{0, 1, 2},
		sentence: `c3 saw v1.0 and wrote v3.0 in its place, although c2 saw v1.0 and wrote v2.0 ` +
			`in its place too`,
		why: "only one of two can have been the last to see a value",
	}, {
		name: "one after the other",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 6 c2 update "s" "k" v1.0 v2.0 ok
			4 7 c3 update "s" "k" v2.0 v3.0 ok
			8 9 c1 get "s" "k" v3.0 ok`,
		why: "each saw what the one before wrote",
	}, {
		name: "taken twice",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 6 c2 take "s" "k" v1.0 ok
			4 7 c3 take "s" "k" v1.0 ok`,
		want: check.TakenTwice, ops: []int{0, 1, 2},
		sentence: `c3 took v1.0, although c2 had taken it too`,
		why:      "a value is gone once it is taken",
	}, {
		name: "read after the update",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 update "s" "k" v1.0 v2.0 ok
			5 6 c3 get "s" "k" v1.0 ok`,
		want: check.StaleRead, ops: []int{0, 1, 2},
		sentence: `c3 read v1.0 although c2's update of v1.0 to v2.0 had returned 1ns before c3 ` +
			`asked; v2.0 took the place of v1.0`,
		why: "the update had returned before the read was called",
	}, {
		name: "read after a later update",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 12 c2 update "s" "k" v1.0 v2.0 ok
			4 12 c3 update "s" "k" v2.0 v3.0 ok
			6 7 c4 get "s" "k" v3.0 ok
			8 9 c5 get "s" "k" v1.0 ok`,
		want: check.StaleRead, ops: []int{0, 1, 2, 3, 4},
		sentence: `c5 read v1.0 although c4 read v3.0 and that had returned 1ns before c5 ` +
			`asked; v3.0 comes after v1.0 by updates, each of which saw the value before`,
		why: "two updates stand between the two reads",
	}, {
		name: "read after the take",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 take "s" "k" v1.0 ok
			5 6 c3 get "s" "k" v1.0 ok`,
		want: check.ResurrectedValue, ops: []int{0, 1, 2},
		sentence: `c3 read v1.0 although c2 took v1.0 and that had returned 1ns before c3 asked`,
		why:      "it had been taken",
	}, {
		name: "read before the update",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c3 get "s" "k" v2.0 ok
			5 6 c2 update "s" "k" v1.0 v2.0 ok`,
		want: check.ReadFromFuture, ops: []int{1, 2},
		sentence: `c3 read v2.0 and returned 1ns before c2 began to write it`,
		why:      "nobody can see what is not written yet",
	}, {
		name: "made twice",
		text: `1 6 c1 update "s" "k" - v1.0 ok
			2 7 c2 update "s" "k" - v2.0 ok`,
		want: check.LostUpdate, ops: []int{0, 1},
		sentence: `c1 saw nothing and wrote v1.0, and c2 saw nothing and wrote v2.0 too, ` +
			`although no delete can have come between`,
		why: "one of the two must have seen what the other wrote",
	}, {
		name: "made although there was something",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 update "s" "k" - v2.0 ok`,
		want: check.LostValue, ops: []int{0, 1},
		sentence: `c2 saw nothing and wrote v2.0 although c1's write of v1.0 had returned 1ns ` +
			`before c2 asked, and no delete can have come between`,
		why: "it should have seen v1.0",
	}, {
		name: "made once more after a delete",
		text: `1 2 c1 update "s" "k" - v1.0 ok
			3 4 c1 delete "s" "k" - ok
			5 6 c2 update "s" "k" - v2.0 ok`,
		why: "a delete explains why there was nothing",
	}, {
		name: "unknown update that was seen",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 - c2 update "s" "k" v1.0 v2.0 unknown
			5 6 c3 get "s" "k" v2.0 ok
			7 8 c3 get "s" "k" v1.0 ok`,
		want: check.StaleRead, ops: []int{0, 1, 2, 3},
		sentence: `c3 read v1.0 although c3 read v2.0 and that had returned 1ns before c3 ` +
			`asked; v2.0 took the place of v1.0`,
		why: "the read of its value shows that it took effect",
	}, {
		name: "unknown update that nobody saw",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 - c2 update "s" "k" v1.0 v2.0 unknown
			4 5 c3 update "s" "k" v1.0 v3.0 ok
			7 8 c3 get "s" "k" v3.0 ok`,
		why: "it need not have taken effect",
	}, {
		name: "write under way that an update has replaced",
		text: `5 10 c3 upsert "s" "k" v1.3 ok
			7 7 c2 update "s" "k" v1.3 v1.2 ok
			8 12 c6 get "s" "k" - ok`,
		want: check.LostValue, ops: []int{0, 1, 2},
		sentence: `c6 found nothing although c2's write of v1.2 had returned 1ns before c6 ` +
			`asked, and no delete can have come between`,
		why: "the write had not returned, but the update that saw its value had",
	}, {
		name: "circle",
		text: `1 9 c1 update "s" "k" v2.0 v1.0 ok
			1 9 c2 update "s" "k" v1.0 v2.0 ok`,
		want: check.NotLinearizable, ops: []int{0, 1},
		sentence: `no order of 2 operations gives each read the value that it returned`,
		why:      "each would have to be first",
	}, {
		name: "a chain across a delete",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 12 c2 update "s" "k" v1.0 v2.0 ok
			4 5 c3 delete "s" "k" - ok
			6 7 c4 get "s" "k" v1.0 ok`,
		want: check.ResurrectedValue, ops: []int{0, 2, 3},
		sentence: `c4 read v1.0, which c1 wrote, although c3's delete had returned 1ns before ` +
			`c4 asked, and c1's write of it had returned before that delete began`,
		why: "the delete came in between",
	},
}
