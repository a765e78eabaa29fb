package history

// interner fills the tables of a history, Values and Foreign, and numbers what is in them in
// the order in which it is first named.
type interner struct {
	h     *History
	tags  *index
	texts map[string]ValueID
}

func newInterner(h *History, values int) *interner {
	h.Values = make([]Value, 1, values+1)
	return &interner{h: h, tags: newIndex(values), texts: make(map[string]ValueID)}
}

func (n *interner) tag(v Value) ValueID {
	next := uint32(len(n.h.Values))
	id := n.tags.number(uint64(v), next)
	if id == next {
		n.h.Values = append(n.h.Values, v)
	}
	return ValueID(id)
}

func (n *interner) text(text string) ValueID {
	if id, ok := n.texts[text]; ok {
		return id
	}
	return n.newText(text)
}

// textBytes is text for bytes that the caller goes on to use.
func (n *interner) textBytes(text []byte) ValueID {
	if id, ok := n.texts[string(text)]; ok {
		return id
	}
	return n.newText(string(text))
}

func (n *interner) newText(text string) ValueID {
	id := ValueID(len(n.h.Values))
	n.h.Values = append(n.h.Values, ForeignValue(len(n.h.Foreign)))
	n.h.Foreign = append(n.h.Foreign, text)
	n.texts[text] = id
	return id
}
