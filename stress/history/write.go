package history

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

const (
	magic   = "memrace-history"
	version = "1"
	// opLayout is what the line of an operation has.
	opLayout = "call return client kind session key [seen] value outcome [class]"
	// maxLine is how many bytes a line has at most, so that a file without lines is not taken
	// into memory as a whole.
	maxLine = 64 << 20
	// flushAt is how many bytes are collected before they are written.
	flushAt = 64 << 10
)

// Write writes h in the text format, one operation a line. It returns an error if h is no
// history that Read could read back because of one operation or header line by itself;
// whether operations contradict each other is for Read to say.
func Write(w io.Writer, h *History) error {
	buf, err := appendHeader(make([]byte, 0, 2*flushAt), h.Meta)
	if err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	slots := make([][]byte, len(h.Slots))
	for i, op := range h.Ops {
		if problem := h.problem(op); problem != "" {
			return fmt.Errorf("write history: operation %d: %s", i, problem)
		}
		if slots[op.Slot] == nil {
			slots[op.Slot] = appendSlot(nil, h.Slots[op.Slot])
		}
		start := len(buf)
		buf = h.appendOp(buf, op, slots[op.Slot])
		if len(buf)-start > maxLine {
			return fmt.Errorf("write history: operation %d: line of over %d bytes", i, maxLine)
		}
		buf = append(buf, '\n')
		if len(buf) < flushAt {
			continue
		}
		if _, err := w.Write(buf); err != nil {
			return fmt.Errorf("write history: %w", err)
		}
		buf = buf[:0]
	}
	if _, err := w.Write(buf); err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	return nil
}

func appendHeader(dst []byte, meta []Meta) ([]byte, error) {
	dst = append(dst, magic+" "+version+"\n"...)
	for _, m := range meta {
		if !headerName(m.Name) {
			return nil, fmt.Errorf("header line %.40q: %s", m.Name, nameRemedy)
		}
		dst = append(dst, m.Name...)
		dst = append(dst, ':')
		if m.Value != "" {
			dst = appendMetaValue(append(dst, ' '), m.Value)
		}
		dst = append(dst, '\n')
	}
	return append(dst, "\n# "+opLayout+"\n"...), nil
}

const nameRemedy = "want a name of a-z, 0-9, '-', '_' and '.' that starts with a letter"

// headerName reports whether name can stand before the colon of a header line.
func headerName[T string | []byte](name T) bool {
	for i := range len(name) {
		letter := name[i]-'a' < 26
		other := name[i]-'0' < 10 || name[i] == '-' || name[i] == '_' || name[i] == '.'
		if !letter && (i == 0 || !other) {
			return false
		}
	}
	return len(name) > 0 && string(name) != magic
}

func appendMetaValue(dst []byte, value string) []byte {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }
	if strings.ContainsFunc(value, hidden) || strings.TrimSpace(value) != value ||
		strings.HasPrefix(value, `"`) || strings.HasPrefix(value, `x"`) {
		return appendText(dst, value)
	}
	return append(dst, value...)
}

// problem says what is wrong with op as an operation of h, or returns "".
func (h *History) problem(op Op) string {
	if int(op.Slot) >= len(h.Slots) {
		return fmt.Sprintf("slot %d of %d", op.Slot, len(h.Slots))
	}
	for _, value := range []ValueID{op.Value, op.Seen} {
		if value != None && int(value) >= len(h.Values) {
			return fmt.Sprintf("value %d of %d", value, len(h.Values))
		}
		if value != None && !h.canName(h.Values[value]) {
			return fmt.Sprintf("value %d is neither a tag nor a text of the history", value)
		}
	}
	if !op.Act().known() || op.Outcome > NotApplied || op.Class > ClassOther {
		return fmt.Sprintf("%v with %v and class %d", op.Act(), op.Outcome, op.Class)
	}
	if op.Client > maxClient && op.Client.Numbered() {
		return fmt.Sprintf("unknown client %q; %s", op.Client, clientRemedy)
	}
	if op.Call < 0 {
		return fmt.Sprintf("called at %d; want no time before 0", op.Call)
	}
	return cmp.Or(op.problem(), h.listProblem(op))
}

// listProblem says what is wrong with the slot of an operation on a list, or returns "".
func (h *History) listProblem(op Op) string {
	if key := h.Slots[op.Slot].Key; (op.Kind == Add || op.Kind == Items) && key != "" {
		return fmt.Sprintf(`%v with the key %.40q; want "", since a session has one list`, op.Act(),
			key)
	}
	return ""
}

// canName reports whether v has a spelling of its own in the file.
func (h *History) canName(v Value) bool {
	if i, foreign := v.Foreign(); foreign {
		return i < len(h.Foreign)
	}
	client, step, ok := v.Tag()
	return ok && client <= maxClient && step <= maxStep
}

// problem says what is wrong with op whatever the history, or returns "".
func (op Op) problem() string {
	switch {
	case op.Outcome != Unknown && op.Return < op.Call:
		return fmt.Sprintf("returns at %d, before it is called at %d; "+
			"want no return before its call", op.Return, op.Call)
	case op.Kind.Writes() && op.Value == None:
		return fmt.Sprintf("an %v without a value; want the value it wrote", op.Kind)
	case op.Kind == Delete && op.Value != None:
		return fmt.Sprintf("a %v with a value; want -", op.Act())
	case !op.Kind.Writes() && op.Value != None && op.Outcome != OK:
		return fmt.Sprintf("a %v with a value is %v; want ok, or - for the value", op.Act(),
			op.Outcome)
	case op.Kind != Update && op.Seen != None:
		return fmt.Sprintf("a value seen by %v; want one of update only", op.Act())
	case !op.Kind.onlyReads() && !op.Client.Numbered():
		return fmt.Sprintf("%v by %v, which only reads; want get", op.Act(), op.Client)
	case op.Outcome == OK && op.Class != ClassNone:
		return fmt.Sprintf("class %v of an operation that is ok; want no class", op.Class)
	}
	return ""
}

// appendOp appends the line of op, whose slot is already spelled.
func (h *History) appendOp(dst []byte, op Op, slot []byte) []byte {
	dst = append(strconv.AppendInt(dst, op.Call, 10), ' ')
	if op.Outcome == Unknown {
		dst = append(dst, '-')
	} else {
		dst = strconv.AppendInt(dst, op.Return, 10)
	}
	dst = append(op.Client.append(append(dst, ' ')), ' ')
	dst = append(append(dst, op.Act().String()...), ' ')
	dst = append(append(dst, slot...), ' ')
	if op.Kind == Update {
		dst = append(h.appendValue(dst, op.Seen), ' ')
	}
	dst = append(h.appendValue(dst, op.Value), ' ')
	dst = append(dst, op.Outcome.String()...)
	if op.Class != ClassNone {
		dst = append(append(dst, ' '), op.Class.String()...)
	}
	return dst
}

func (h *History) appendValue(dst []byte, id ValueID) []byte {
	if id == None {
		return append(dst, '-')
	}
	if i, foreign := h.Values[id].Foreign(); foreign {
		return appendText(dst, h.Foreign[i])
	}
	return appendTag(dst, h.Values[id])
}

func appendTag(dst []byte, v Value) []byte {
	client, step, _ := v.Tag()
	dst = strconv.AppendUint(append(dst, 'v'), uint64(client), 10)
	return strconv.AppendUint(append(dst, '.'), uint64(step), 10)
}

func appendSlot(dst []byte, s Slot) []byte {
	return appendText(append(appendText(dst, s.Session), ' '), s.Key)
}
