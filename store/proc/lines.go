package proc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLine is the length in bytes of the longest line that is read; that of a store's every row is
// the longest one there is.
const maxLine = 64 << 20

// lines reads lines and knows which one it is at. A last one that has no end, since its writer
// ended first, is left out.
type lines struct {
	in     *bufio.Reader
	number int
	line   []byte
	err    error
}

func newLines(r io.Reader) *lines { return &lines{in: bufio.NewReaderSize(r, 64<<10)} }

// next goes to the next line. It reports false if there is none.
func (l *lines) next() bool {
	var long []byte // the parts of a line that is longer than the buffer
	for {
		part, err := l.in.ReadSlice('\n')
		switch {
		case err == nil && long == nil:
			l.line = part
			l.number++
			return true
		case err == nil:
			l.line = append(long, part...)
			l.number++
			return true
		case !errors.Is(err, bufio.ErrBufferFull):
			l.err = err
			return false
		case len(long)+len(part) > maxLine:
			l.err = fmt.Errorf("line %d is longer than %d MiB", l.number+1, maxLine>>20)
			return false
		}
		long = append(long, part...)
	}
}

// failure returns why there are no more lines; nil at the end.
func (l *lines) failure() error {
	if errors.Is(l.err, io.EOF) {
		return nil
	}
	return l.err
}

// wrong says why the present line is not what it should be.
func (l *lines) wrong(what string, why error) error {
	return fmt.Errorf("line %d is no %s, since %w: %s", l.number, what, why,
		shown(bytes.TrimRight(l.line, "\r\n")))
}

// shown is the beginning of a line, for an error.
func shown(line []byte) string {
	const most = 100
	if len(line) > most {
		return fmt.Sprintf("%q...", line[:most])
	}
	return fmt.Sprintf("%q", line)
}
