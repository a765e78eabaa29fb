package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"unicode/utf8"
)

// op is an operation of the protocol and which texts its request has.
type op struct {
	name                string
	session, key, value bool
}

// The operations. A child says in its answer to init which of them it has.
var (
	opUpsert = op{"upsert", true, true, true}
	opGet    = op{"get", true, true, false}
	opDelete = op{"delete", true, true, false}
	opUpdate = op{"update", true, true, false}
	opTake   = op{"take", true, true, false}
	opList   = op{"list", true, false, false}
	opClear  = op{"clear", true, false, false}
	opAppend = op{"append", true, false, true}
	opItems  = op{"items", true, false, false}
	opDump   = op{"dump", false, false, false}
	opPing   = op{"ping", false, false, false}
	opCheck  = op{"check", false, false, false}
	// opCut loses power; its value is a seed.
	opCut = op{"cut", false, false, true}
	// opDisk gives the disk faults, which its value names.
	opDisk = op{"disk", false, false, true}

	// opChange answers a "seen" of the update with the same id.
	opChange = op{"change", false, false, true}
	// opCancel answers one that nobody waits for any more: the slot is to be left as it is.
	opCancel = op{"cancel", false, false, false}
	opInit   = op{"init", false, false, false}
)

// Proto is the version of the protocol that this package speaks.
const Proto = 1

// hello is the request that opens the store.
type hello struct {
	ID       int64             `json:"id"`
	Op       string            `json:"op"`
	DB       string            `json:"db"`
	Instance int               `json:"instance"`
	Threads  int               `json:"threads"`
	Options  map[string]string `json:"options"`
}

// validate returns what is missing of what the far end has to know.
func (h hello) validate() error {
	switch {
	case h.Op != opInit.name:
		return fmt.Errorf(`the first "op" is %q; it has to be init`, h.Op)
	case h.DB == "":
		return errors.New(`init: it has no "db", the path of a file`)
	case !filepath.IsAbs(h.DB):
		return fmt.Errorf(`init: "db" is %q; it has to be an absolute path`, h.DB)
	case h.Threads < 1:
		return fmt.Errorf(`init: "threads" is %d; it has to be at least 1`, h.Threads)
	}
	return nil
}

// call is what a request asks for.
type call struct {
	op                  op
	session, key, value string
	hello               *hello // of init
}

// errText is why a call is never sent.
var errText = errors.New("the protocol carries only text that is UTF-8")

// appendRequest adds the line of a request.
func appendRequest(line []byte, id int64, c call) ([]byte, error) {
	if c.hello != nil {
		c.hello.ID, c.hello.Op = id, c.op.name
		text, err := json.Marshal(c.hello)
		return append(text, '\n'), err
	}
	line = append(line, `{"id":`...)
	line = strconv.AppendInt(line, id, 10)
	line = append(line, `,"op":"`...)
	line = append(line, c.op.name...)
	line = append(line, '"')
	for _, m := range []struct {
		there      bool
		name, text string
	}{
		{c.op.session, `,"session":`, c.session}, {c.op.key, `,"key":`, c.key},
		{c.op.value, `,"value":`, c.value},
	} {
		if !m.there {
			continue
		}
		if !utf8.ValidString(m.text) {
			return nil, errText
		}
		line = appendText(append(line, m.name...), m.text)
	}
	return append(line, '}', '\n'), nil
}

// appendText adds a text as JSON writes it.
func appendText(line []byte, s string) []byte {
	for i := range len(s) {
		if b := s[i]; b < ' ' || b == '"' || b == '\\' || b >= utf8.RuneSelf {
			quoted, _ := json.Marshal(s) // a string has no error
			return append(line, quoted...)
		}
	}
	line = append(line, '"')
	line = append(line, s...)
	return append(line, '"')
}

// request is a line from the near end.
type request struct {
	hello
	Session given `json:"session"`
	Key     given `json:"key"`
	Value   given `json:"value"`
	// ended is where a call notes why it ends without a result.
	ended *string
}

// lacks returns what a request for the operation o would have and this has not; nil if it has all.
func (r *request) lacks(o op) error {
	for _, m := range []struct {
		wanted bool
		name   string
		given
	}{{o.session, "session", r.Session}, {o.key, "key", r.Key}, {o.value, "value", r.Value}} {
		switch {
		case m.wanted && !m.is:
			return fmt.Errorf("%s: it has no %q", o.name, m.name)
		case m.wanted && m.flaw != "":
			return fmt.Errorf("%s: %q %s", o.name, m.name, m.flaw)
		}
	}
	return nil
}

// parseRequest reads a line from the near end.
func parseRequest(line []byte) (request, error) {
	r := request{hello: hello{ID: noID}}
	if !flat(line, r.take) {
		r = request{hello: hello{ID: noID}}
		if err := json.Unmarshal(line, &r); err != nil {
			return r, shape(err)
		}
	}
	if r.ID < 0 || r.Op == "" {
		return r, errors.New(`it has no "id" or no "op"`)
	}
	return r, nil
}

func (r *request) take(name, value []byte, k kind) bool {
	if string(name) == "id" {
		return integer(&r.ID, value, k)
	}
	if k != text {
		return false
	}
	switch string(name) {
	case "op":
		r.Op = string(value)
	case "session":
		r.Session = given{text: string(value), is: true}
	case "key":
		r.Key = given{text: string(value), is: true}
	case "value":
		r.Value = given{text: string(value), is: true}
	default:
		return false
	}
	return true
}
