package notation

import (
	"errors"
	"io"
)

// event is a call or a return, as a file has it.
type event struct {
	line                 int
	process, typ, f      node
	session, key, client node
	value, time          node
	failure, class       node
}

// field returns the part of the event that stands under a key; nil for keys that mean nothing.
func (e *event) field(key string) *node {
	switch key {
	case "process":
		return &e.process
	case "type":
		return &e.typ
	case "f":
		return &e.f
	case "session":
		return &e.session
	case "key":
		return &e.key
	case "client":
		return &e.client
	case "value":
		return &e.value
	case "time":
		return &e.time
	case "error":
		return &e.failure
	case "class":
		return &e.class
	}
	return nil
}

// maps reads a file of maps, one after the other or in the brackets of a vector.
func (r *reader) maps() error {
	var open byte
	var since int
	first, ended := true, false
	for {
		r.size = 0
		c, err := r.start(0)
		switch {
		case errors.Is(err, io.EOF) && open != 0:
			return r.within(err, open, since)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
		case first && (c == '[' || c == '('):
			open, since = c, r.line
			err = r.discard()
		case open != 0 && c == closing[open]:
			open, ended = 0, true
			err = r.discard()
		case ended || c != '{' && c != '#':
			err = r.stray()
		default:
			err = r.event()
		}
		if err != nil {
			return err
		}
		first = false
	}
}

// stray is the error for what stands where a map should be.
func (r *reader) stray() error {
	line := r.line
	n, err := r.element(0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return faultf(line, "%s stands where a map should be; want one map for each call and each "+
		"return, and nothing else", n.shown())
}

func (r *reader) event() error {
	e := event{line: r.line}
	n, err := r.element(0)
	if err != nil {
		return err
	}
	if n.form != table {
		return faultf(e.line, "%s stands where a map should be; want one map for each call and "+
			"each return", n.shown())
	}
	if len(n.items)%2 != 0 {
		return faultf(e.line, "a map with a key that has no value; want keys and values in turns")
	}
	keys := keyword
	if r.json {
		keys = text
	}
	for i := 0; i < len(n.items); i += 2 {
		key := n.items[i]
		field := e.field(key.name())
		if field == nil {
			continue
		}
		if key.form != keys {
			return faultf(e.line, "the key %s in a file of %v; want one format in a file",
				key.shown(), r.format)
		}
		*field = n.items[i+1]
	}
	return r.calls.add(e)
}
