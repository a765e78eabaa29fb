package notation

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

const (
	// maxForm is how many bytes one map, or one line of a log, has at most, so that a file whose
	// first quote is never closed is not taken into memory as a whole.
	maxForm = 64 << 20
	// itemSize is for how many bytes an item counts beside its own, since it takes memory.
	itemSize = 64
	// maxDepth is how deep things may stand within each other.
	maxDepth = 100
)

// parser reads EDN, or JSON as EDN in which colons are blanks and keys are texts. Commas may be
// missing in both.
type parser struct {
	in   *bufio.Reader
	json bool
	// line is that of the next byte, from 1.
	line int
	// limit is how many bytes a map, or a line of a log, has at most.
	limit int
	// size is how many bytes of the current map were read.
	size int
	buf  []byte
}

// next returns the next byte.
func (p *parser) next() (byte, error) {
	c, err := p.in.ReadByte()
	if err != nil {
		return 0, err
	}
	if c == '\n' {
		p.line++
	}
	return c, p.count(1)
}

// count counts bytes that were read.
func (p *parser) count(n int) error {
	if p.size += n; p.size > p.limit {
		return faultf(p.line, "a map of over %d bytes; want at most that many", p.limit)
	}
	return nil
}

// skip skips bytes that are in the buffer and do not end a line.
func (p *parser) skip(n int) error {
	if _, err := p.in.Discard(n); err != nil {
		return err
	}
	return p.count(n)
}

// peek returns the byte that next will return.
func (p *parser) peek() (byte, error) {
	head, err := p.in.Peek(1)
	if err != nil {
		return 0, err
	}
	return head[0], nil
}

// discard skips a byte that peek returned.
func (p *parser) discard() error {
	_, err := p.next()
	return err
}

func (p *parser) blank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == '\f' ||
		c == ':' && p.json
}

// start goes to the next thing in the file, over blanks and comments and what #_ takes out. It
// returns the first byte, which is still to be read.
func (p *parser) start(depth int) (byte, error) {
	for {
		c, err := p.peek()
		switch {
		case err != nil:
			return 0, err
		case p.blank(c):
			err = p.discard()
		case c == ';' && !p.json:
			err = p.skipLine()
		case c == '#' && p.follows("#_"):
			err = p.skipNext(depth)
		default:
			return c, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// follows reports whether the given bytes come next.
func (p *parser) follows(text string) bool {
	head, _ := p.in.Peek(len(text))
	return string(head) == text
}

func (p *parser) skipLine() error {
	for {
		if c, err := p.next(); err != nil || c == '\n' {
			return err
		}
	}
}

// skipNext skips #_ and the thing behind it.
func (p *parser) skipNext(depth int) error {
	line := p.line
	if err := errors.Join(p.discard(), p.discard()); err != nil {
		return err
	}
	_, err := p.element(depth + 1)
	if errors.Is(err, io.EOF) {
		return faultf(line, "nothing behind #_; want what it takes out"+cutOff)
	}
	return err
}

// cutOff is said of what the end of the file leaves open.
const cutOff = " (the file may be cut off)"

// element reads one thing. At the end of the file the error is io.EOF.
func (p *parser) element(depth int) (node, error) {
	if depth > maxDepth {
		return node{}, faultf(p.line, "nested over %d deep; want less", maxDepth)
	}
	c, err := p.start(depth)
	if err != nil {
		return node{}, err
	}
	switch c {
	case '"':
		s, err := p.text()
		return node{form: text, text: s}, err
	case '[', '(', '{':
		return p.collection(c, depth)
	case ']', ')', '}':
		return node{}, faultf(p.line, "%q closes nothing; want brackets in pairs", c)
	case '#':
		return p.dispatch(depth)
	}
	return p.atom()
}

// dispatch reads what starts with #: a set, or a tag, which is skipped.
func (p *parser) dispatch(depth int) (node, error) {
	line := p.line
	if err := p.discard(); err != nil {
		return node{}, err
	}
	if p.follows("{") {
		return p.collection('#', depth)
	}
	word, err := p.word()
	if err != nil {
		return node{}, err
	}
	if strings.HasPrefix(word, "#") { // ##Inf and its like
		return node{form: symbol, text: "#" + word}, nil
	}
	n, err := p.element(depth + 1)
	if errors.Is(err, io.EOF) {
		err = faultf(line, "nothing behind the tag #%.40s; want what it is about"+cutOff, word)
	}
	return n, err
}

// collection reads what is in brackets; opening is '#' for a set, whose # is read already.
func (p *parser) collection(opening byte, depth int) (node, error) {
	line, bracket := p.line, opening
	n := node{form: sequence}
	switch opening {
	case '{':
		n.form = table
	case '#':
		n.form, bracket = set, '{'
	}
	if err := p.discard(); err != nil {
		return node{}, err
	}
	for {
		closed, err := p.closes(bracket, line, depth)
		if err != nil || closed {
			return n, err
		}
		item, err := p.element(depth + 1)
		if err != nil {
			return node{}, p.within(err, bracket, line)
		}
		n.items = append(n.items, item)
		if err := p.count(itemSize); err != nil {
			return node{}, err
		}
	}
}

var closing = map[byte]byte{'[': ']', '(': ')', '{': '}'}

// closes reports whether the closing bracket is next, and reads it.
func (p *parser) closes(bracket byte, line, depth int) (bool, error) {
	c, err := p.start(depth)
	if err != nil {
		return false, p.within(err, bracket, line)
	}
	if c == closing[bracket] {
		return true, p.discard()
	}
	if c == ']' || c == ')' || c == '}' {
		return false, faultf(p.line, "%q stands where the %q of line %d is to be closed; want %q",
			c, bracket, line, closing[bracket])
	}
	return false, nil
}

// within says of the end of the file what it leaves open.
func (p *parser) within(err error, bracket byte, line int) error {
	if errors.Is(err, io.EOF) {
		return faultf(line, "%q is never closed; want %q"+cutOff, bracket, closing[bracket])
	}
	return err
}
