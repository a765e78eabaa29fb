package notation

import (
	"bufio"
	"io"

	"memrace/stress/history"
)

// ReadWithin is Read, in a format that is known, with another limit on maps and lines, in bytes.
func ReadWithin(r io.Reader, format Format, limit int) (*history.History, error) {
	return newReader(bufio.NewReaderSize(r, bufferSize), "f", format, limit).read()
}

// BufferSize is how many bytes are read at once.
const BufferSize = bufferSize
