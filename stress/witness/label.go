package witness

import (
	"fmt"
	"strings"

	"memrace/stress/history"
)

// labelText is how many columns a name or a foreign text may take in a bar.
const labelText = 18

// labels words the calls of one drawing. It names the slot only where they touch several, but the
// session wherever a call is on all of it.
type labels struct {
	h      *history.History
	values map[history.ValueID]string
	slots  map[uint32]string
	// sessions are the names of sessions by the first slot of each; owners has that slot.
	sessions map[uint32]string
	owners   map[string]uint32
}

func newLabels(h *history.History, ops []int) labels {
	values := newNames[history.ValueID]("value")
	slots, sessions := newNames[uint32]("slot"), newNames[uint32]("slot")
	owners := map[string]uint32{}
	for _, i := range ops {
		op := h.Ops[i]
		values.add(op.Value, valueText(h, op.Value))
		values.add(op.Seen, valueText(h, op.Seen))
		slots.add(op.Slot, slotText(h.Slots[op.Slot]))
		session := h.Slots[op.Slot].Session
		if _, known := owners[session]; !known {
			owners[session] = op.Slot
			sessions.add(op.Slot, shorten(quote(session), labelText))
		}
	}
	l := labels{h: h, values: values.distinct(), slots: slots.distinct(),
		sessions: sessions.distinct(), owners: owners}
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

// of returns what a call asked and, after a colon, what came back, where that is not simply ok.
func (l labels) of(call []int) string {
	op := l.h.Ops[call[0]]
	label := op.Act().String()
	if where := l.where(op); where != "" {
		label += " " + where
	}
	switch {
	case op.Kind == history.Update:
		label += " " + l.values[op.Seen] + " to " + l.values[op.Value]
	case op.Kind.Writes():
		label += " " + l.values[op.Value]
	}
	if answer := l.answer(call); answer != "" {
		label += ": " + answer
	}
	return label
}

// where names what a call is on, if that is not clear without.
func (l labels) where(op history.Op) string {
	if op.Whole || op.Kind == history.Add && len(l.slots) > 0 {
		return l.sessions[l.owners[l.h.Slots[op.Slot].Session]]
	}
	return l.slots[op.Slot]
}

func (l labels) answer(call []int) string {
	op := l.h.Ops[call[0]]
	switch {
	case op.Outcome == history.Unknown:
		return "unknown"
	case op.Outcome == history.NotApplied:
		return "not applied"
	case op.Whole && op.Kind != history.Delete:
		return Findings(l.h, call, keyText, func(id history.ValueID) string { return l.values[id] })
	case op.Kind != history.Get && op.Kind != history.Take:
		return ""
	}
	return l.values[op.Value]
}

// keyText names a key, in quotes unless it is a plain name.
func keyText(key string) string {
	plain := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' }
	if key != "" && strings.TrimFunc(key, plain) == "" && len(key) <= labelText {
		return key
	}
	return shorten(quote(key), labelText)
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
