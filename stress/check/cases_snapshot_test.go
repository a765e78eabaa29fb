package check_test

import "memrace/stress/check"

var journaledCases = []snapshotCase{
	{
		name: "in order",
		text: `1 90 c1 upsert "s" "x" v1.0 ok
			1 90 c2 upsert "s" "y" v2.0 ok
			10 20 c3 list "s" "x" v1.0 ok
			10 20 c3 list "s" "y" - ok`,
		commits: `x=v1.0 | y=v2.0`,
		why:     "the list is of the moment between the commits",
	}, {
		name: "never at once",
		text: `1 90 c1 upsert "s" "x" v1.0 ok
			1 90 c2 upsert "s" "y" v2.0 ok
			10 20 c3 list "s" "x" v1.0 ok
			10 20 c3 list "s" "y" - ok`,
		commits: `y=v2.0 | x=v1.0`,
		want:    check.ReadSkew, ops: []int{2, 3},
		sentence: `c3's list of session "s" found v1.0 in "x" and nothing in "y", which were ` +
			`never there at once in the order of the commits that the store kept`,
		why: "without the commits nobody could tell",
	}, {
		name: "too late",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			1 9 c2 upsert "s" "x" v2.0 ok
			11 20 c3 list "s" "x" v1.0 ok`,
		commits: `x=v1.0 | x=v2.0`,
		want:    check.StaleRead, ops: []int{1, 2},
		sentence: `c3's list of session "s" found v1.0 in "x", which was there no more at ` +
			`commit 2, and c2's upsert of v2.0, which goes with that commit, had returned 2ns ` +
			`before c3 asked`,
		why: "by the times alone, c2 might have come first",
	}, {
		name: "no commit",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			1 2 c2 upsert "s" "x" v2.0 ok
			11 20 c3 list "s" "x" v2.0 ok`,
		commits: `x=v2.0`,
		want:    check.LostWrite, ops: []int{0},
		sentence: `c1's upsert of v1.0 to session "s", key "x" returned, but among the commits ` +
			`that the store kept there is none of it`,
		why: "whoever acknowledges has committed",
	}, {
		name: "no commit of what was found",
		text: `1 - c1 upsert "s" "x" v1.0 unknown
			11 20 c3 list "s" "x" v1.0 ok`,
		commits: ``,
		want:    check.FailedWriteRead, ops: []int{1},
		sentence: `c3's list found v1.0 in session "s", key "x", and among the commits that the ` +
			`store kept there is none that left it`,
		why: "a read of what was never committed",
	}, {
		name: "commits against time",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			5 6 c2 upsert "s" "y" v2.0 ok
			11 20 c3 list "s" "x" v1.0 ok
			11 20 c3 list "s" "y" v2.0 ok`,
		commits: `y=v2.0 | x=v1.0`,
		want:    check.NotLinearizable, ops: []int{0, 1},
		sentence: `c2's upsert of v2.0 is commit 1 of session "s", although c1's upsert of v1.0, ` +
			`which goes with commit 2, had returned 3ns before c2 asked`,
		why: "c1 was done when c2 began",
	}, {
		name: "half of a transaction",
		text: `1 2 c1 upsert "s" "x" v1.0 ok
			3 4 c1 upsert "s" "y" v1.1 ok
			10 90 c2 clear "s" "x" - ok
			10 90 c2 clear "s" "y" - ok
			20 30 c3 list "s" "x" - ok
			20 30 c3 list "s" "y" v1.1 ok`,
		commits: `x=v1.0 | y=v1.1 | x=- y=-`,
		want:    check.ReadSkew, ops: []int{4, 5},
		sentence: `c3's list of session "s" found nothing in "x" and v1.1 in "y", which were ` +
			`never there at once in the order of the commits that the store kept`,
		why: "a clear is one commit, although the journal has a line for each key",
	}, {
		name: "two writes in one commit",
		text: `1 9 c1 upsert "s" "x" v1.0 ok
			1 9 c2 upsert "s" "x" v2.0 ok
			10 20 c3 list "s" "x" v2.0 ok`,
		commits: `x=v1.0 x=v2.0`,
		why:     "the first was overwritten before anybody could see it; it is committed",
	}, {
		name: "a value that its own commit overwrote",
		text: `1 9 c1 upsert "s" "x" v1.0 ok
			1 9 c2 upsert "s" "x" v2.0 ok
			5 6 c3 list "s" "x" v1.0 ok`,
		commits: `x=v1.0 x=v2.0`,
		want:    check.FailedWriteRead, ops: []int{2},
		sentence: `c3's list found v1.0 in session "s", key "x", and among the commits that the ` +
			`store kept there is none that left it`,
		why: "nobody can have seen it",
	}, {
		name: "before everything",
		text: `1 9 c1 upsert "s" "x" v1.0 ok
			3 4 c3 list "s" "x" - ok
			3 4 c3 list "s" "y" - ok`,
		commits: `x=v1.0`,
		why:     "there is a position before the first commit",
	}, {
		name: "of other sessions",
		text: `1 9 c1 upsert "s" "x" v1.0 ok
			1 9 c2 upsert "other" "x" v2.0 ok
			3 4 c3 list "s" "x" v1.0 ok`,
		commits: `other/x=v2.0 | x=v1.0`,
		why:     "sessions have nothing to do with each other",
	},
}
