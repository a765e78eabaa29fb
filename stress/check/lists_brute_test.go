package check_test

import (
	"slices"

	"memrace/stress/history"
)

// listCall is an add or a read of a list, with all that it found.
type listCall struct {
	call, ret int64
	must      bool // it took effect
	read      bool
	items     []history.ValueID // those that were found, or the one that was added
}

// listCalls returns the calls of a history of one list that keep wants. An item that no add to the
// list explains says nothing.
func listCalls(h *history.History, keep func(history.Op) bool) (calls []listCall) {
	added := map[history.ValueID]bool{}
	for _, op := range h.Ops {
		if op.Kind == history.Add && op.Slot == 0 && op.Outcome != history.NotApplied {
			added[op.Value] = true
		}
	}
	for i, op := range h.Ops {
		isList := op.Kind == history.Add || op.Kind == history.Items
		if !isList || op.Slot != 0 || !keep(op) || op.Outcome == history.NotApplied {
			continue
		}
		c := listCall{op.Call, op.Return, op.Outcome == history.OK, op.Kind == history.Items, nil}
		if c.read && !c.must {
			continue
		}
		if h.Continues(i) {
			c = calls[len(calls)-1]
			calls = calls[:len(calls)-1]
		}
		if added[op.Value] {
			c.items = append(c.items, op.Value)
		}
		calls = append(calls, c)
	}
	return calls
}

// legalList tries every order of the calls. A list only grows, so that an order is given up as soon
// as what is there is no beginning of what is yet to be read.
func legalList(calls []listCall) bool { return searchList(calls, 0, nil) }

func searchList(calls []listCall, placed uint32, list []history.ValueID) bool {
	complete := true
	for i, c := range calls {
		if placed>>i&1 == 1 {
			continue
		}
		if c.read && (len(c.items) < len(list) || !slices.Equal(c.items[:len(list)], list)) {
			return false
		}
		complete = complete && !c.must
	}
	if complete {
		return true
	}
	for i, c := range calls {
		if placed>>i&1 == 1 || blockedList(calls, placed, c) {
			continue
		}
		switch {
		case !c.read:
			longer := append(slices.Clone(list), c.items...)
			if searchList(calls, placed|1<<i, longer) {
				return true
			}
		case slices.Equal(c.items, list) && searchList(calls, placed|1<<i, list):
			return true
		}
	}
	return false
}

// blockedList reports whether a call that is not placed yet had returned before c was called.
func blockedList(calls []listCall, placed uint32, c listCall) bool {
	for j, other := range calls {
		if placed>>j&1 == 0 && other.must && other.ret < c.call {
			return true
		}
	}
	return false
}

// proofCalls returns the calls of which some operations of h are, whole. Whatever else their reads
// found was added at a time that suits them best.
func proofCalls(h *history.History, ops []int) []listCall {
	within := map[int]bool{}
	for _, i := range ops {
		for h.Continues(i) {
			i--
		}
		within[i] = true
		for i++; i < len(h.Ops) && h.Continues(i); i++ {
			within[i] = true
		}
	}
	one := *h
	one.Ops = slices.Clone(h.Ops)
	for i := range one.Ops {
		switch op := &one.Ops[i]; {
		case within[i]:
		case op.Kind == history.Add && op.Outcome != history.NotApplied:
			op.Call, op.Outcome = -1, history.Unknown
		case op.Kind == history.Items:
			op.Outcome = history.NotApplied
		}
	}
	return listCalls(&one, func(history.Op) bool { return true })
}
