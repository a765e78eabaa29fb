// Package witness makes a failure smaller and draws it in text: it is what a person sees first
// when their store is broken.
//
// It does not judge. Whether operations are wrong is for the caller's predicate to say, and what
// is wrong with them is told in the caller's words.
package witness

import (
	"fmt"
	"io"
	"strings"

	"memrace/stress/history"
)

// NoSlot is the slot of a case that is not about a slot.
const NoSlot = ^uint32(0)

// Case is a failure as whoever judged the history found it.
type Case struct {
	// Anomaly is the short name of what is wrong, for instance "stale read".
	Anomaly string
	// Slot is where, as an index into History.Slots; NoSlot where it is no slot's failure.
	Slot uint32
	// Sentence says why it is wrong. It may be empty.
	Sentence string
	// Ops are the operations that prove it, as indices into History.Ops; Shrink makes them few.
	// Empty where the failure rests on something else.
	Ops []int
}

// Story is a failure as it is shown. All its text is printable ASCII.
type Story struct {
	// Headline is the anomaly and the slot or list.
	Headline string
	// Sentence says why it is wrong.
	Sentence string
	// Drawing is what Draw made of the operations; empty if there are none.
	Drawing string
	// Lines are the operations in the notation of the history file, whole, so that a program
	// can read them back. String shortens what is long in them.
	Lines []string
	// Width is how many columns String may use.
	Width int
}

const (
	indent = "  "
	// headlineText, proseText and lineText are how many columns a quoted text may take.
	headlineText = 32
	proseText    = 32
	lineText     = 40
	lineHeader   = "# call return client kind session key [seen] value outcome [class]"
)

// Tell returns the story of a case of h. Width counts columns; 0 means DefaultWidth.
func Tell(h *history.History, c Case, width int) Story {
	s := Story{
		Headline: ascii(c.Anomaly),
		Sentence: ascii(c.Sentence),
		Width:    columns(width),
	}
	if int64(c.Slot) < int64(len(h.Slots)) {
		s.Headline += ": " + shorten(c.where(h), headlineText)
	}
	ops := union([][]int{c.Ops})
	s.Drawing = Draw(h, ops, s.Width-len(indent))
	for _, i := range ops {
		s.Lines = append(s.Lines, ascii(h.Line(i)))
	}
	return s
}

// where names the slot of the case, or the list that has its number.
func (c Case) where(h *history.History) string {
	slot := h.Slots[c.Slot]
	for _, i := range c.Ops {
		op := &h.Ops[i]
		if op.Slot == c.Slot && (op.Kind == history.Add || op.Kind == history.Items) {
			return "list of session " + quote(slot.Session)
		}
	}
	return fmt.Sprintf("session %s, key %s", quote(slot.Session), quote(slot.Key))
}

// String returns the story as a person reads it: headline, sentence, drawing and operations.
func (s Story) String() string {
	var b strings.Builder
	b.WriteString(s.Headline + "\n")
	if s.Sentence != "" {
		prose := wrap(shorten(s.Sentence, proseText), columns(s.Width)-len(indent))
		b.WriteString("\n" + indented(prose))
	}
	if s.Drawing != "" {
		b.WriteString("\n" + indented(strings.Split(strings.TrimSuffix(s.Drawing, "\n"), "\n")))
	}
	if len(s.Lines) > 0 {
		b.WriteString("\n" + indented(s.listed()))
	}
	return b.String()
}

// Write writes the story as String returns it.
func (s Story) Write(w io.Writer) error {
	if _, err := io.WriteString(w, s.String()); err != nil {
		return fmt.Errorf("write story: %w", err)
	}
	return nil
}

// listed returns the lines as they are shown.
func (s Story) listed() []string {
	shown := []string{lineHeader}
	for _, line := range s.Lines[:min(len(s.Lines), maxListed)] {
		if len(line) > columns(s.Width) {
			line = shorten(line, lineText)
		}
		shown = append(shown, line)
	}
	if more := len(s.Lines) - maxListed; more > 0 {
		shown = append(shown, fmt.Sprintf("# and %d more", more))
	}
	return shown
}

func indented(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
	return b.String()
}
