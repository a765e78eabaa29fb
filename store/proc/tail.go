package proc

import (
	"bytes"
	"regexp"
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

// stacks are the ways in which programs end that show a stack; the group is where they say what
// happened, which may have several lines.
var stacks = []*regexp.Regexp{
	// Python: below the stack.
	regexp.MustCompile(`(?m)^Traceback \(.*\):\n(?:[ \t].*\n)+(\S.*(?:\n.+)*)\z`),
	// JavaScript and Java: above it. Node says its version at the very end.
	regexp.MustCompile(`(?m)^(\S.*(?:\n\S.*)*)(?:\n[ \t]+at .*)+` +
		`(?:\n[ \t}].*)*(?:\n+Node\.js.*)?\z`),
	// Go: above those of all goroutines.
	regexp.MustCompile(`(?m)^((?:panic|fatal error): .*)\n(?:.*\n)*?goroutine (?s:.*)\z`),
}

// lastWords returns what the program says at its end: above or below a stack, or else in the last
// line that is not blank.
func (t *tail) lastWords() string {
	text := bytes.TrimSpace(t.text())
	for _, stack := range stacks {
		if m := stack.FindSubmatch(text); m != nil {
			return string(m[1])
		}
	}
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}
