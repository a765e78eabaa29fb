package proc

import (
	"errors"
	"fmt"
	"strings"
)

// ParseCommand takes a command line apart into words as a POSIX shell does: at blanks outside of
// quotes, with backslashes. Nothing else that a shell does is done, so a character by which
// something else is meant, such as a pipe, is refused outside of quotes.
func ParseCommand(line string) (Command, error) {
	w := words{rest: line}
	for w.rest != "" {
		if err := w.next(); err != nil {
			return Command{}, fmt.Errorf("command %q: %w", line, err)
		}
	}
	w.end()
	c := Command{Argv: w.found}
	if err := c.Validate(); err != nil {
		return Command{}, fmt.Errorf("command %q: %w", line, err)
	}
	return c, nil
}

type words struct {
	rest  string
	word  strings.Builder
	open  bool // a word has begun, which may be empty still
	found []string
}

func (w *words) end() {
	if w.open {
		w.found = append(w.found, w.word.String())
	}
	w.open = false
	w.word.Reset()
}

// next takes in a character, or all of a quoted part.
func (w *words) next() error {
	b := w.rest[0]
	w.rest = w.rest[1:]
	switch {
	case strings.IndexByte(" \t\n", b) >= 0:
		w.end()
		return nil
	case strings.IndexByte("|&;<>()$`", b) >= 0:
		return fmt.Errorf("%q means something to a shell only, and none reads it; "+
			"quote it, or write sh -c '...'", b)
	}
	w.open = true
	switch b {
	case '\'':
		return w.single()
	case '"':
		return w.double()
	case '\\':
		return w.escaped()
	}
	w.word.WriteByte(b)
	return nil
}

func (w *words) single() error {
	inside, rest, closed := strings.Cut(w.rest, "'")
	if !closed {
		return errors.New("a ' is not closed")
	}
	w.word.WriteString(inside)
	w.rest = rest
	return nil
}

func (w *words) double() error {
	for i := 0; i < len(w.rest); i++ {
		switch b := w.rest[i]; {
		case b == '"':
			w.rest = w.rest[i+1:]
			return nil
		case b == '\\' && i+1 < len(w.rest) && strings.IndexByte("\"\\$`", w.rest[i+1]) >= 0:
			i++
			w.word.WriteByte(w.rest[i])
		default:
			w.word.WriteByte(b)
		}
	}
	return errors.New(`a " is not closed`)
}

func (w *words) escaped() error {
	if w.rest == "" {
		return errors.New(`there is nothing behind the last \`)
	}
	w.word.WriteByte(w.rest[0])
	w.rest = w.rest[1:]
	return nil
}
