package check_test

import "memrace/stress/check"

// listStart is a list of two items.
const listStart = `1 2 c1 add "s" "" v1.0 ok
	3 4 c2 add "s" "" v2.0 ok
	`

// listCases are histories of the list of the session s with the verdicts on their order.
var listCases = []orderCase{
	{
		name: "items in order",
		text: listStart + `5 6 c3 items "s" "" v1.0 ok
			5 6 c3 items "s" "" v2.0 ok`,
		why: "the plainest list of all",
	}, {
		name: "list that lacks what another has",
		text: listStart + `5 6 c3 items "s" "" v1.0 ok
			7 8 c4 items "s" "" v1.0 ok
			7 8 c4 items "s" "" v2.0 ok`,
		want: check.StaleRead, ops: []int{1, 2},
		sentence: `c3's list ends with v1.0 and lacks v2.0, which c2 had added 1ns before c3 asked`,
		why:      "a later read has it: it came late and is not lost",
	}, {
		name: "list that shrinks and grows",
		text: `1 9 c1 add "s" "" v1.0 ok
			2 3 c2 items "s" "" v1.0 ok
			4 5 c3 items "s" "" - ok
			6 7 c4 items "s" "" v1.0 ok`,
		want: check.StaleRead, ops: []int{1, 2},
		sentence: `c3's list is empty and lacks v1.0, which c2 had read 1ns before c3 asked`,
		why:      "the add had not returned, but its item had been read",
	}, {
		name: "list that shrinks",
		text: `1 9 c1 add "s" "" v1.0 ok
			2 3 c2 items "s" "" v1.0 ok
			4 5 c3 items "s" "" - ok`,
		want: check.LostItem, ops: []int{1, 2},
		sentence: `c3's list is empty and lacks v1.0, which c2 had read 1ns before c3 asked`,
		why:      "no read after that has it",
	}, {
		name: "item that nobody ever read",
		text: listStart + `5 6 c3 items "s" "" v2.0 ok`,
		want: check.LostItem, ops: []int{0, 1, 2},
		sentence: `c3's list has v2.0 and lacks v1.0, although c1 had added v1.0 1ns before c2 ` +
			`began to add v2.0; nobody ever read v1.0`,
		why: "it must stand before v2.0, wherever it is read",
	}, {
		name: "item that was written over",
		text: `1 4 c1 add "s" "" v1.0 ok
			1 4 c2 add "s" "" v2.0 ok
			5 6 c3 items "s" "" v2.0 ok`,
		want: check.LostItem, ops: []int{0, 2},
		sentence: `c3's list ends with v2.0 and lacks v1.0, which c1 had added 1ns before c3 ` +
			`asked; nobody ever read v1.0`,
		why: "two adds at once took one place",
	}, {
		name: "items at once, unread",
		text: `1 9 c1 add "s" "" v1.0 ok
			1 9 c2 add "s" "" v2.0 ok
			5 6 c3 items "s" "" v2.0 ok
			7 8 c4 items "s" "" v2.0 ok`,
		why: "what is under way may come later, and need not be read",
	}, {
		name: "lists that touch their adds",
		text: `1 5 c1 add "s" "" v1.0 ok
			5 6 c3 items "s" "" - ok
			6 7 c1 add "s" "" v1.1 ok
			7 8 c4 items "s" "" v1.0 ok`,
		why: "intervals are closed",
	}, {
		name: "unknown adds",
		text: `1 - c1 add "s" "" v1.0 unknown
			2 - c2 add "s" "" v2.0 unknown
			3 4 c3 items "s" "" - ok
			5 6 c4 items "s" "" v2.0 ok`,
		why: "one took effect late and the other, for all that is known, never",
	}, {
		name: "doubled item",
		text: listStart + `5 6 c3 items "s" "" v1.0 ok
			5 6 c3 items "s" "" v2.0 ok
			5 6 c3 items "s" "" v1.0 ok`,
		want: check.DoubledItem, ops: []int{0, 2, 4},
		sentence: `c3's list has v1.0 twice, as its items 1 and 3, although c1 added it once`,
		why:      "each client says how often it adds",
	}, {
		name: "items in the order of their adds",
		text: `1 9 c1 add "s" "" v1.0 ok
			1 9 c2 add "s" "" v2.0 ok
			10 11 c3 items "s" "" v2.0 ok
			10 11 c3 items "s" "" v1.0 ok`,
		why: "of two adds at once either may be first",
	}, {
		name: "items against the order of their adds",
		text: listStart + `5 6 c3 items "s" "" v2.0 ok
			5 6 c3 items "s" "" v1.0 ok`,
		want: check.ReorderedItems, ops: []int{0, 1, 2, 3},
		sentence: `c3's list has v2.0 before v1.0, although c1 had added v1.0 1ns before c2 ` +
			`began to add v2.0`,
		why: "one add had returned when the other began",
	}, {
		name: "two orders",
		text: `1 9 c1 add "s" "" v1.0 ok
			1 9 c2 add "s" "" v2.0 ok
			10 11 c3 items "s" "" v1.0 ok
			10 11 c3 items "s" "" v2.0 ok
			12 13 c3 items "s" "" v2.0 ok
			12 13 c3 items "s" "" v1.0 ok`,
		want: check.ReorderedItems, ops: []int{2, 3, 4, 5},
		sentence: `c3's later list has v2.0 before v1.0, and c3's earlier list has v1.0 before ` +
			`v2.0`,
		why: "a list only grows at its end",
	}, {
		name: "two ends",
		text: `1 9 c1 add "s" "" v1.0 ok
			1 9 c2 add "s" "" v2.0 ok
			2 3 c3 items "s" "" v1.0 ok
			2 3 c4 items "s" "" v2.0 ok`,
		want: check.LostItem, ops: []int{2, 3},
		sentence: `c4's list has v2.0 and lacks v1.0, and c3's list has v1.0 and lacks v2.0`,
		why:      "whichever was first, the other read has to have it",
	}, {
		name: "cut at the front",
		text: listStart + `5 6 c3 items "s" "" v1.0 ok
			5 6 c3 items "s" "" v2.0 ok
			5 6 c4 items "s" "" v2.0 ok`,
		want: check.LostItem, ops: []int{2, 3, 4},
		sentence: `c4's list has v2.0 and lacks v1.0, which stands before it in c3's list`,
		why:      "a list is read from its beginning",
	}, {
		name: "a gap in the longest list",
		text: `1 9 c1 add "s" "" v1.0 ok
			1 9 c2 add "s" "" v2.0 ok
			1 9 c3 add "s" "" v3.0 ok
			1 9 c5 add "s" "" v5.0 ok
			10 11 c4 items "s" "" v2.0 ok
			10 11 c4 items "s" "" v3.0 ok
			10 11 c4 items "s" "" v5.0 ok
			10 11 c6 items "s" "" v1.0 ok
			10 11 c6 items "s" "" v2.0 ok`,
		want: check.LostItem, ops: []int{4, 7, 8},
		sentence: `c4's list has v2.0 and lacks v1.0, which stands before it in c6's list`,
		why:      "the longest read is not right for being long",
	}, {
		name: "item read before its add",
		text: `1 2 c2 items "s" "" v1.0 ok
			3 4 c1 add "s" "" v1.0 ok`,
		want: check.ReadFromFuture, ops: []int{0, 1},
		sentence: `c2 read v1.0 and returned 1ns before c1 began to add it`,
		why:      "nobody can know an item before it is added",
	}, {
		name: "another session's item before a gap",
		text: listStart + `3 4 c5 add "t" "" v5.0 ok
			5 6 c3 items "s" "" v1.0 ok
			5 6 c3 items "s" "" v5.0 ok`,
		want: check.LostItem, ops: []int{1, 3},
		sentence: `c3's list lacks v2.0, which c2 had added 1ns before c3 asked; ` +
			`nobody ever read v2.0`,
		why: "what isolation accuses is no item of the list, and the rest is judged without it",
	}, {
		name: "other sessions, and the slot of the name",
		text: listStart + `3 4 c5 upsert "s" "" v5.0 ok
			5 6 c3 items "t" "" - ok
			5 6 c4 get "s" "" v5.0 ok
			7 8 c3 items "s" "" v1.0 ok
			7 8 c3 items "s" "" v2.0 ok
			9 10 c3 clear "s" "" - ok
			11 12 c3 get "s" "" - ok`,
		why: "a list has nothing to do with slots, nor with the list of another session",
	},
}

