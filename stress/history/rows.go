package history

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"memrace/store"
)

const (
	rowsMagic = "memrace-rows " + version
	rowLayout = "session key value updated_at"
)

// WriteRows writes rows of a store in text, one row a line: session, key and value, each with
// its type, and the time that the store noted. It returns an error for a field whose text is
// not of its type, and for a time outside the years 0 to 9999.
func WriteRows(w io.Writer, rows []store.Row) error {
	buf := append(make([]byte, 0, flushAt), rowsMagic+"\n# "+rowLayout+"\n"...)
	for i, row := range rows {
		var err error
		if buf, err = appendRow(buf, row); err != nil {
			return fmt.Errorf("write rows: row %d: %w", i, err)
		}
		if len(buf) < flushAt {
			continue
		}
		if _, err := w.Write(buf); err != nil {
			return fmt.Errorf("write rows: %w", err)
		}
		buf = buf[:0]
	}
	if _, err := w.Write(buf); err != nil {
		return fmt.Errorf("write rows: %w", err)
	}
	return nil
}

func appendRow(dst []byte, row store.Row) ([]byte, error) {
	var err error
	start := len(dst)
	for _, f := range []store.Field{row.Session, row.Key, row.Value} {
		if dst, err = appendField(dst, f); err != nil {
			return nil, err
		}
		dst = append(dst, ' ')
	}
	switch at := row.UpdatedAt.UTC(); {
	case at.IsZero():
		dst = append(dst, '-')
	case !fourDigits(at):
		return nil, fmt.Errorf("the time is in the year %d", at.Year())
	default:
		dst = at.AppendFormat(dst, time.RFC3339Nano)
	}
	if len(dst)-start > maxLine {
		return nil, fmt.Errorf("line of over %d bytes", maxLine)
	}
	return append(dst, '\n'), nil
}

// fourDigits reports whether the year of a time in UTC has its four digits in the file.
func fourDigits(at time.Time) bool { return 0 <= at.Year() && at.Year() <= 9999 }

func appendField(dst []byte, f store.Field) ([]byte, error) {
	if !wellFormed(f) {
		return nil, fmt.Errorf("field of type %v is %.40q", f.Type, f.Text)
	}
	switch f.Type {
	case store.Text:
		return appendText(dst, f.Text), nil
	case store.Blob:
		return appendHex(append(dst, "blob"...), f.Text), nil
	case store.Integer, store.Real:
		return append(append(append(append(dst, f.Type.String()...), '"'), f.Text...), '"'), nil
	}
	return append(dst, "null"...), nil
}

// wellFormed reports whether the text of a field is one of its type.
func wellFormed(f store.Field) bool {
	var err error
	switch f.Type {
	case store.Null:
		return f.Text == ""
	case store.Integer:
		_, err = strconv.ParseInt(f.Text, 10, 64)
	case store.Real:
		_, err = strconv.ParseFloat(f.Text, 64)
	}
	return err == nil && f.Type <= store.Real
}

// ReadRows reads what WriteRows wrote, with all times in UTC. The name is that of the file and
// stands in the *SyntaxError for a line that is wrong.
func ReadRows(r io.Reader, name string) ([]store.Row, error) {
	return readList(r, name, list{"rows", rowsMagic, rowLayout}, (*scanner).row)
}

// list is a text format of one item a line: what the items are, what line 1 says, and what each
// has.
type list struct{ what, magic, layout string }

// readList reads the items of a file, which is called name in errors.
func readList[T any](r io.Reader, name string, l list, item func(*scanner) T) ([]T, error) {
	var items []T
	s := scanner{layout: l.layout}
	lines := newLineReader(r)
	began := false
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) && began {
			return items, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, lines.fault(l.what, name, err)
		}
		s.start(line)
		switch {
		case err == nil && !s.more():
		case began:
			items = append(items, item(&s))
		case string(line) == l.magic:
			began = true
		default:
			s.fail("these are no %s of memrace; want %q in line 1", l.what, l.magic)
		}
		if s.problem != "" && began && lines.cut {
			s.problem += cutOff
		}
		if s.problem != "" {
			return nil, &SyntaxError{name, lines.number, s.problem}
		}
	}
}

func (s *scanner) row() store.Row {
	row := store.Row{Session: s.field("session"), Key: s.field("key"), Value: s.field("value")}
	word := string(s.word("time"))
	if s.problem == "" && word != "-" {
		at, err := time.Parse(time.RFC3339Nano, word)
		row.UpdatedAt = at.UTC()
		if err != nil || !fourDigits(row.UpdatedAt) {
			s.fail("the time is %.40q; want one such as 2026-01-31T12:00:00.5Z, or -", word)
		}
	}
	if s.more() {
		s.fail("%.40q behind the end of the row; want nothing, or # and a comment", s.word(""))
	}
	return row
}

func (s *scanner) field(what string) store.Field {
	if s.peek() == 'n' {
		if word := s.word(what); string(word) != "null" {
			s.fail("the %s is %.40q; "+fieldRemedy, what, word)
		}
		return store.Field{}
	}
	raw := s.quoted(what)
	if s.problem != "" {
		return store.Field{}
	}
	open := 0
	for raw[open] != '"' {
		open++
	}
	f := store.Field{Text: string(raw[open+1 : len(raw)-1])}
	switch string(raw[:open]) {
	case "", "x":
		return store.TextField(string(s.unquote(what, raw)))
	case "blob":
		text, err := unquoteHex(nil, raw[open:])
		if err != nil {
			s.fail("the blob is no hex; want pairs of hex digits")
		}
		return store.Field{Type: store.Blob, Text: string(text)}
	case "integer":
		f.Type = store.Integer
	case "real":
		f.Type = store.Real
	}
	if f.Type == store.Null || !wellFormed(f) {
		s.fail("the %s is %.40q; "+fieldRemedy, what, raw)
	}
	return f
}

const fieldRemedy = `want a text in quotes, null, blob"hex", integer"5" or real"5.5"`
