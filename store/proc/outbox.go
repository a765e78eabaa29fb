package proc

import (
	"fmt"
	"io"
	"runtime"
	"sync"
)

// outbox is lines that are to be written. Whoever adds one never waits for the writing; lines that
// come in while others are being written are written together.
type outbox struct {
	mu     sync.Mutex
	lines  []byte
	closed bool
	wake   chan struct{} // has one element if there is something to do
}

func newOutbox() *outbox { return &outbox{wake: make(chan struct{}, 1)} }

// add puts a whole line into the box. What is added after close is dropped.
func (o *outbox) add(line []byte) {
	o.mu.Lock()
	first := len(o.lines) == 0
	if !o.closed {
		o.lines = append(o.lines, line...)
	}
	o.mu.Unlock()
	if first {
		o.signal()
	}
}

// close lets run return once it has written what there is.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.signal()
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run writes lines to w until the box is closed. After an error nothing more is written.
func (o *outbox) run(w io.Writer) error {
	var batch []byte
	for range o.wake {
		runtime.Gosched() // whoever is about to add a line does so before it is written
		for {
			o.mu.Lock()
			batch, o.lines = o.lines, batch[:0]
			closed := o.closed
			o.mu.Unlock()
			if len(batch) == 0 && closed {
				return nil
			}
			if len(batch) == 0 {
				break
			}
			if _, err := w.Write(batch); err != nil {
				o.close()
				return fmt.Errorf("write lines: %w", err)
			}
			if cap(batch) > maxKept {
				batch = nil
			}
		}
	}
	return nil
}

// maxKept is the largest buffer, in bytes, that is kept for the next lines.
const maxKept = 1 << 20
