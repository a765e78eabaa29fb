package check

import (
	"fmt"
	"iter"
	"strings"

	"memrace/store"
	"memrace/stress/history"
)

// guess says what a value looks like that nobody wrote, as the rest of a sentence; it is empty if
// it looks like nothing known.
func guess(h *history.History, value history.ValueID) string {
	if i, foreign := h.Values[value].Foreign(); foreign {
		return guessText(h.Foreign[i])
	}
	return "; it has the form of a value of this run, but its write is not in the history"
}

func guessText(text string) string {
	if _, ok := history.ParseTag(text); ok {
		return "; it is a whole value, but of another run"
	}
	if looksLikeTag(text) {
		return "; it looks like a value of memrace that was cut short or damaged"
	}
	return ""
}

// looksLikeTag reports whether the text begins as a tag does: "m0000002a.s".
func looksLikeTag(text string) bool {
	const head = len("m00000000")
	if len(text) < head || text[0] != 'm' {
		return false
	}
	return strings.Trim(text[1:head], "0123456789abcdef") == "" &&
		strings.HasPrefix(".s", text[head:min(len(text), head+2)])
}

// judgeRows looks at the rows of the dump: isolation and integrity hold for them as for reads.
// What the dump's own reads were accused of already is not counted twice.
func (j *judge) judgeRows(isolation, integrity *tally, dumped map[slotValue]bool) {
	rows := j.rows()
	if len(rows) == 0 {
		return
	}
	r := &rowReader{h: j.h, slots: j.slotNumbers(), values: rowValues(j.h, rows)}
	for _, row := range rows {
		if v, stray := r.stray(row); stray {
			integrity.add(func() Violation { return v })
			continue
		}
		slot := r.slots[slotOf(row)]
		value, known := r.values[row.Value.Text]
		if known && dumped[slotValue{slot, value}] {
			continue
		}
		from := fromNowhere
		if known {
			_, from = j.x.source(slot, value)
		}
		switch from {
		case fromElsewhere:
			isolation.add(func() Violation { return r.leaked(slot, value) })
		case fromNowhere:
			integrity.add(func() Violation { return r.unwritten(slot, row.Value.Text) })
		}
	}
}

// rowReader finds what rows name in a history.
type rowReader struct {
	h      *history.History
	slots  map[history.Slot]uint32
	values map[string]history.ValueID
}

func slotOf(row store.Row) history.Slot {
	return history.Slot{Session: row.Session.Text, Key: row.Key.Text}
}

// rowValues returns the numbers of those values of rows that the history names.
func rowValues(h *history.History, rows []store.Row) map[string]history.ValueID {
	return textValues(h, func(yield func(string) bool) {
		for i := range rows {
			if !yield(rows[i].Value.Text) {
				return
			}
		}
	})
}

// textValues returns the numbers of those texts that the history names as values. A text that the
// history has as foreign is that, even if it looks like a tag: it is one of another run then.
func textValues(h *history.History, all iter.Seq[string]) map[string]history.ValueID {
	texts := map[history.Value]string{}
	foreign := make(map[string]history.Value, len(h.Foreign))
	for i, text := range h.Foreign {
		foreign[text] = history.ForeignValue(i)
	}
	for text := range all {
		if v, ok := foreign[text]; ok {
			texts[v] = text
		} else if tag, ok := history.ParseTag(text); ok && tag.Client.Numbered() {
			texts[history.TagValue(tag.Client, tag.Step)] = text
		}
	}
	ids := make(map[string]history.ValueID, len(texts))
	for id, v := range h.Values {
		if text, ok := texts[v]; ok {
			ids[text] = history.ValueID(id)
		}
	}
	return ids
}

// stray reports a row that is of no slot of the history, or whose columns are not text.
func (r *rowReader) stray(row store.Row) (Violation, bool) {
	v := Violation{Anomaly: StrayRow, Slot: NoSlot}
	slot, known := r.slots[slotOf(row)]
	if known {
		v.Slot = slot
	}
	for _, column := range []struct {
		name  string
		field store.Field
	}{{"session", row.Session}, {"key", row.Key}, {"value", row.Value}} {
		if column.field.Type != store.Text {
			v.Sentence = fmt.Sprintf("the row of %s has a %s that is %s instead of text",
				rowName(row), column.name, fieldName(column.field))
			return v, true
		}
	}
	if known {
		return Violation{}, false
	}
	v.Sentence = fmt.Sprintf("the store keeps a row of %s, which nobody wrote to", rowName(row))
	return v, true
}

func rowName(row store.Row) string {
	return fmt.Sprintf("session %s, key %s", fieldName(row.Session), fieldName(row.Key))
}

// fieldName shows a field with its type, unless it is text: "a", blob "a", null.
func fieldName(f store.Field) string {
	switch f.Type {
	case store.Text:
		return quote(f.Text)
	case store.Null:
		return "null"
	}
	return f.Type.String() + " " + quote(f.Text)
}

// leaked is a row with a value that was written to another slot.
func (r *rowReader) leaked(slot uint32, value history.ValueID) Violation {
	writer, _ := writeOf(r.h, value)
	op := r.h.Ops[writer]
	return Violation{
		Anomaly: mixup(r.h.Slots[slot], r.h.Slots[op.Slot]), Slot: slot,
		Sentence: fmt.Sprintf("the row of %s has %s, which %s",
			slotName(r.h, slot), r.h.Text(value), writing(r.h, writer)),
	}
}

// unwritten is a row with a value that no write can have left.
func (r *rowReader) unwritten(slot uint32, text string) Violation {
	v := Violation{Anomaly: ValueFromNowhere, Slot: slot}
	row := "the row of " + slotName(r.h, slot) + " has "
	value, known := r.values[text]
	if !known {
		v.Sentence = row + quote(text) + ", which nobody wrote" + guessText(text)
		return v
	}
	if writer, written := writeOf(r.h, value); written {
		v.Anomaly = FailedWriteRead
		v.Sentence = row + r.h.Text(value) + ", although " + refusal(r.h, writer)
		return v
	}
	v.Sentence = row + r.h.Text(value) + ", which nobody wrote" + guess(r.h, value)
	return v
}
