package witness

import (
	"fmt"

	"memrace/stress/history"
)

// labelText is how many columns a name or a foreign text may take in a bar.
const labelText = 18

// labels words the operations of one drawing. It names the slot only where they touch several.
type labels struct {
	values map[history.ValueID]string
	slots  map[uint32]string
}

func newLabels(h *history.History, ops []int) labels {
	values := newNames[history.ValueID]("value")
	slots := newNames[uint32]("slot")
	for _, i := range ops {
		op := h.Ops[i]
		values.add(op.Value, valueText(h, op.Value))
		values.add(op.Seen, valueText(h, op.Seen))
		slots.add(op.Slot, slotText(h.Slots[op.Slot]))
	}
	l := labels{values: values.distinct(), slots: slots.distinct()}
	if len(l.slots) == 1 {
		clear(l.slots)
	}
	return l
}

func valueText(h *history.History, id history.ValueID) string {
	if id == history.None {
		return "nothing"
	}
	v := h.Values[id]
	if client, step, ok := v.Tag(); ok {
		return fmt.Sprintf("v%d.%d", client, step)
	}
	i, _ := v.Foreign()
	return shorten(quote(h.Foreign[i]), labelText)
}

func slotText(s history.Slot) string {
	return shorten(quote(s.Session)+" "+quote(s.Key), labelText)
}

// of returns what op asked and, after a colon, what came back, where that is not simply ok.
func (l labels) of(op history.Op) string {
	label := op.Kind.String()
	if slot := l.slots[op.Slot]; slot != "" {
		label += " " + slot
	}
	switch {
	case op.Kind == history.Update:
		label += " " + l.values[op.Seen] + " to " + l.values[op.Value]
	case op.Kind.Writes():
		label += " " + l.values[op.Value]
	}
	if answer := l.answer(op); answer != "" {
		label += ": " + answer
	}
	return label
}

func (l labels) answer(op history.Op) string {
	switch {
	case op.Outcome == history.Unknown:
		return "unknown"
	case op.Outcome == history.NotApplied:
		return "not applied"
	case op.Kind != history.Get && op.Kind != history.Take:
		return ""
	}
	return l.values[op.Value]
}

// names are the shown forms of things that differ: two of which the shortened forms are alike
// must not be taken for one.
type names[ID comparable] struct {
	what  string
	shown map[ID]string
	users map[string]int
}

func newNames[ID comparable](what string) names[ID] {
	return names[ID]{what: what, shown: map[ID]string{}, users: map[string]int{}}
}

func (n names[ID]) add(id ID, shown string) {
	if _, seen := n.shown[id]; !seen {
		n.shown[id] = shown
		n.users[shown]++
	}
}

// distinct returns the shown forms, with the number of the slot or value where one is not enough.
func (n names[ID]) distinct() map[ID]string {
	for id, shown := range n.shown {
		if n.users[shown] > 1 {
			n.shown[id] = fmt.Sprintf("%s (%s %v)", shown, n.what, id)
		}
	}
	return n.shown
}
