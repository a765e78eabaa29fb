package history

import (
	"bytes"
	"fmt"
	"math"
)

// scanner reads the fields of a line one after the other. The first problem sticks: after it,
// whatever is read is empty.
type scanner struct {
	line    []byte
	at      int
	text    []byte
	problem string
	// layout is what a line has, for the error of one that ends too early.
	layout string
}

func (s *scanner) start(line []byte) { s.line, s.at, s.problem = line, 0, "" }

func (s *scanner) fail(format string, args ...any) {
	if s.problem == "" {
		s.problem = fmt.Sprintf(format, args...)
		s.at = len(s.line)
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

func (s *scanner) skipBlanks() {
	for s.at < len(s.line) && blank(s.line[s.at]) {
		s.at++
	}
}

// more reports whether another field follows. What starts with # is a comment.
func (s *scanner) more() bool {
	s.skipBlanks()
	return s.at < len(s.line) && s.line[s.at] != '#'
}

func (s *scanner) tooShort(what string) {
	s.fail("the line ends where its %s should be; want %s", what, s.layout)
}

// word returns the next field, which is called what in an error.
func (s *scanner) word(what string) []byte {
	if !s.more() {
		s.tooShort(what)
		return nil
	}
	start := s.at
	for s.at < len(s.line) && !blank(s.line[s.at]) {
		s.at++
	}
	return s.line[start:s.at]
}

// peek returns the first byte of the next field, or 0 if there is none.
func (s *scanner) peek() byte {
	if !s.more() {
		return 0
	}
	return s.line[s.at]
}

// quoted returns the next field as it is spelled: a prefix of letters (none, or x) and a text
// in quotes. It has a closing quote; nothing else about it is known to be right.
func (s *scanner) quoted(what string) []byte {
	if !s.more() {
		s.tooShort(what)
		return nil
	}
	start := s.at
	for s.at < len(s.line) && s.line[s.at]-'a' < 26 {
		s.at++
	}
	if s.at == len(s.line) || s.line[s.at] != '"' {
		s.at = start
		s.fail(`the %s is %.40q; want a text in quotes`, what, s.word(what))
		return nil
	}
	if !s.skipText() {
		s.fail(`the %s has no closing quote; want one, and \" for a quote within the text`, what)
		return nil
	}
	if s.at < len(s.line) && !blank(s.line[s.at]) {
		s.fail("no blank behind the closing quote of the %s; want one", what)
		return nil
	}
	return s.line[start:s.at]
}

// skipText goes from an opening quote to behind the closing one.
func (s *scanner) skipText() bool {
	for s.at++; s.at < len(s.line); s.at++ {
		switch s.line[s.at] {
		case '"':
			s.at++
			return true
		case '\\':
			s.at++
		}
	}
	s.at = len(s.line)
	return false
}

// unquote returns the text that raw, which quoted returned, spells. It is good until the next.
func (s *scanner) unquote(what string, raw []byte) []byte {
	if s.problem != "" {
		return nil
	}
	if raw[0] != '"' && !bytes.HasPrefix(raw, []byte(`x"`)) {
		s.fail(`the %s is %.40q; want a text in quotes, or x and hex in quotes`, what, raw)
		return nil
	}
	var err error
	if s.text, err = unquote(s.text[:0], raw); err != nil {
		s.fail("%v", err)
	}
	return s.text
}

func (s *scanner) time(what string) int64 { return s.number(what, "nanoseconds") }

func (s *scanner) number(what, unit string) int64 {
	word := s.word(what)
	n, end := number(word, 0, math.MaxInt64-1)
	if end != len(word) {
		s.fail("the %s is %.40q; want %s, 0 to 9223372036854775806", what, word, unit)
	}
	return int64(n)
}

func (s *scanner) client() Client {
	word := s.word("client")
	c, ok := clientNamed(string(word))
	if !ok {
		s.fail("unknown client %.40q; "+clientRemedy, word)
	}
	return c
}

func (s *scanner) act() Act {
	word := s.word("kind")
	a, ok := actNamed(string(word))
	if !ok {
		s.fail("unknown kind %.40q; "+actRemedy, word)
	}
	return a
}

func (s *scanner) outcome() Outcome {
	word := s.word("outcome")
	o, ok := outcomeNamed(string(word))
	if !ok {
		s.fail("unknown outcome %.40q; want ok, not-applied or unknown", word)
	}
	return o
}

// tag reads a tag, as in v3.17.
func (s *scanner) tag() Value {
	word := s.word("value")
	client, at := number(word, 1, maxClient)
	if at < 0 || at == len(word) || word[at] != '.' {
		s.fail("the value is %.40q; "+tagRemedy, word)
		return 0
	}
	step, at := number(word, at+1, maxStep)
	if at != len(word) {
		s.fail("the value is %.40q; "+tagRemedy, word)
		return 0
	}
	return TagValue(Client(client), uint32(step))
}

const tagRemedy = `want v<client>.<step> (client to 2147483647, step to 4294967294), a text or -`
