package history

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// appendText appends text as a JSON string, or as x"hex" if it is no valid UTF-8.
func appendText(dst []byte, text string) []byte {
	for i := range len(text) {
		if !plain(text[i]) {
			return appendOddText(dst, text)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, text...)
	return append(dst, '"')
}

// plain reports whether c stands for itself in a JSON string.
func plain(c byte) bool { return c >= ' ' && c <= '~' && c != '"' && c != '\\' }

func appendOddText(dst []byte, text string) []byte {
	if !utf8.ValidString(text) {
		return appendHex(append(dst, 'x'), text)
	}
	dst = append(dst, '"')
	for _, r := range text {
		dst = appendRune(dst, r)
	}
	return append(dst, '"')
}

func appendHex(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for i := range len(text) {
		dst = append(dst, hexDigits[text[i]>>4], hexDigits[text[i]&15])
	}
	return append(dst, '"')
}

// appendRune escapes whatever cannot be seen, so that no text can hide in a terminal.
func appendRune(dst []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case unicode.IsPrint(r):
		return utf8.AppendRune(dst, r)
	case r > 0xffff:
		high, low := utf16.EncodeRune(r)
		return appendUnit(appendUnit(dst, high), low)
	}
	return appendUnit(dst, r)
}

func appendUnit(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15],
		hexDigits[r>>4&15], hexDigits[r&15])
}

// unquote appends to dst the text that raw spells, which starts with a quote, or with x and a
// quote, and ends with a quote.
func unquote(dst, raw []byte) ([]byte, error) {
	if raw[0] == 'x' {
		return unquoteHex(dst, raw[1:])
	}
	body := raw[1 : len(raw)-1]
	for i := 0; i < len(body); {
		c := body[i]
		if c == '\\' {
			var err error
			if dst, i, err = unescape(dst, body, i+1); err != nil {
				return dst, err
			}
			continue
		}
		size, err := runeAt(body[i:])
		if err != nil {
			return dst, err
		}
		dst = append(dst, body[i:i+size]...)
		i += size
	}
	return dst, nil
}

// runeAt returns the length of the character that text starts with.
func runeAt(text []byte) (size int, err error) {
	if text[0] < ' ' {
		return 0, fmt.Errorf("control character %#02x in a text; want \\u%04x", text[0], text[0])
	}
	r, size := utf8.DecodeRune(text)
	if r == utf8.RuneError && size == 1 {
		return 0, fmt.Errorf(`a text is no valid UTF-8; want it in hex, as in x"ff00"`)
	}
	return size, nil
}

func unquoteHex(dst, raw []byte) ([]byte, error) {
	dst, err := hex.AppendDecode(dst, raw[1:len(raw)-1])
	if err != nil {
		return dst, fmt.Errorf(`x%.40s is no text in hex; `+
			`want pairs of hex digits, as in x"ff00"`, raw)
	}
	return dst, nil
}

// unescape appends the character whose escape goes on at index i, behind the backslash, and
// returns the index behind it.
func unescape(dst, body []byte, i int) ([]byte, int, error) {
	const short, meaning = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	for k := range len(short) {
		if body[i] == short[k] {
			return append(dst, meaning[k]), i + 1, nil
		}
	}
	r, ok := unit(body, i-1)
	i += len("uXXXX")
	if ok && utf16.IsSurrogate(r) {
		low, _ := unit(body, i)
		r = utf16.DecodeRune(r, low)
		i += len(`\uXXXX`)
		ok = r != unicode.ReplacementChar
	}
	if !ok {
		return dst, i, fmt.Errorf(`a text has an escape that JSON does not know; ` +
			`want one of \" \\ \/ \b \f \n \r \t \uXXXX, surrogates in pairs`)
	}
	return utf8.AppendRune(dst, r), i, nil
}

// unit reads the escape \uXXXX at index i.
func unit(body []byte, i int) (r rune, ok bool) {
	if len(body)-i < len(`\uXXXX`) || body[i] != '\\' || body[i+1] != 'u' {
		return 0, false
	}
	x, err := strconv.ParseUint(string(body[i+2:i+6]), 16, 16)
	return rune(x), err == nil
}
