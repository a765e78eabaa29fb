// Package notation reads histories that were recorded by others, in the notations that they have
// for them, and writes EDN, so that other checkers can read ours.
//
// It neither judges a history nor opens a file: it reads from an io.Reader and writes to an
// io.Writer. The format of memrace itself is that of package history.
package notation

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"regexp"

	"memrace/stress/history"
)

// Format is a way in which a history is written down. The zero Format is Auto.
type Format uint8

// The formats.
const (
	// Auto: the first meaningful line says which of the others it is.
	Auto Format = iota
	// Memrace is the format of package history.
	Memrace
	// EDN is one map for each call and each return, as Jepsen keeps them.
	EDN
	// Log is the lines that Jepsen logged in the days of Knossos.
	Log
	// JSONLines is EDN's maps as JSON objects.
	JSONLines
)

var formatNames = []string{"auto", "memrace", "edn", "log", "jsonl"}

// String returns the format's name: auto, memrace, edn, log or jsonl.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return fmt.Sprintf("format(%d)", uint8(f))
}

// ParseFormat is the counterpart of Format.String.
func ParseFormat(name string) (Format, error) {
	for i, n := range formatNames {
		if n == name {
			return Format(i), nil
		}
	}
	return 0, fmt.Errorf("unknown format %q; want auto, memrace, edn, log or jsonl", name)
}

// MarshalText returns the format's name.
func (f Format) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText sets the format to the one of that name.
func (f *Format) UnmarshalText(name []byte) (err error) {
	*f, err = ParseFormat(string(name))
	return err
}

// bufferSize is how many bytes are read at once, and in how many the format has to show.
const bufferSize = 64 << 10

// Read reads a history, which may be compressed by gzip. The name is that of the file and stands
// in the *history.SyntaxError for a line that is wrong. Memory grows with the operations, not with
// the length of the file. Operations of files without stamps stand 1000 nanoseconds apart.
func Read(r io.Reader, name string, format Format) (*history.History, error) {
	in := bufio.NewReaderSize(r, bufferSize)
	if head, _ := in.Peek(2); string(head) == "\x1f\x8b" {
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("read history %s: %w", name, err)
		}
		in = bufio.NewReaderSize(unzipped, bufferSize)
	}
	if head, _ := in.Peek(len(byteOrderMark)); string(head) == byteOrderMark {
		if _, err := in.Discard(len(head)); err != nil {
			return nil, fmt.Errorf("read history %s: %w", name, err)
		}
	}
	if format == Auto {
		if format = recognise(in); format == Auto {
			return nil, &history.SyntaxError{File: name, Line: 1, Problem: noHistory}
		}
	}
	if format == Memrace {
		return history.Read(in, name)
	}
	return newReader(in, name, format, maxForm).read()
}

// byteOrderMark is what some editors put in front of a text.
const byteOrderMark = "\ufeff"

const noHistory = `this is no history; want "memrace-history 1" in line 1, or maps of EDN, ` +
	`JSON objects or log lines of Jepsen`

var (
	taggedForm = regexp.MustCompile(`^#(_|[A-Za-z][^\s{]*[ ]?\{)`)
	jsonObject = regexp.MustCompile(`^\[?\s*\{\s*"`)
)

// recognise tells the format from the first line that is neither blank nor a comment. It returns
// Auto if there is none or it is like nothing that is known.
func recognise(in *bufio.Reader) Format {
	head, _ := in.Peek(bufferSize)
	for {
		head = bytes.TrimLeft(head, " \t\r\n,")
		if len(head) == 0 || head[0] != '#' || taggedForm.Match(head) {
			break
		}
		_, head, _ = bytes.Cut(head, []byte("\n"))
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	switch {
	case bytes.HasPrefix(line, []byte("memrace-history")):
		return Memrace
	case jsonObject.Match(head):
		return JSONLines
	case len(line) > 0 && bytes.IndexByte([]byte("{[(;#"), line[0]) >= 0:
		return EDN
	case logHead.Match(line):
		return Log
	}
	return Auto
}

// reader reads one file that is not in the format of memrace.
type reader struct {
	*parser
	name   string
	format Format
	calls  *calls
}

func newReader(in *bufio.Reader, name string, format Format, limit int) *reader {
	p := &parser{in: in, line: 1, json: format == JSONLines, limit: limit}
	return &reader{parser: p, name: name, format: format, calls: newCalls(format)}
}

func (r *reader) read() (*history.History, error) {
	err := r.events()
	if err == nil {
		r.calls.spread()
		err = r.calls.finish()
	}
	if err == nil {
		return r.calls.h, nil
	}
	var wrong *fault
	switch {
	case errors.As(err, &wrong):
		return nil, &history.SyntaxError{File: r.name, Line: wrong.line, Problem: wrong.problem}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &history.SyntaxError{File: r.name, Line: r.line,
			Problem: "the compressed file is cut off; want the whole of it"}
	}
	return nil, fmt.Errorf("read history %s: line %d: %w", r.name, r.line, err)
}

func (r *reader) events() error {
	if r.format == Log {
		return r.logLines()
	}
	return r.maps()
}

// fault is what is wrong with a line.
type fault struct {
	line    int
	problem string
}

// Error returns the problem.
func (f *fault) Error() string { return f.problem }

func faultf(line int, format string, args ...any) error {
	return &fault{line, fmt.Sprintf(format, args...)}
}
