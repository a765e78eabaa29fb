package history

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// SyntaxError says what is wrong with one line of a file, and what would be right.
type SyntaxError struct {
	// File is the name that the reader was given.
	File string
	// Line counts from 1.
	Line    int
	Problem string
}

// Error returns the error as "file:line: problem".
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// lineReader reads a file line by line.
type lineReader struct {
	in *bufio.Reader
	// number is that of the line that was read last, from 1.
	number int
	// cut is true if that line does not end with a newline.
	cut  bool
	long []byte
}

func newLineReader(r io.Reader) lineReader {
	return lineReader{in: bufio.NewReaderSize(r, flushAt)}
}

// errLongLine is the error of a line that is longer than a line may be.
var errLongLine = fmt.Errorf("a line of over %d bytes; want at most that many", maxLine)

// cutOff is said of a problem in a last line that lacks its end.
const cutOff = " (the file may be cut off: its last line has no end)"

// fault is the error for a line of the named file that could not be read.
func (l *lineReader) fault(what, name string, err error) error {
	if errors.Is(err, errLongLine) {
		return &SyntaxError{name, l.number, err.Error()}
	}
	return fmt.Errorf("read %s %s: line %d: %w", what, name, l.number, err)
}

// next returns the next line without its end, which is a newline or the pair of DOS. The line
// is good until the next call. At the end of the file the error is io.EOF.
func (l *lineReader) next() ([]byte, error) {
	l.number++
	line, err := l.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.rest(line)
	}
	l.cut = err != nil
	if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
		return nil, err
	}
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	if len(line) > maxLine {
		return nil, errLongLine
	}
	return line, nil
}

// rest reads on after the first part of a line that is longer than the buffer.
func (l *lineReader) rest(part []byte) ([]byte, error) {
	l.long = append(l.long[:0], part...)
	for {
		part, err := l.in.ReadSlice('\n')
		l.long = append(l.long, part...)
		if len(l.long) > maxLine+len("\r\n") {
			return nil, errLongLine
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, err
		}
	}
}
