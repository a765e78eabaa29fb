package proc

import (
	"bytes"
	"sync"
)

// maxTail is how many bytes of a child's standard error are kept: the last ones.
const maxTail = 16 << 10

// tail keeps the end of what is written to it. The zero tail is empty. It may be read while it is
// written.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write takes all of p.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - maxTail; over > maxTail {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// text returns the last maxTail bytes.
func (t *tail) text() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.kept[max(0, len(t.kept)-maxTail):])
}

// lastLine returns the last line that is not blank, which is where most programs say what happened.
func (t *tail) lastLine() string {
	text := bytes.TrimSpace(t.text())
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}
