package notation

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
)

// logHead is how a line of a log begins: perhaps with a date, and with how serious it is.
var logHead = regexp.MustCompile(`^([\d-]+[ T][\d:.,]+\S*\s+)?(INFO|WARN|ERROR|DEBUG|TRACE)\b`)

// logger is what logged the operations.
const logger = "jepsen.util"

// logLines reads a log. What other loggers have in it are no operations.
func (r *reader) logLines() error {
	words := &parser{in: bufio.NewReader(nil), limit: r.limit}
	for n := 1; ; n++ {
		line, err := r.logLine()
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		op, err := findOp(n, string(bytes.TrimSpace(line)))
		if err != nil {
			return err
		}
		if op == "" {
			continue
		}
		words.in.Reset(strings.NewReader(op))
		words.line, words.size = n, 0
		e, err := words.logEvent(op)
		if err == nil {
			err = r.calls.add(e)
		}
		if err != nil {
			return err
		}
	}
}

// logLine returns the next line with its end, if it has one.
func (r *reader) logLine() ([]byte, error) {
	r.buf = r.buf[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		r.buf = append(r.buf, part...)
		if len(r.buf) > r.limit {
			return nil, faultf(r.line, "a line of over %d bytes; want at most that many", r.limit)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if err == nil {
				r.line++
			}
			return r.buf, err
		}
	}
}

// findOp returns what a line says of an operation, or "" if it is about something else.
func findOp(n int, line string) (string, error) {
	if line == "" {
		return "", nil
	}
	_, op, found := strings.Cut(line, logger)
	other := strings.Contains(line, " - ") || strings.Contains(line, ": ")
	if !logHead.MatchString(line) || !found && !other {
		return "", faultf(n, "%s is no line of a log; want INFO, "+logger+
			" and an operation, as in line 1", quoted(line))
	}
	op = strings.TrimLeft(op, " \t")
	op = strings.TrimPrefix(strings.TrimPrefix(op, "- "), ": ")
	return strings.TrimSpace(op), nil
}

// logEvent reads the process, the type, the function, the value and perhaps an error.
func (p *parser) logEvent(line string) (event, error) {
	e := event{line: p.line}
	for i, field := range []*node{&e.process, &e.typ, &e.f, &e.value, &e.failure} {
		n, err := p.element(0)
		if errors.Is(err, io.EOF) && i == 4 {
			return e, nil
		}
		if errors.Is(err, io.EOF) {
			return e, faultf(e.line, "%s is no whole operation; want process, type, f and value"+
				cutOff, quoted(line))
		}
		if err != nil {
			return e, err
		}
		*field = n
	}
	if n, err := p.element(0); err == nil {
		return e, faultf(e.line, "%s behind the operation; want nothing", n.shown())
	} else if !errors.Is(err, io.EOF) {
		return e, err
	}
	return e, nil
}
