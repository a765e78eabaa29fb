package report

import (
	"fmt"
	"strconv"

	"memrace/stress/history"
	"memrace/stress/witness"
)

// charWidth is the width of a character in a label, in hundredths of a pixel.
const charWidth = 725

// textWidth is how many pixels an ASCII text takes at most.
func textWidth(s string) int { return (len(s)*charWidth + 99) / 100 }

// labels words the calls of one drawing. It names the slot only where they touch several, but the
// session wherever a call is on all of it.
type labels struct {
	h        *history.History
	slots    map[uint32]string
	sessions map[string]string
	name     int // how many characters a name or a value may take
}

func newLabels(h *history.History, ops []int, name int) labels {
	l := labels{h: h, slots: map[uint32]string{}, sessions: map[string]string{}, name: name}
	users, owners := map[string]int{}, map[string]int{}
	for _, i := range ops {
		slot := h.Ops[i].Slot
		if _, known := l.slots[slot]; !known {
			s := h.Slots[slot]
			l.slots[slot] = l.quote(s.Session) + " " + l.quote(s.Key)
			users[l.slots[slot]]++
			if _, known := l.sessions[s.Session]; !known {
				l.sessions[s.Session] = l.quote(s.Session)
				if owners[l.quote(s.Session)]++; owners[l.quote(s.Session)] > 1 {
					l.sessions[s.Session] += fmt.Sprintf(" (slot %d)", slot)
				}
			}
		}
	}
	for slot, text := range l.slots {
		if users[text] > 1 { // they differ where they are elided
			l.slots[slot] = fmt.Sprintf("%s (slot %d)", text, slot)
		}
	}
	if len(l.slots) == 1 {
		clear(l.slots)
	}
	return l
}

func (l labels) quote(name string) string { return elide(strconv.QuoteToASCII(name), l.name) }

// of returns what a call asked and, after a colon, what came back, where that is not
// simply ok.
func (l labels) of(call []int) string {
	op := l.h.Ops[call[0]]
	label := op.Act().String()
	switch slot := l.slots[op.Slot]; {
	case op.Whole, op.Kind == history.Add && slot != "":
		label += " " + l.sessions[l.h.Slots[op.Slot].Session]
	case slot != "":
		label += " " + slot
	}
	if op.Kind.Writes() {
		label += " " + l.value(op.Value)
	}
	switch {
	case op.Outcome == history.Unknown:
		label += ": unknown"
	case op.Outcome == history.NotApplied:
		label += ": not applied"
	case op.Kind == history.Update:
		label += ": saw " + l.value(op.Seen)
	case op.Whole && op.Kind.Reads():
		label += ": " + witness.Findings(l.h, call, l.quote, l.value)
	case op.Kind.Reads():
		label += ": " + l.value(op.Value)
	}
	return label
}

func (l labels) value(id history.ValueID) string { return elide(ascii(l.h.Text(id)), l.name) }
