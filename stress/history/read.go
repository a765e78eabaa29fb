package history

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"strings"
)

// Read reads a history in the text format. Its operations may stand in any order. The name is
// that of the file and stands in the *SyntaxError for a line that is wrong. Slots and values
// are numbered in the order in which the operations, sorted by call, name them.
func Read(r io.Reader, name string) (*History, error) {
	return newReader(r, name, true).read()
}

// ParseString reads a history from a text, which needs no first line "memrace-history 1" and no
// header: operations are enough. Lines may be indented. It is for tests, which can take a line
// of a history or a story as it is.
func ParseString(text string) (*History, error) {
	return newReader(strings.NewReader(text), "history", false).read()
}

// reader reads one file. Its methods for parts of a line leave problems to the scanner.
type reader struct {
	name  string
	lines lineReader
	scan  scanner
	// strict is true for a file that has to say in its first line what it is.
	strict bool
	// began is the number of the line that says what the file is, or 0.
	began int
	// header is true as long as header lines may follow.
	header bool

	h        *History
	values   *interner
	unsorted bool
	slots    map[Slot]uint32
	// spelled is slots by the bytes that the file has for them, which saves decoding.
	spelled map[string]uint32
	// writers holds for each value the line of the upsert that wrote it, or 0.
	writers []uint32
}

func newReader(r io.Reader, name string, strict bool) *reader {
	h := &History{}
	return &reader{
		name: name, lines: newLineReader(r), scan: scanner{layout: opLayout},
		strict: strict, header: true,
		h: h, values: newInterner(h, 0), writers: make([]uint32, 1),
		slots: make(map[Slot]uint32), spelled: make(map[string]uint32),
	}
}

func (r *reader) read() (*History, error) {
	for {
		line, err := r.lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, r.lines.fault("history", r.name, err)
		}
		r.scan.start(line)
		r.readLine()
		if r.scan.problem != "" {
			return nil, r.lineError()
		}
	}
	if r.strict && r.began == 0 {
		return nil, &SyntaxError{r.name, 1, notHistory}
	}
	if r.unsorted {
		sortByCall(r.h)
	}
	return r.h, r.checkClients()
}

const notHistory = `this is no memrace history; want "` + magic + " " + version + `" in line 1`

func (r *reader) lineError() error {
	problem := r.scan.problem
	if r.lines.cut && r.strict && r.began > 0 {
		problem += cutOff
	}
	return &SyntaxError{r.name, r.lines.number, problem}
}

func (r *reader) readLine() {
	s := &r.scan
	s.skipBlanks()
	if s.at == len(s.line) {
		r.header = r.header && r.began == 0 && len(r.h.Meta) == 0
		return
	}
	first := s.line[s.at]
	switch {
	case first == '#':
	case bytes.HasPrefix(s.line[s.at:], []byte(magic)):
		r.readMagic()
	case r.strict && r.began == 0:
		s.fail(notHistory)
	case first-'0' <= 9:
		r.header = false
		r.readOp()
	case r.header:
		r.readHeader()
	default:
		s.fail("%.40q is no operation; want it to start with the time of its call", s.word(""))
	}
}

func (r *reader) readMagic() {
	s := &r.scan
	if r.began > 0 {
		s.fail("a second header; want the one of line %d only", r.began)
		return
	}
	if !r.header || len(r.h.Meta) > 0 {
		s.fail("the line %q; want it before all others", magic)
		return
	}
	if string(s.word("name")) != magic || !s.more() ||
		string(s.word("version")) != version || s.more() {
		s.fail("%.60q is a format unknown to this memrace; want %q",
			bytes.TrimSpace(s.line), magic+" "+version)
	}
	r.began = r.lines.number
}

func (r *reader) readHeader() {
	s := &r.scan
	name, value, ok := bytes.Cut(s.line[s.at:], []byte(":"))
	if !ok || !headerName(name) {
		s.fail(`%.40q is neither a header line nor an operation; want "name: value", `+
			`or the time of a call first`, s.line[s.at:])
		return
	}
	value = bytes.Trim(value, " \t")
	meta := Meta{Name: string(name), Value: string(value)}
	if bytes.HasPrefix(value, []byte(`"`)) || bytes.HasPrefix(value, []byte(`x"`)) {
		s.start(value)
		meta.Value = string(s.unquote("value", s.quoted("value")))
		r.endLine()
	}
	r.h.Meta = append(r.h.Meta, meta)
}

