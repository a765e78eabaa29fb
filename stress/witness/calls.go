package witness

import (
	"strings"

	"memrace/stress/history"
)

// Calls groups operations, given as ascending indices into h.Ops, by the call that they are of: a
// call on a whole session is several operations, of which not all need be given. Each group
// ascends, and the groups are in the order of their first operations.
func Calls(h *history.History, ops []int) [][]int {
	var calls [][]int
	for n, i := range ops {
		if n > 0 && sameCall(h, ops[n-1], i) {
			last := &calls[len(calls)-1]
			*last = append(*last, i)
			continue
		}
		calls = append(calls, []int{i})
	}
	return calls
}

// sameCall reports whether operation i belongs to the same call as an earlier one.
func sameCall(h *history.History, earlier, i int) bool {
	for ; i > earlier; i-- {
		if !h.Continues(i) {
			return false
		}
	}
	return true
}

// maxFindings is how many findings of a call are told.
const maxFindings = 6

// Findings says what a call on a whole session found in some of its operations, which ascend:
// "k0 v1.1, k1 -" of a list, "... v2.1 v3.4" of items. Dots stand for operations that are not
// given and, of many, for those in the middle. It words keys and values as the caller does.
func Findings(
	h *history.History, call []int, key func(string) string, value func(history.ValueID) string,
) string {
	const dots = "..."
	var parts []string
	last := call[0]
	if h.Continues(last) {
		parts = append(parts, dots)
	}
	for _, i := range few(call) {
		if i > last+1 {
			parts = append(parts, dots)
		}
		parts, last = append(parts, finding(h, i, key, value)), i
	}
	if last+1 < len(h.Ops) && h.Continues(last+1) {
		parts = append(parts, dots)
	}
	if h.Ops[call[0]].Kind == history.Items {
		return strings.Join(parts, " ")
	}
	return strings.Join(parts, ", ")
}

// few leaves out the middle of many.
func few(call []int) []int {
	if len(call) <= maxFindings {
		return call
	}
	head := append([]int(nil), call[:maxFindings/2]...)
	return append(head, call[len(call)-maxFindings/2:]...)
}

func finding(
	h *history.History, i int, key func(string) string, value func(history.ValueID) string,
) string {
	op := h.Ops[i]
	switch {
	case op.Kind == history.Items:
		return value(op.Value)
	case op.Value == history.None:
		return key(h.Slots[op.Slot].Key) + " -"
	}
	return key(h.Slots[op.Slot].Key) + " " + value(op.Value)
}
