package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible returns s with an escape in place of whatever cannot be seen, so that nothing can turn
// a text round or make the page no page. Line ends and tabs stay.
func visible(s string) string {
	return escape(s, func(r rune) bool { return unicode.IsPrint(r) || r == '\n' || r == '\t' })
}

// ascii is visible for texts whose width counts.
func ascii(s string) string {
	return escape(s, func(r rune) bool { return r >= ' ' && r <= '~' })
}

// escape returns s with an escape of Go's in place of each character that does not stand for
// itself, and of each byte that is no UTF-8.
func escape(s string, plain func(rune) bool) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case plain(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
		s = s[size:]
	}
	return b.String()
}

// elide returns s with the middle left out if it has more than limit bytes. The middle, because
// hostile names are often prefixes of each other.
func elide(s string, limit int) string {
	const dots = "..."
	if len(s) <= limit {
		return s
	}
	tail := (limit - len(dots)) / 3
	head := limit - len(dots) - tail
	return strings.ToValidUTF8(s[:head], "") + dots + strings.ToValidUTF8(s[len(s)-tail:], "")
}

// maxLine is how many bytes of an operation's line are shown.
const maxLine = 4 << 10

// shortLine returns a line whole, unless nobody would read it to its end.
func shortLine(line string) string {
	if len(line) <= maxLine {
		return line
	}
	return fmt.Sprintf("%s # shortened from %d bytes", elide(line, maxLine), len(line))
}

// count is a number with its noun: "1 run", "3 runs".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