func (r *reader) endLine() {
	if s := &r.scan; s.more() {
		s.fail("%.40q behind the end of the line; want nothing, or # and a comment", s.word(""))
	}
}

func (r *reader) readOp() {
	s := &r.scan
	var op Op
	op.Call = s.time("call")
	returned := s.peek() != '-'
	if returned {
		op.Return = s.time("return")
	} else if word := s.word("return"); len(word) > 1 {
		s.fail("the return is %.40q; want nanoseconds, or - for none", word)
	}
	op.Client = s.client()
	act := s.act()
	op.Kind, op.Whole = act.Kind, act.Whole
	op.Slot = r.slot()
	if op.Kind == Update {
		op.Seen = r.value()
	}
	op.Value = r.value()
	op.Outcome = s.outcome()
	op.Class = r.class()
	r.endLine()
	if s.problem == "" && returned == (op.Outcome == Unknown) {
		s.fail("outcome %v with return %s; want a time for ok and not-applied, - for unknown",
			op.Outcome, bytes.Fields(s.line)[1])
	}
	if s.problem == "" {
		if problem := cmp.Or(op.problem(), r.h.listProblem(op)); problem != "" {
			s.fail("%s", problem)
		}
	}
	if s.problem == "" {
		r.add(op)
	}
}

// add adds an operation that is right by itself.
func (r *reader) add(op Op) {
	if op.Kind.Writes() && op.Kind != Append {
		r.noteWriter(op.Value)
	}
	if n := len(r.h.Ops); n > 0 && op.Call < r.h.Ops[n-1].Call {
		r.unsorted = true
	}
	r.h.Ops = append(r.h.Ops, op)
	r.h.Lines = append(r.h.Lines, uint32(r.lines.number))
}

// noteWriter refuses a second write of one tag. Texts that are no tags may be written twice.
func (r *reader) noteWriter(id ValueID) {
	if _, _, ok := r.h.Tag(id); !ok {
		return
	}
	for len(r.writers) <= int(id) {
		r.writers = append(r.writers, 0)
	}
	if line := r.writers[id]; line != 0 {
		r.scan.fail("%s was written in line %d already; want a value that is written only once",
			r.h.Text(id), line)
		return
	}
	r.writers[id] = uint32(r.lines.number)
}

func (r *reader) slot() uint32 {
	s := &r.scan
	s.skipBlanks()
	start := s.at
	session := s.quoted("session")
	key := s.quoted("key")
	if s.problem != "" {
		return 0
	}
	spelling := s.line[start:s.at]
	if number, ok := r.spelled[string(spelling)]; ok {
		return number
	}
	slot := Slot{Session: string(s.unquote("session", session))}
	slot.Key = string(s.unquote("key", key))
	if s.problem != "" {
		return 0
	}
	number, ok := r.slots[slot]
	if !ok {
		number = uint32(len(r.h.Slots))
		r.h.Slots = append(r.h.Slots, slot)
		r.slots[slot] = number
	}
	r.spelled[string(spelling)] = number
	return number
}

func (r *reader) value() ValueID {
	s := &r.scan
	switch s.peek() {
	case '-':
		if word := s.word("value"); len(word) > 1 {
			s.fail("the value is %.40q; "+tagRemedy, word)
		}
		return None
	case 'v':
		if tag := s.tag(); tag != 0 {
			return r.values.tag(tag)
		}
		return None
	}
	text := s.unquote("value", s.quoted("value"))
	if s.problem != "" {
		return None
	}
	return r.values.textBytes(text)
}

// class reads the class, which may be missing. A name that is cut off could be that of another
// class, so that of a last line without an end must be known.
func (r *reader) class() Class {
	s := &r.scan
	if !s.more() {
		return ClassNone
	}
	word := s.word("class")
	class := ClassNamed(string(word))
	known := class != ClassOther || string(word) == ClassOther.String()
	if !className(word) || !known && r.lines.cut && r.strict {
		s.fail("%.40q is no class; want a name such as busy, or nothing", word)
	}
	return class
}

func className(word []byte) bool {
	for _, c := range word {
		if c-'a' >= 26 && c-'0' >= 10 && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
