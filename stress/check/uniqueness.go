package check

import (
	"fmt"
	"slices"

	"memrace/store"
	"memrace/stress/history"
)

// uniqueness makes the verdict on whether the rows of the dump are at most one for each slot.
//
// Rows are of one slot if the contract cannot tell them apart: it knows texts only, so the text
// 'a', the blob 'a' and the like are one name, and NULL is what an empty name may have become.
// A database takes them for different, and any number of NULLs as well.
func (j *judge) uniqueness() Verdict {
	t := j.tally(Uniqueness)
	if !j.evidence.Dumped {
		t.verdict.State = Skipped
		t.verdict.Reason = "the store cannot list its rows"
		return t.verdict
	}
	rows := j.evidence.Rows
	first := make(map[history.Slot]int, len(rows))
	doubles := map[history.Slot][]int{}
	var order []history.Slot
	for i, row := range rows {
		slot := slotOf(row)
		before, seen := first[slot]
		switch {
		case !seen:
			first[slot] = i
		case doubles[slot] == nil:
			doubles[slot] = []int{before, i}
			order = append(order, slot)
		default:
			doubles[slot] = append(doubles[slot], i)
		}
	}
	for _, slot := range order {
		t.add(func() Violation { return duplicate(rows, doubles[slot], slot, j.slotNumbers()) })
	}
	return t.verdict
}

// duplicate is the violation that several rows of one slot are.
func duplicate(
	rows []store.Row, doubles []int, slot history.Slot, numbers map[history.Slot]uint32,
) Violation {
	v := Violation{Anomaly: DuplicateRow, Slot: NoSlot}
	if number, known := numbers[slot]; known {
		v.Slot = number
	}
	var names []string
	for _, i := range doubles {
		if name := rowName(rows[i]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	v.Sentence = fmt.Sprintf("the store keeps %d rows for %s", len(doubles), names[0])
	if len(names) > 1 {
		v.Sentence += fmt.Sprintf(", one of them as %s", names[1])
	}
	return v
}
