package history

import (
	"strconv"
	"unicode/utf8"
)

// Tag returns the client that wrote the value and the step at which it did. It reports false
// for None and for a value that is no tag.
func (h *History) Tag(id ValueID) (client Client, step uint32, ok bool) {
	return h.Values[id].Tag()
}

// Text names a value in a sentence: v3.17 for the tag of client 3 and step 17, the quoted text
// of a value that is no tag, shortened if it is long, and "nothing" for None.
func (h *History) Text(id ValueID) string {
	if id == None {
		return "nothing"
	}
	i, foreign := h.Values[id].Foreign()
	if !foreign {
		return string(appendTag(nil, h.Values[id]))
	}
	return short(h.Foreign[i])
}

// shortText is how many bytes of a text are shown in a sentence.
const shortText = 40

func short(text string) string {
	if len(text) <= shortText {
		return string(appendText(nil, text))
	}
	cut := shortText
	for cut > shortText-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return string(appendText(nil, text[:cut])) + "... (" + strconv.Itoa(len(text)) + " bytes)"
}

// MetaValue returns what the first header line of that name says, or "" if there is none.
func (h *History) MetaValue(name string) string {
	for _, m := range h.Meta {
		if m.Name == name {
			return m.Value
		}
	}
	return ""
}

// Line returns operation i in the notation of a history file, without the end of the line.
func (h *History) Line(i int) string {
	op := h.Ops[i]
	return string(h.appendOp(nil, op, appendSlot(nil, h.Slots[op.Slot])))
}

// Precedes reports whether operation i had returned before operation j was called. Operations
// that touch in one instant are concurrent, and an Unknown one never precedes another.
func (h *History) Precedes(i, j int) bool {
	a := &h.Ops[i]
	return a.Outcome != Unknown && a.Return < h.Ops[j].Call
}
