package check_test

import "memrace/stress/check"

// orderCases are histories of the slot s, k with the verdicts on their order, without deletes.
var orderCases = []orderCase{
	{
		name: "one after the other",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 get "s" "k" v1.0 ok`,
		why: "the plainest history of all",
	}, {
		name: "stale read",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 upsert "s" "k" v2.0 ok
			5 6 c3 get "s" "k" v1.0 ok`,
		want: check.StaleRead, ops: []int{0, 1, 2},
		sentence: `c3 read v1.0, which c1 wrote, although c2's overwrite v2.0 had returned 1ns ` +
			`before c3 asked`,
		why: "the overwrite was there for all to see",
	}, {
		name: "stale read that touches the overwrite",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 5 c2 upsert "s" "k" v2.0 ok
			5 6 c3 get "s" "k" v1.0 ok`,
		why: "intervals are closed: the read may have come first",
	}, {
		name: "writes at once, read in two orders",
		text: `1 20 c1 upsert "s" "k" v1.0 ok
			1 20 c2 upsert "s" "k" v2.0 ok
			10 11 c3 get "s" "k" v1.0 ok
			12 13 c3 get "s" "k" v2.0 ok
			14 15 c4 get "s" "k" v1.0 ok`,
		want: check.StaleRead, ops: []int{0, 1, 2, 3, 4},
		sentence: `c4 read v1.0, which c1 wrote, although c3 had read c2's overwrite v2.0 1ns ` +
			`before c4 asked; v1.0 came first, since c3 had read it before c3 asked and got v2.0`,
		why: "a value that was overwritten does not come back",
	}, {
		name: "writes at once, read in one order",
		text: `1 9 c1 upsert "s" "k" v1.0 ok
			1 9 c2 upsert "s" "k" v2.0 ok
			2 3 c3 get "s" "k" v2.0 ok
			4 5 c3 get "s" "k" v1.0 ok`,
		why: "reads during both writes settle their order",
	}, {
		name: "lost update",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 upsert "s" "k" v2.0 ok
			5 6 c3 get "s" "k" v1.0 ok
			7 8 c4 get "s" "k" v1.0 ok`,
		want: check.LostUpdate, ops: []int{0, 1, 2},
		sentence: `c3 read v1.0, which c1 wrote, although c2's overwrite v2.0 had returned ` +
			`1ns before c3 asked; nobody ever read v2.0`,
		why: "two clients still read the old value and none the new one: that is no stale read",
	}, {
		name: "overwrite that was read at once",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 9 c5 get "s" "k" v2.0 ok
			4 5 c2 upsert "s" "k" v2.0 ok
			10 11 c3 get "s" "k" v1.0 ok
			12 13 c4 get "s" "k" v1.0 ok`,
		want: check.StaleRead, ops: []int{0, 2, 3},
		sentence: `c3 read v1.0, which c1 wrote, although c2's overwrite v2.0 had returned 5ns ` +
			`before c3 asked`,
		why: "c5, which asked before the write began, did read it, so it was not lost",
	}, {
		name: "read before its write",
		text: `1 2 c2 get "s" "k" v1.0 ok
			3 4 c1 upsert "s" "k" v1.0 ok`,
		want: check.ReadFromFuture, ops: []int{0, 1},
		sentence: `c2 read v1.0 and returned 1ns before c1 began to write it`,
		why:      "nobody can know a value before it is written",
	}, {
		name: "read that began before its write",
		text: `1 4 c2 get "s" "k" v1.0 ok
			3 6 c1 upsert "s" "k" v1.0 ok`,
		why: "they overlap, so the write may have come first",
	}, {
		name: "read that ends as its write begins",
		text: `1 3 c2 get "s" "k" v1.0 ok
			3 4 c1 upsert "s" "k" v1.0 ok`,
		why: "intervals are closed",
	},
}
