package notation

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"memrace/stress/history"
)

// form is what sort of thing stands in a file.
type form uint8

const (
	nothing form = iota // nil, null, or not there at all
	text
	number
	keyword // its text has the colon
	symbol  // and true and false
	sequence
	set
	table // a map: keys and values take turns
)

// node is one thing in a file: what EDN calls an element. The zero node is nil.
type node struct {
	form  form
	text  string // of all but nothing and those with items
	items []node
}

// name returns what a keyword, a symbol or a text names; "" for all else.
func (n node) name() string {
	switch n.form {
	case keyword:
		return n.text[1:]
	case text, symbol:
		return n.text
	}
	return ""
}

// pair reports whether n is a sequence of two.
func (n node) pair() bool { return n.form == sequence && len(n.items) == 2 }

// hexKey is the key of a map that stands for a text which is no valid UTF-8, as in {:hex "ff00"}.
const hexKey = ":hex"

// plain returns n as the text that stands for it in a history. Equal maps and sets have equal
// texts, whatever the order of their parts.
func (n node) plain() string {
	if n.form == table && len(n.items) == 2 && n.items[0].form == keyword &&
		n.items[0].text == hexKey && n.items[1].form == text {
		if raw, err := hex.DecodeString(n.items[1].text); err == nil {
			return string(raw)
		}
	}
	if n.form == text {
		return n.text
	}
	return n.spelled()
}

// spelled returns n as EDN.
func (n node) spelled() string {
	switch n.form {
	case nothing:
		return "nil"
	case text:
		return string(appendText(nil, n.text))
	case sequence:
		return "[" + strings.Join(spellAll(n.items), " ") + "]"
	case set:
		parts := spellAll(n.items)
		slices.Sort(parts)
		return "#{" + strings.Join(parts, " ") + "}"
	case table:
		var parts []string
		for pair := range slices.Chunk(spellAll(n.items), 2) {
			parts = append(parts, strings.Join(pair, " "))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return n.text
}

func spellAll(nodes []node) []string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		parts[i] = n.spelled()
	}
	return parts
}

// shown returns n for an error, shortened if it is long.
func (n node) shown() string {
	const most = 40
	if s := n.spelled(); len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	} else {
		return s
	}
}

// tag returns the tag that n is: a symbol such as v3.17, spelled as a tag is.
func (n node) tag() (history.Value, bool) {
	client, step, found := strings.Cut(n.text, ".")
	if n.form != symbol || !found || !strings.HasPrefix(client, "v") {
		return 0, false
	}
	c, err := strconv.ParseUint(client[1:], 10, 31)
	if err != nil {
		return 0, false
	}
	s, err := strconv.ParseUint(step, 10, 32)
	if err != nil {
		return 0, false
	}
	tag := history.TagValue(history.Client(c), uint32(s))
	return tag, string(appendTag(nil, tag)) == n.text
}

// quoted returns a text for an error, shortened if it is long.
func quoted(s string) string { return node{form: text, text: s}.shown() }
