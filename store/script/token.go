package script

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a token of SQL is.
type kind uint8

const (
	word      kind = iota // a keyword, a name or a number
	quoted                // a text or a name in quotes
	parameter             // :name, its text without the colon
	alien                 // a parameter of another form: ?, ?1, @name, $name
	comment
	mark // any other character
)

// token is a piece of SQL, which stands at text[from:to] of what was read.
type token struct {
	kind     kind
	text     string
	from, to int
	line     int
	// first is true if nothing but blanks stands before it in its line.
	first bool
}

func (t token) is(keyword string) bool {
	return t.kind == word && strings.EqualFold(t.text, keyword)
}

// name returns the text without quotes, and a parameter with its colon.
func (t token) name() string {
	if t.kind == parameter {
		return ":" + t.text
	}
	return strings.Trim(t.text, "\"`[]'")
}

// lexer takes SQL apart as far as one must to find the ends of statements and their parameters.
type lexer struct {
	text     string
	at, line int
	first    bool
}

// closers are the ends of what is quoted, by its beginning.
var closers = map[byte]byte{'\'': '\'', '"': '"', '`': '`', '[': ']'}

// next returns the next token; false at the end. An error begins with the number of the line.
func (l *lexer) next() (token, bool, error) {
	l.skipBlanks()
	if l.at == len(l.text) {
		return token{}, false, nil
	}
	t := token{from: l.at, line: l.line, first: l.first}
	l.first = false
	length, k := 0, mark
	rest, c := l.text[l.at:], l.text[l.at]
	switch {
	case strings.HasPrefix(rest, "--"):
		length, k = lengthTo(rest, "\n"), comment
	case strings.HasPrefix(rest, "/*"):
		length, k = 2+lengthTo(rest[2:], "*/")+2, comment
	case closers[c] != 0:
		length, k = quotedLength(rest, closers[c]), quoted
	case strings.IndexByte(":@$", c) >= 0 && wordLength(rest[1:]) > 0:
		length, k = 1+wordLength(rest[1:]), alien
		if c == ':' {
			k = parameter
		}
	case c == '?':
		length, k = 1+wordLength(rest[1:]), alien
	case wordLength(rest) > 0:
		length, k = wordLength(rest), word
	default:
		_, length = utf8.DecodeRuneInString(rest)
	}
	if length > len(rest) {
		opener, closer := string(c), string(closers[c])
		if k == comment {
			opener, closer = "/*", "*/"
		}
		return t, false, fmt.Errorf("%d: what begins here with %s has no end; close it with %s",
			l.line, opener, closer)
	}
	t.kind, t.text, t.to = k, rest[:length], l.at+length
	if k == parameter {
		t.text = t.text[1:]
	}
	l.line += strings.Count(rest[:length], "\n")
	l.at += length
	return t, true, nil
}

func (l *lexer) skipBlanks() {
	for ; l.at < len(l.text) && strings.IndexByte(" \t\r\n\f\v", l.text[l.at]) >= 0; l.at++ {
		if l.text[l.at] == '\n' {
			l.line++
			l.first = true
		}
	}
}

// lengthTo returns how long s is up to the mark; all of it without one.
func lengthTo(s, mark string) int {
	if i := strings.Index(s, mark); i >= 0 {
		return i
	}
	return len(s)
}

// quotedLength returns the length with both quotes, and more than there is if one lacks. A quote
// that is doubled ends nothing.
func quotedLength(s string, closer byte) int {
	for i := 1; i < len(s); i++ {
		if s[i] != closer {
			continue
		}
		if i+1 == len(s) || s[i+1] != closer {
			return i + 1
		}
		i++
	}
	return len(s) + 1
}

func wordLength(s string) int {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return i
		}
	}
	return len(s)
}
