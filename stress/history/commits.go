package history

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"memrace/store"
)

const (
	commitsMagic = "memrace-commits " + version
	commitLayout = "transaction session key value"
)

// WriteCommits writes the commits of a store in text, one a line, in their order. The value of a
// commit that deleted is -. It returns an error for a transaction below 0.
func WriteCommits(w io.Writer, commits []store.Commit) error {
	buf := append(make([]byte, 0, flushAt), commitsMagic+"\n# "+commitLayout+"\n"...)
	for i, c := range commits {
		if c.Transaction < 0 || c.Transaction == math.MaxInt64 {
			return fmt.Errorf("write commits: commit %d: transaction %d", i, c.Transaction)
		}
		buf = append(strconv.AppendInt(buf, c.Transaction, 10), ' ')
		buf = append(appendSlot(buf, Slot{c.Session, c.Key}), ' ')
		if c.Deleted {
			buf = append(buf, '-')
		} else {
			buf = appendText(buf, c.Value)
		}
		buf = append(buf, '\n')
		if len(buf) < flushAt {
			continue
		}
		if _, err := w.Write(buf); err != nil {
			return fmt.Errorf("write commits: %w", err)
		}
		buf = buf[:0]
	}
	if _, err := w.Write(buf); err != nil {
		return fmt.Errorf("write commits: %w", err)
	}
	return nil
}

// ReadCommits reads what WriteCommits wrote. The name is that of the file and stands in the
// *SyntaxError for a line that is wrong.
func ReadCommits(r io.Reader, name string) ([]store.Commit, error) {
	return readList(r, name, list{"commits", commitsMagic, commitLayout}, (*scanner).commit)
}

func (s *scanner) commit() store.Commit {
	c := store.Commit{Transaction: s.number("transaction", "a number")}
	c.Session = string(s.unquote("session", s.quoted("session")))
	c.Key = string(s.unquote("key", s.quoted("key")))
	if s.peek() == '-' {
		c.Deleted = true
		if word := s.word("value"); len(word) > 1 {
			s.fail("the value is %.40q; want a text in quotes, or -", word)
		}
	} else {
		c.Value = string(s.unquote("value", s.quoted("value")))
	}
	if s.more() {
		s.fail("%.40q behind the end of the commit; want nothing, or # and a comment", s.word(""))
	}
	return c
}
