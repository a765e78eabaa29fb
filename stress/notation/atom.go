package notation

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// word reads up to the next blank, bracket, quote or semicolon.
func (p *parser) word() (string, error) {
	p.buf = p.buf[:0]
	err := p.span(p.ends)
	return string(p.buf), err
}

// span appends to buf what comes before the next byte that ends it, as each end of a line does, or
// before the end of the file.
func (p *parser) span(ends func(byte) bool) error {
	for {
		// All that the buffer holds, and at least a byte.
		window, err := p.in.Peek(max(p.in.Buffered(), 1))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		n := 0
		for n < len(window) && !ends(window[n]) {
			n++
		}
		ended := n < len(window) || n == 0
		p.buf = append(p.buf, window[:n]...)
		if err := p.skip(n); err != nil || ended {
			return err
		}
	}
}

// ends reports whether a word ends before c.
func (p *parser) ends(c byte) bool {
	switch c {
	case '(', ')', '[', ']', '{', '}', '"', ';':
		return true
	}
	return p.blank(c)
}

// atom reads nil, a number, a keyword, a symbol or a character.
func (p *parser) atom() (node, error) {
	line := p.line
	word, err := p.word()
	switch {
	case err != nil:
		return node{}, err
	case word == "":
		c, _ := p.peek()
		return node{}, faultf(line, "%q stands where a value should be", c)
	case word == "nil" && !p.json, word == "null" && p.json:
		return node{}, nil
	case word[0] == ':' && len(word) > 1:
		return node{form: keyword, text: word}, nil
	case isNumber(word):
		return node{form: number, text: word}, nil
	case p.json && word != "true" && word != "false":
		return node{}, faultf(line, "%.40q is no JSON; want a text, a number, true, false, null, "+
			"an array or an object", word)
	case word == ":":
		return node{}, faultf(line, "a colon alone; want a keyword such as :ok, and no JSON in "+
			"a file of EDN")
	}
	return node{form: symbol, text: word}, nil
}

func isNumber(word string) bool {
	digits := strings.TrimLeft(word, "+-")
	return len(word)-len(digits) <= 1 && digits != "" && digits[0]-'0' <= 9
}

// text reads a text in quotes.
func (p *parser) text() (string, error) {
	line := p.line
	p.buf = p.buf[:0]
	err := p.discard()
	for err == nil {
		if err = p.span(endsPlainText); err != nil {
			break
		}
		var c byte
		c, err = p.next()
		switch {
		case err != nil:
		case c == '"':
			return string(p.buf), nil
		case c == '\\':
			err = p.escape()
		case c == '\n' && p.json:
			err = faultf(line, `a text has no closing quote in its line; want one, and \n for a `+
				`new line within a text`)
		default:
			p.buf = append(p.buf, c)
		}
	}
	if errors.Is(err, io.EOF) {
		err = faultf(line, "a text has no closing quote; want one"+cutOff)
	}
	return "", err
}

func endsPlainText(c byte) bool { return c == '"' || c == '\\' || c == '\n' }

// escape reads what follows a backslash in a text.
func (p *parser) escape() error {
	const short, meaning = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	c, err := p.next()
	if err != nil {
		return err
	}
	if i := strings.IndexByte(short, c); i >= 0 {
		p.buf = append(p.buf, meaning[i])
		return nil
	}
	if c != 'u' {
		return faultf(p.line, `unknown escape \%c in a text; want one of \" \\ \/ \b \f \n \r \t `+
			`\uXXXX`, c)
	}
	r, err := p.unit()
	if err != nil {
		return err
	}
	if utf16.IsSurrogate(r) {
		if r, err = p.surrogate(r); err != nil {
			return err
		}
	}
	p.buf = utf8.AppendRune(p.buf, r)
	return nil
}

// surrogate returns the character whose first half is high.
func (p *parser) surrogate(high rune) (rune, error) {
	if p.follows(`\u`) {
		if err := errors.Join(p.discard(), p.discard()); err != nil {
			return 0, err
		}
		low, err := p.unit()
		if err != nil {
			return 0, err
		}
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			return r, nil
		}
	}
	return 0, faultf(p.line, `half a surrogate pair, \u%04x, in a text; want both halves`, high)
}

// unit reads the four digits of \uXXXX.
func (p *parser) unit() (rune, error) {
	var digits [4]byte
	for i := range digits {
		c, err := p.next()
		if err != nil {
			return 0, err
		}
		digits[i] = c
	}
	x, err := strconv.ParseUint(string(digits[:]), 16, 16)
	if err != nil {
		return 0, faultf(p.line, `\u%.4q in a text; want four hex digits behind \u`, digits[:])
	}
	return rune(x), nil
}
