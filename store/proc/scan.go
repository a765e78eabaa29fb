package proc

import (
	"strconv"
	"unicode/utf8"
)

// kind is what sort of value a member of a JSON object has.
type kind byte

const (
	text   kind = 's'
	number kind = 'n' // a whole one
	truth  kind = 't'
	lie    kind = 'f'
	null   kind = 'z'
)

// scanner reads a JSON object that is as simple as most lines are: no nesting, no escapes, whole
// numbers. Whatever is not that simple makes it give up, which says nothing about the line; then
// encoding/json is asked.
type scanner struct {
	line []byte
	at   int
}

// flat calls take for each member. It reports false if the object is not so simple, or if take
// does not take a member; take may then have been called for some.
func flat(line []byte, take func(name, value []byte, k kind) bool) bool {
	s := scanner{line: line}
	if !s.eat('{') {
		return false
	}
	for {
		name, ok := s.quoted()
		if !ok || !s.eat(':') {
			return false
		}
		value, k, ok := s.value()
		if !ok || !take(name, value, k) {
			return false
		}
		if s.eat(',') {
			continue
		}
		return s.eat('}') && s.end()
	}
}

func (s *scanner) space() {
	for s.at < len(s.line) {
		switch s.line[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// eat passes over one byte, if it comes next.
func (s *scanner) eat(b byte) bool {
	s.space()
	if s.at >= len(s.line) || s.line[s.at] != b {
		return false
	}
	s.at++
	return true
}

func (s *scanner) end() bool {
	s.space()
	return s.at == len(s.line)
}

// quoted reads a string that stands for itself.
func (s *scanner) quoted() ([]byte, bool) {
	if !s.eat('"') {
		return nil, false
	}
	from, ascii := s.at, true
	for ; s.at < len(s.line); s.at++ {
		switch b := s.line[s.at]; {
		case b == '"':
			found := s.line[from:s.at]
			s.at++
			return found, ascii || utf8.Valid(found)
		case b == '\\' || b < ' ':
			return nil, false
		case b >= utf8.RuneSelf:
			ascii = false
		}
	}
	return nil, false
}

func (s *scanner) value() ([]byte, kind, bool) {
	s.space()
	if s.at == len(s.line) {
		return nil, 0, false
	}
	switch b := s.line[s.at]; {
	case b == '"':
		found, ok := s.quoted()
		return found, text, ok
	case b == '-' || '0' <= b && b <= '9':
		return s.whole()
	}
	for _, word := range []struct {
		text string
		kind kind
	}{{"true", truth}, {"false", lie}, {"null", null}} {
		end := s.at + len(word.text)
		if end <= len(s.line) && string(s.line[s.at:end]) == word.text {
			s.at = end
			return nil, word.kind, true
		}
	}
	return nil, 0, false
}

// whole reads a whole number as JSON writes it, which is without zeros in front.
func (s *scanner) whole() ([]byte, kind, bool) {
	from := s.at
	if s.line[s.at] == '-' {
		s.at++
	}
	digits := s.at
	for s.at < len(s.line) && '0' <= s.line[s.at] && s.line[s.at] <= '9' {
		s.at++
	}
	found := s.line[from:s.at]
	ok := s.at > digits && (s.line[digits] != '0' || s.at == digits+1)
	return found, number, ok
}

// integer sets to to a number. It reports false for what is none, or too large for an int64.
func integer(to *int64, value []byte, k kind) bool {
	if k != number {
		return false
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	*to = n
	return err == nil
}
