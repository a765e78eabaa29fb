package notation

import "memrace/stress/history"

// names fills the tables of a history: slots, values, and the texts of values.
type names struct {
	h     *history.History
	slots map[history.Slot]uint32
	texts map[string]history.ValueID
	tags  map[history.Value]history.ValueID
	// writers holds for each tag the line that wrote it.
	writers map[history.ValueID]int
}

func newNames(h *history.History) *names {
	return &names{
		h:       h,
		slots:   make(map[history.Slot]uint32),
		texts:   make(map[string]history.ValueID),
		tags:    make(map[history.Value]history.ValueID),
		writers: make(map[history.ValueID]int),
	}
}

func (n *names) slot(session, key string) uint32 {
	s := history.Slot{Session: session, Key: key}
	number, known := n.slots[s]
	if !known {
		number = uint32(len(n.h.Slots))
		n.h.Slots = append(n.h.Slots, s)
		n.slots[s] = number
	}
	return number
}

func (n *names) value(v node) history.ValueID {
	if v.form == nothing {
		return history.None
	}
	next := history.ValueID(len(n.h.Values))
	if tag, ok := v.tag(); ok {
		if id, known := n.tags[tag]; known {
			return id
		}
		n.tags[tag] = next
		n.h.Values = append(n.h.Values, tag)
		return next
	}
	plain := v.plain()
	if id, known := n.texts[plain]; known {
		return id
	}
	n.texts[plain] = next
	n.h.Values = append(n.h.Values, history.ForeignValue(len(n.h.Foreign)))
	n.h.Foreign = append(n.h.Foreign, plain)
	return next
}

// is reports whether v is the value of that number.
func (n *names) is(id history.ValueID, v node) bool {
	if v.form == nothing || id == history.None {
		return v.form == nothing && id == history.None
	}
	if tag, ok := v.tag(); ok {
		return n.h.Values[id] == tag
	}
	i, foreign := n.h.Values[id].Foreign()
	return foreign && n.h.Foreign[i] == v.plain()
}

// noteWriter refuses a second write of one tag. Texts that are no tags may be written twice.
func (n *names) noteWriter(id history.ValueID, line int) error {
	if _, _, isTag := n.h.Tag(id); !isTag {
		return nil
	}
	if before, written := n.writers[id]; written {
		return faultf(line, "%s was written in line %d already; want a tag that is written only "+
			"once, or a text", n.h.Text(id), before)
	}
	n.writers[id] = line
	return nil
}
