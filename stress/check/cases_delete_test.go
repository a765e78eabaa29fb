package check_test

import "memrace/stress/check"

// deleteCases are about what is missing, and what is there although it was deleted.
var deleteCases = []orderCase{
	{
		name: "value gone",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 get "s" "k" - ok`,
		want: check.LostValue, ops: []int{0, 1},
		sentence: `c2 found nothing although c1's write of v1.0 had returned 1ns before c2 ` +
			`asked, and no delete can have come between`,
		why: "there is no delete at all",
	}, {
		name: "value gone and back",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			1 9 c3 delete "s" "k" - ok
			3 4 c2 get "s" "k" - ok
			5 6 c2 get "s" "k" v1.0 ok`,
		want: check.LostValue, ops: []int{0, 2, 3},
		sentence: `c2 found nothing although c1's write of v1.0 had returned 1ns before c2 ` +
			`asked, and after that c2 read v1.0`,
		why: "the delete could explain the miss, but not that the value came back",
	}, {
		name: "gap of a replacement",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 8 c1 upsert "s" "k" v1.1 ok
			4 5 c2 get "s" "k" - ok`,
		want: check.LostValue, ops: []int{0, 2},
		sentence: `c2 found nothing although c1's write of v1.0 had returned 2ns before c2 ` +
			`asked, and no delete can have come between`,
		why: "an upsert leaves no moment at which there is nothing",
	}, {
		name: "miss before the first write",
		text: `1 2 c2 get "s" "k" - ok
			3 4 c1 upsert "s" "k" v1.0 ok`,
		why: "a slot starts empty",
	}, {
		name: "miss while the first write is under way",
		text: `1 9 c1 upsert "s" "k" v1.0 ok
			2 3 c2 get "s" "k" - ok
			4 5 c2 get "s" "k" v1.0 ok`,
		why: "the write took effect between the two",
	}, {
		name: "delete before the write",
		text: `1 2 c3 delete "s" "k" - ok
			3 4 c1 upsert "s" "k" v1.0 ok
			5 6 c2 get "s" "k" - ok`,
		want: check.LostValue, ops: []int{1, 2},
		sentence: `c2 found nothing although c1's write of v1.0 had returned 1ns before c2 ` +
			`asked, and no delete can have come between`,
		why: "the delete is too early to explain anything",
	}, {
		name: "delete after the miss",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 get "s" "k" - ok
			5 6 c3 delete "s" "k" - ok`,
		want: check.LostValue, ops: []int{0, 1},
		sentence: `c2 found nothing although c1's write of v1.0 had returned 1ns before c2 ` +
			`asked, and no delete can have come between`,
		why: "the delete is too late",
	}, {
		name: "delete that touches the miss",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 get "s" "k" - ok
			4 6 c3 delete "s" "k" - ok`,
		why: "intervals are closed",
	}, {
		name: "one delete for two misses",
		text: `1 90 c9 delete "s" "k" - ok
			2 3 c1 upsert "s" "k" v1.0 ok
			4 5 c2 get "s" "k" - ok
			6 7 c1 upsert "s" "k" v1.1 ok
			8 9 c3 get "s" "k" - ok`,
		want: check.LostValue, ops: []int{0, 1, 2, 3, 4},
		sentence: `c3 found nothing although c1's write of v1.1 had returned 1ns before c3 ` +
			`asked, and c9's delete cannot explain both that and what c2 missed`,
		why: "a delete takes effect once",
	}, {
		name: "two deletes for two misses",
		text: `1 90 c9 delete "s" "k" - ok
			1 5 c8 delete "s" "k" - ok
			2 3 c1 upsert "s" "k" v1.0 ok
			4 5 c2 get "s" "k" - ok
			6 7 c1 upsert "s" "k" v1.1 ok
			8 9 c3 get "s" "k" - ok`,
		why: "the one that ends first must explain the first miss",
	}, {
		name: "resurrected delete",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 4 c2 delete "s" "k" - ok
			5 6 c3 get "s" "k" v1.0 ok`,
		want: check.ResurrectedValue, ops: []int{0, 1, 2},
		sentence: `c3 read v1.0, which c1 wrote, although c2's delete had returned 1ns before ` +
			`c3 asked, and c1's write of it had returned before that delete began`,
		why: "the delete must have removed the value",
	}, {
		name: "resurrected after a read",
		text: `1 9 c1 upsert "s" "k" v1.0 ok
			2 3 c4 get "s" "k" v1.0 ok
			4 5 c2 delete "s" "k" - ok
			6 7 c3 get "s" "k" v1.0 ok`,
		want: check.ResurrectedValue, ops: []int{0, 1, 2, 3},
		sentence: `c3 read v1.0, which c1 wrote, although c2's delete had returned 1ns before ` +
			`c3 asked, and c4 had read it before that delete began`,
		why: "the write is still under way, but a read shows that it has taken effect",
	}, {
		name: "delete at once with the write",
		text: `1 4 c1 upsert "s" "k" v1.0 ok
			2 5 c2 delete "s" "k" - ok
			6 7 c3 get "s" "k" v1.0 ok`,
		why: "the delete may have come first",
	}, {
		name: "read at once with the delete",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 6 c2 delete "s" "k" - ok
			4 9 c3 get "s" "k" v1.0 ok
			5 8 c4 get "s" "k" - ok`,
		why: "one may have come before the delete, the other after it",
	}, {
		name: "miss that ends as a zone does",
		text: `1 2 c1 upsert "s" "k" v1.0 ok
			3 10 c3 get "s" "k" - ok
			4 5 c1 upsert "s" "k" v1.1 ok
			6 12 c2 delete "s" "k" - ok
			10 11 c4 get "s" "k" v1.1 ok`,
		why: "read, delete and miss may all have taken effect at 10, one after the other",
	}, {
		name: "value that is read as the miss ends",
		text: `3 8 c2 delete "s" "k" - ok
			4 5 c1 upsert "s" "k" v1.0 ok
			6 10 c3 get "s" "k" - ok
			10 11 c4 get "s" "k" v1.0 ok`,
		want: check.LostValue, ops: []int{1, 2, 3},
		sentence: `c3 found nothing although c1's write of v1.0 had returned 1ns before c3 ` +
			`asked, and no delete can have come between`,
		why: "the delete was done by 8, and the value was there until 10",
	},
}