// finalListCases are about what is read after the end of the workload.
var finalListCases = []orderCase{
	{
		name: "list at the end",
		text: listStart + `90 91 final items "s" "" v1.0 ok
			90 91 final items "s" "" v2.0 ok
			92 93 reopen items "s" "" v1.0 ok
			92 93 reopen items "s" "" v2.0 ok`,
		why: "all is there",
	}, {
		name: "item lost at the end",
		text: listStart + `90 91 final items "s" "" v1.0 ok`,
		want: check.LostWrite, ops: []int{1, 2},
		sentence: `the final list ends with v1.0 and lacks v2.0, which c2 had added 86ns ` +
			`before it; nobody ever read v2.0`,
		why: "it had been acknowledged",
	}, {
		name: "list lost on reopening",
		text: listStart + `90 91 final items "s" "" v1.0 ok
			90 91 final items "s" "" v2.0 ok
			92 93 reopen items "s" "" - ok`,
		want: check.LostAfterReopen, ops: []int{2, 4},
		sentence: `the list after reopening is empty and lacks v1.0, which the final read had ` +
			`returned 1ns before it`,
		why: "it was there until the store was closed",
	}, {
		name: "doubled on reopening",
		text: listStart + `90 91 final items "s" "" v1.0 ok
			90 91 final items "s" "" v2.0 ok
			92 93 reopen items "s" "" v1.0 ok
			92 93 reopen items "s" "" v2.0 ok
			92 93 reopen items "s" "" v2.0 ok`,
		want: check.DoubledItem, ops: []int{1, 5, 6},
		sentence: `the list after reopening has v2.0 twice, as its items 2 and 3, although c2 ` +
			`added it once`,
		why: "nothing is lost, and that word would mislead",
	},
}

