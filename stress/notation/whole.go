package notation

import (
	"slices"

	"memrace/stress/history"
)

// part is what a call on a whole session did to one slot, or found there. An operation comes of
// each.
type part struct {
	slot  uint32
	value history.ValueID
}

// ofSession refuses a call that has to be about a session, and is not or is about a key.
func ofSession(e event) error {
	switch {
	case e.session.form == nothing:
		return faultf(e.line, "%s without :session; want the session that it is about", e.f.name())
	case e.key.form != nothing:
		return faultf(e.line, "%s of the key %s; want :session and no :key", e.f.name(),
			e.key.shown())
	}
	return nil
}

// askedWhole fills in what a call on a whole session is about.
func (c *calls) askedWhole(e event, o *openCall, op *history.Op) error {
	err := ofSession(e)
	switch {
	case err != nil:
	case op.Kind == history.Items:
		op.Slot = c.slot(e.session.plain(), "")
		c.wholes[o.op] = []part{{slot: op.Slot}}
	default:
		c.wholes[o.op], err = c.keys(e, o)
	}
	return err
}

// keys returns the slots that the value of a list or clear names.
func (c *calls) keys(e event, o *openCall) ([]part, error) {
	named := e.value.form == sequence && len(e.value.items) > 0
	var parts []part
	for _, key := range e.value.items {
		named = named && key.form != nothing
		parts = append(parts, part{slot: c.slot(o.session.plain(), key.plain())})
	}
	if !named {
		return nil, faultf(e.line, "the value of a %s is %s; want the keys that the session may "+
			`have, as in ["k0" "k1"]`, o.f, e.value.shown())
	}
	return parts, nil
}

// foundWhole fills in what a call on a whole session came back with.
func (c *calls) foundWhole(e event, o openCall, op *history.Op) (err error) {
	switch op.Kind {
	case history.Items:
		c.wholes[o.op], err = c.items(e, op.Slot)
	case history.Get:
		c.wholes[o.op], err = c.listed(e, o)
	case history.Delete:
		if e.value.form != nothing {
			err = c.removed(e, o)
		}
	}
	return err
}

// items returns the items that were read; nothing once, if there were none.
func (c *calls) items(e event, slot uint32) ([]part, error) {
	if e.value.form != sequence {
		return nil, faultf(e.line, "the value of items is %s; want a vector of the items, [] if "+
			"there are none", e.value.shown())
	}
	if len(e.value.items) == 0 {
		return []part{{slot: slot}}, nil
	}
	parts := make([]part, len(e.value.items))
	for i, item := range e.value.items {
		parts[i] = part{slot, c.value(item)}
	}
	return parts, nil
}

// listed returns what a list found: what it says, and nothing for each key of its call of which
// it says nothing.
func (c *calls) listed(e event, o openCall) ([]part, error) {
	parts, said := make([]part, 0, len(e.value.items)), make(map[uint32]bool)
	wrong := e.value.form != sequence
	for _, pair := range e.value.items {
		if wrong = wrong || !pair.pair() || pair.items[0].form == nothing; wrong {
			break
		}
		slot := c.slot(o.session.plain(), pair.items[0].plain())
		said[slot] = true
		parts = append(parts, part{slot, c.value(pair.items[1])})
	}
	if wrong {
		return nil, faultf(e.line, "the value of a list is %s; want a key and a value for all "+
			`that was there, as in [["k0" 1] ["k1" 2]]`, e.value.shown())
	}
	for _, asked := range c.wholes[o.op] {
		if !said[asked.slot] {
			parts = append(parts, asked)
		}
	}
	return parts, nil
}

// removed refuses a clear that returns with other keys than it was called with.
func (c *calls) removed(e event, o openCall) error {
	keys, err := c.keys(e, &o)
	if err == nil && !slices.Equal(keys, c.wholes[o.op]) {
		err = faultf(e.line, "clear returns with %s, but was called with other keys in line %d; "+
			"want the same", e.value.shown(), o.line)
	}
	return err
}

// spread makes an operation of each part of the calls on whole sessions.
func (c *calls) spread() {
	if len(c.wholes) == 0 {
		return
	}
	ops, lines := c.h.Ops, c.h.Lines
	c.h.Ops, c.h.Lines = nil, nil
	for i, op := range ops {
		parts := c.wholes[i]
		if !op.Whole {
			parts = []part{{op.Slot, op.Value}}
		}
		for _, p := range parts {
			op.Slot, op.Value = p.slot, p.value
			c.h.Ops, c.h.Lines = append(c.h.Ops, op), append(c.h.Lines, lines[i])
		}
	}
}
