package notation

import "memrace/stress/history"

// registerKey is the key of the one register of a history that names no keys.
const registerKey = "register"

// place finds out which slot a call is about, and returns its value without the key.
func (c *calls) place(e event, o *openCall, op *history.Op) (node, error) {
	if op.Kind == history.Add {
		op.Slot = c.slot(e.session.plain(), "")
		return e.value, ofSession(e)
	}
	if e.key.form != nothing || e.session.form != nothing {
		o.emptyIsNothing = c.format == EDN && e.session.form == nothing
		op.Slot = c.slot(orEmpty(e.session), orEmpty(e.key))
		return o.cleared(e.value), nil
	}
	o.tuple = isTuple(e.value, op.Kind)
	write := op.Kind == history.Upsert || op.Kind == history.Append
	if !c.tuples.same(e.line, o.tuple) {
		// A pair that is written may be a value as well.
		if c.tuples.yes || !write {
			return node{}, faultf(e.line, "the value of a %s is %s, other than in line %d; want "+
				"[key value] everywhere or nowhere", o.f, e.value.shown(), c.tuples.line)
		}
		o.tuple = false
	}
	if !o.tuple {
		op.Slot = c.slot("", registerKey)
		return e.value, nil
	}
	o.key = e.value.items[0].plain()
	op.Slot = c.slot("", o.key)
	return e.value.items[1], nil
}

func orEmpty(n node) string {
	if n.form == nothing {
		return ""
	}
	return n.plain()
}

// isTuple reports whether the value of a call is a key and a value.
func isTuple(value node, kind history.Kind) bool {
	return value.pair() && (kind != history.Update || value.items[1].pair())
}

// cleared returns n, or nil if it is an empty text that stands for no value.
func (o *openCall) cleared(n node) node {
	if o.emptyIsNothing && n.form == text && n.text == "" {
		return node{}
	}
	return n
}

// wrote fills in what a call says that it writes.
func (c *calls) wrote(o openCall, op *history.Op, value node) error {
	switch op.Kind {
	case history.Get, history.Take, history.Delete:
		return nil
	case history.Update:
		if !value.pair() || value.items[1].form == nothing {
			return faultf(o.line, "the value of a %s is %s; want [old new], the new one not nil",
				o.f, value.shown())
		}
		op.Seen, value = c.value(value.items[0]), value.items[1]
	case history.Append, history.Add:
		if value.form == nothing {
			return faultf(o.line, "an %s of nothing; want the text that it adds", o.f)
		}
	case history.Upsert:
		if value.form == nothing {
			op.Kind = history.Delete
			return nil
		}
	}
	op.Value = c.value(value)
	if op.Kind == history.Append {
		return nil
	}
	return c.noteWriter(op.Value, o.line)
}

// returned returns the value of a return without the key, which has to be that of the call.
func (c *calls) returned(e event, o openCall) (node, error) {
	if !o.tuple {
		return o.cleared(e.value), nil
	}
	if e.value.pair() && e.value.items[0].plain() == o.key {
		return e.value.items[1], nil
	}
	if e.typ.name() != "ok" {
		return e.value, nil
	}
	return node{}, faultf(e.line, "the value of an ok is %s, but the call of line %d has the key "+
		"%.40q; want [key value] with the same key", e.value.shown(), o.line, o.key)
}

// found fills in what an operation that is ok came back with. What it wrote has to be what it was
// called with.
func (c *calls) found(e event, o openCall, op *history.Op, value node) error {
	switch {
	case op.Kind.Reads() && op.Kind != history.Update:
		op.Value = c.value(value)
		return nil
	case op.Kind == history.Update && o.f == "update" && op.Seen == history.None && value.pair():
		op.Seen = c.value(value.items[0])
	}
	if o.f == "delete" || value.form == nothing || c.repeats(op, value) {
		return nil
	}
	return faultf(e.line, "%s returns with %s, but was called with another value in line %d; want "+
		"the same", o.f, value.shown(), o.line)
}

// repeats reports whether value is what op was called with.
func (c *calls) repeats(op *history.Op, value node) bool {
	if op.Kind != history.Update {
		return c.is(op.Value, value)
	}
	return value.pair() && c.is(op.Seen, value.items[0]) && c.is(op.Value, value.items[1])
}