// listReadCases are about where items come from.
var listReadCases = []readCase{
	{
		name: "another session's list",
		text: `1 2 c1 add "b" "" v1.0 ok
			3 4 c3 items "a" "" v1.0 ok`,
		want: check.Violation{
			Property: check.Isolation, Anomaly: check.CrossSessionLeak, Slot: 1, Ops: []int{0, 1},
			Sentence: `c3 read v1.0 in the list of session "a", which c1 added to the list of ` +
				`session "b"`,
		},
		why: "items have owners as values have",
	}, {
		name: "value in a list",
		text: `1 2 c1 upsert "a" "" v1.0 ok
			3 4 c3 items "a" "" v1.0 ok`,
		want: check.Violation{
			Property: check.Isolation, Anomaly: check.CrossKeyMixup, Slot: 0, Ops: []int{0, 1},
			Sentence: `c3 read v1.0 in the list of session "a", which c1 wrote to session "a", ` +
				`key ""`,
		},
		why: "a value is no item, even that of the slot that has the list's name",
	}, {
		name: "item in a slot",
		text: `1 2 c1 add "a" "" v1.0 ok
			3 4 c3 get "a" "" v1.0 ok`,
		want: check.Violation{
			Property: check.Isolation, Anomaly: check.CrossKeyMixup, Slot: 0, Ops: []int{0, 1},
			Sentence: `c3 read v1.0 in session "a", key "", which c1 added to the list of ` +
				`session "a"`,
		},
		why: "an item is no value",
	}, {
		name: "refused add",
		text: `1 2 c1 add "a" "" v1.0 not-applied busy
			3 4 c3 items "a" "" v1.0 ok`,
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.FailedWriteRead, Ops: []int{0, 1},
			Sentence: `c3 read v1.0, although c1's write of it was refused (busy) and must leave ` +
				`nothing behind`,
		},
		why: "not applied is a promise here as well",
	}, {
		name: "item from nowhere",
		text: `1 2 c1 add "a" "" v1.0 ok
			3 4 c3 items "a" "" v1.0 ok
			3 4 c3 items "a" "" "hello" ok`,
		want: check.Violation{
			Property: check.Integrity, Anomaly: check.ValueFromNowhere, Ops: []int{2},
			Sentence: `c3 read "hello", which nobody wrote`,
		},
		why: "one item of a list is accused, not all of it",
	},
}
