package witness

import (
	"encoding/hex"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// quote returns text as a JSON string of printable ASCII, or as x"hex" where it is not valid
// UTF-8: the notation of the history file. What a store or a test names its sessions must not
// reach a terminal as it is.
func quote(text string) string {
	if !utf8.ValidString(text) {
		return `x"` + hex.EncodeToString([]byte(text)) + `"`
	}
	return ascii(`"` + quoter.Replace(text) + `"`)
}

var quoter = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// ascii returns s with all that is not printable ASCII as JSON escapes, so that a JSON string in
// it still means the same. Bytes that are no UTF-8 become \ufffd.
func ascii(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= ' ' && r <= '~' {
			b.WriteByte(byte(r))
			continue
		}
		if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
			escape(&b, hi)
			r = lo
		}
		escape(&b, r)
	}
	return b.String()
}

func escape(b *strings.Builder, r rune) {
	b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		b.WriteByte(hexDigits[r>>shift&15])
	}
}

// shorten returns s, printable ASCII, with the middle left out of each quoted text in it that
// is longer than limit columns. The middle, because hostile names are often prefixes of each other.
func shorten(s string, limit int) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '"')
		if open < 0 {
			return b.String() + s
		}
		units, rest := splitQuoted(s[open+1:])
		b.WriteString(s[:open+1])
		b.WriteString(elide(units, limit-len(`""`)))
		if rest != "" {
			b.WriteByte('"')
			rest = rest[1:]
		}
		s = rest
	}
}

// splitQuoted splits s up to the quote that ends it into characters and whole escapes; rest
// begins with that quote, or is empty where there is none.
func splitQuoted(s string) (units []string, rest string) {
	for len(s) > 0 && s[0] != '"' {
		n := 1
		switch {
		case strings.HasPrefix(s, `\ud`) && len(s) >= 12 && strings.HasPrefix(s[6:], `\ud`):
			n = len(`\ud83d\ude00`)
		case strings.HasPrefix(s, `\u`):
			n = min(len(`\u0000`), len(s))
		case s[0] == '\\':
			n = min(len(`\n`), len(s))
		}
		units, s = append(units, s[:n]), s[n:]
	}
	return units, s
}

// elide joins units, with dots for the middle where they have more than limit columns.
func elide(units []string, limit int) string {
	whole := strings.Join(units, "")
	if len(whole) <= limit {
		return whole
	}
	room := max(limit-len("..."), 0)
	from, head := 0, ""
	for len(head)+len(units[from]) <= room*2/3 {
		head += units[from]
		from++
	}
	to, tail := len(units), ""
	for len(tail)+len(units[to-1]) <= room-len(head) {
		to--
		tail = units[to] + tail
	}
	return head + "..." + tail
}

// wrap breaks s at spaces into lines of at most width columns; a word that is longer than that
// is broken as well.
func wrap(s string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(s) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len(*last)+1+len(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
		for tail := lines[len(lines)-1]; len(tail) > width; tail = lines[len(lines)-1] {
			lines[len(lines)-1] = tail[:width]
			lines = append(lines, tail[width:])
		}
	}
	return lines
}
