package proc

import (
	"bytes"
	"encoding/json"
)

// MaxTail is what tests have to write more than.
const MaxTail = maxTail

// Tail is a tail, for tests.
type Tail struct{ tail }

// Text returns what is kept.
func (t *Tail) Text() string { return string(t.text()) }

// LastWords returns what a program said at its end.
func (t *Tail) LastWords() string { return t.lastWords() }

// Simple reads an answer by the short way only, and by the long way only. It reports false if the
// short way does not go there.
func Simple(line []byte) (short, long string, ok bool) {
	a, b := answer{ID: noID}, answer{ID: noID}
	if !flat(line, a.take) || json.Unmarshal(line, &b) != nil {
		return "", "", false
	}
	return string(appendAnswer(nil, a)), string(appendAnswer(nil, b)), true
}

// SimpleRequest is Simple for requests.
func SimpleRequest(line []byte) (short, long request, ok bool) {
	short, long = request{hello: hello{ID: noID}}, request{hello: hello{ID: noID}}
	ok = flat(line, short.take) && json.Unmarshal(line, &long) == nil
	return short, long, ok
}

// UnicodeText is true for a string in JSON that is all of Unicode.
var UnicodeText = unicodeText

// RoundTrip writes a request and reads it again.
func RoundTrip(id int64, session, key, value string) (s, k, v string, err error) {
	line, err := appendRequest(nil, id,
		call{op: opUpsert, session: session, key: key, value: value})
	if err != nil {
		return "", "", "", err
	}
	r, err := parseRequest(bytes.TrimSuffix(line, []byte("\n")))
	return r.Session.text, r.Key.text, r.Value.text, err
}
