package history

import "fmt"

// Act is what a client does with one call: a kind of operation, on one slot or on all of a session.
type Act struct {
	Kind Kind
	// Whole is true for a call on all slots of a session at once. A Get of a whole session is
	// called list, a Delete of it clear; Items is always one.
	Whole bool
}

var actNames = map[Act]string{
	{Get, true}: "list", {Delete, true}: "clear", {Items, true}: "items",
}

// String returns the act as a history file has it: the name of its kind, or list, clear or items.
func (a Act) String() string {
	if !a.Whole {
		return a.Kind.String()
	}
	if name, ok := actNames[a]; ok {
		return name
	}
	return "whole " + a.Kind.String()
}

const actRemedy = "want upsert, get, delete, update, take, append, list, clear, add or items"

// ParseAct is the counterpart of Act.String.
func ParseAct(name string) (Act, error) {
	if a, ok := actNamed(name); ok {
		return a, nil
	}
	return Act{}, fmt.Errorf("unknown kind %q; "+actRemedy, name)
}

func actNamed(name string) (Act, bool) {
	for k, n := range kindNames {
		if n == name {
			return Act{Kind(k), Kind(k) == Items}, true
		}
	}
	for a, n := range actNames {
		if n == name {
			return a, true
		}
	}
	return Act{}, false
}

// known reports whether a client can do that: Items is always whole, and but for it a Get and a
// Delete can be.
func (a Act) known() bool {
	switch a.Kind {
	case Get, Delete:
		return true
	case Items:
		return a.Whole
	}
	return a.Kind < kinds && !a.Whole
}

// Act returns what the client of the operation did.
func (op *Op) Act() Act { return Act{op.Kind, op.Whole} }

// Continues reports whether operation i belongs to the same call as the one before it: both are
// what one call on a whole session did to a slot, or found there.
func (h *History) Continues(i int) bool {
	if i == 0 || !h.Ops[i].Whole {
		return false
	}
	return h.Ops[i].sameCall(&h.Ops[i-1]) &&
		h.Slots[h.Ops[i].Slot].Session == h.Slots[h.Ops[i-1].Slot].Session
}

// Calls returns how many calls the operations are: those of one call on a whole session count once.
func (h *History) Calls() int {
	n := len(h.Ops)
	for i := range h.Ops {
		if h.Continues(i) {
			n--
		}
	}
	return n
}

func (op *Op) sameCall(other *Op) bool {
	return op.Whole && op.Act() == other.Act() && op.Client == other.Client &&
		op.Call == other.Call && op.Return == other.Return && op.Outcome == other.Outcome
}
