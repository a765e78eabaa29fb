package notation

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"memrace/stress/history"
)

// headerProcess and headerF mark the events that keep header lines.
const (
	headerProcess = ":memrace"
	headerF       = "header"
)

// WriteEDN writes h as Jepsen would, one map a line: a call and a return for each operation, in
// the order of time. Read gives the same operations and the same header back. An upsert is a
// :write, a get a :read, a delete a :write of nil and an update a :cas, or an :update where it is
// not known what it saw; a call on a whole session is one event, however many operations it is.
// Tags are symbols.
func WriteEDN(w io.Writer, h *history.History) error {
	e := &ednWriter{out: bufio.NewWriterSize(w, bufferSize), h: h,
		slots: make([][]byte, len(h.Slots)), processes: processes(h)}
	for _, m := range h.Meta {
		e.header(m)
	}
	for _, moment := range moments(h) {
		if moment.isReturn() {
			e.comeBack(moment.op)
		} else {
			e.call(moment.op)
		}
	}
	if err := e.out.Flush(); err != nil {
		return fmt.Errorf("write EDN: %w", err)
	}
	return nil
}

// ednWriter writes events. An error of the file shows when out is flushed.
type ednWriter struct {
	out *bufio.Writer
	h   *history.History
	// slots are the names of slots, as far as they were needed.
	slots     [][]byte
	processes []uint32 // by operation
	line      []byte
	index     int
}

func (e *ednWriter) header(m history.Meta) {
	e.line = append(e.line[:0], "{:process "+headerProcess+", :type :info, :f :"+headerF+
		", :value ["...)
	e.line = append(appendText(e.line, m.Name), ' ')
	e.line = append(appendText(e.line, m.Value), "]"...)
	e.end()
}

func (e *ednWriter) end() {
	e.line = append(e.line, "}\n"...)
	e.out.Write(e.line)
}

// call writes the call of an operation, and that it crashed if it never returned.
func (e *ednWriter) call(i int) {
	op := &e.h.Ops[i]
	value := op.Value
	if !op.Kind.Writes() {
		value = history.None
	}
	e.event(i, "invoke", op.Call, value)
	e.end()
	if op.Outcome == history.Unknown {
		e.event(i, "info", op.Call, value)
		e.class(op)
		e.end()
	}
}

func (e *ednWriter) comeBack(i int) {
	op := &e.h.Ops[i]
	typ := "ok"
	if op.Outcome == history.NotApplied {
		typ = "fail"
	}
	e.event(i, typ, op.Return, op.Value)
	e.class(op)
	e.end()
}

// event begins the line of an event.
func (e *ednWriter) event(i int, typ string, at int64, value history.ValueID) {
	op := &e.h.Ops[i]
	dst := strconv.AppendInt(append(e.line[:0], "{:index "...), int64(e.index), 10)
	e.index++
	dst = strconv.AppendUint(append(dst, ", :process "...), uint64(e.processes[i]), 10)
	dst = append(append(dst, ", :type :"...), typ...)
	dst = append(append(append(dst, ", :f :"...), functionOf(op)...), ", :value "...)
	switch {
	case op.Whole:
		dst = e.appendWhole(dst, partsOf(e.h, i), typ == "ok")
	case op.Kind == history.Update:
		dst = append(e.appendValue(append(dst, '['), op.Seen), ' ')
		dst = append(e.appendValue(dst, value), ']')
	default:
		dst = e.appendValue(dst, value)
	}
	dst = e.appendSlot(dst, op)
	if history.Client(e.processes[i]) != op.Client {
		dst = append(append(dst, ", :client :"...), op.Client.String()...)
	}
	e.line = strconv.AppendInt(append(dst, ", :time "...), at, 10)
}

// class adds why an operation is not ok, unless Read finds that out by itself.
func (e *ednWriter) class(op *history.Op) {
	failed := op.Outcome == history.NotApplied && functionOf(op) == "cas"
	if op.Class != history.ClassNone || failed {
		e.line = append(append(e.line, ", :class :"...), op.Class.String()...)
	}
}

// functionOf returns what Jepsen calls the kind of an operation.
func functionOf(op *history.Op) string {
	if op.Whole {
		return op.Act().String()
	}
	switch op.Kind {
	case history.Get:
		return "read"
	case history.Upsert, history.Delete:
		return "write"
	case history.Update:
		if op.Outcome != history.OK && op.Seen == history.None &&
			op.Class != history.ClassMismatch {
			return "update"
		}
		return "cas"
	}
	return op.Kind.String()
}

// appendSlot appends the session of an operation, and its key if it is about one.
func (e *ednWriter) appendSlot(dst []byte, op *history.Op) []byte {
	s := e.h.Slots[op.Slot]
	if op.Whole || op.Kind == history.Add {
		return appendText(append(dst, ", :session "...), s.Session)
	}
	if e.slots[op.Slot] == nil {
		text := appendText([]byte(", :session "), s.Session)
		e.slots[op.Slot] = appendText(append(text, ", :key "...), s.Key)
	}
	return append(dst, e.slots[op.Slot]...)
}

func (e *ednWriter) appendValue(dst []byte, id history.ValueID) []byte {
	if id == history.None {
		return append(dst, "nil"...)
	}
	if i, foreign := e.h.Values[id].Foreign(); foreign {
		return appendText(dst, e.h.Foreign[i])
	}
	return appendTag(dst, e.h.Values[id])
}

// appendTag appends a tag as a symbol.
func appendTag(dst []byte, v history.Value) []byte {
	client, step, _ := v.Tag()
	dst = strconv.AppendUint(append(dst, 'v'), uint64(client), 10)
	return strconv.AppendUint(append(dst, '.'), uint64(step), 10)
}

// escapes are the characters that no text of EDN can have as they are, or that nobody would see.
var escapes = strings.NewReplacer(escaped()...)

func escaped() []string {
	pairs := []string{`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\x7f", `\u007f`}
	for c := range rune(' ') {
		if c != '\n' && c != '\r' && c != '\t' {
			pairs = append(pairs, string(c), fmt.Sprintf(`\u%04x`, c))
		}
	}
	return pairs
}

// appendText appends text in quotes, or as {:hex "ff00"} if it is no valid UTF-8.
func appendText(dst []byte, text string) []byte {
	if !utf8.ValidString(text) {
		dst = hex.AppendEncode(append(dst, "{"+hexKey+` "`...), []byte(text))
		return append(dst, `"}`...)
	}
	return append(append(append(dst, '"'), escapes.Replace(text)...), '"')
}
