package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// given is a text that a request may have. The zero given is one that it has not.
type given struct {
	text string
	is   bool
	flaw string // why it is no text; "" if it is one
}

// UnmarshalJSON implements json.Unmarshaler. It takes what is no text as well, so that whoever sent
// it can be told.
func (g *given) UnmarshalJSON(data []byte) error {
	*g = given{is: string(data) != "null"}
	switch {
	case !g.is:
	case data[0] != '"':
		g.flaw = "is no text"
	case !unicodeText(data):
		g.flaw = "is no Unicode: a byte in it is no UTF-8, or an escape is half of a pair"
	default:
		return json.Unmarshal(data, &g.text)
	}
	return nil
}

// unicodeText is true for a string in JSON that encoding/json reads as it is. In others it would
// put U+FFFD for what makes no sense.
func unicodeText(quoted []byte) bool {
	half := false // what comes right before is the first half of a pair
	for i := 0; i < len(quoted); i++ {
		first, second := false, false
		if quoted[i] == '\\' {
			i++
			if quoted[i] == 'u' {
				n, _ := strconv.ParseUint(string(quoted[i+1:i+5]), 16, 16) // encoding/json looked
				first, second = utf16.IsSurrogate(rune(n)) && n < 0xDC00, n >= 0xDC00 && n < 0xE000
				i += 4
			}
		}
		if half != second {
			return false
		}
		half = first
	}
	return utf8.Valid(quoted)
}

// names are what JSON calls a value, and kinds what a member is to be, in the words of an error.
var (
	names = map[string]string{"string": "a text", "number": "a number", "bool": "true or false",
		"array": "a list", "object": "an object"}
	kinds = map[reflect.Kind]string{reflect.String: "a text", reflect.Bool: "true or false",
		reflect.Int: "a whole number", reflect.Int64: "a whole number",
		reflect.Slice: "a list", reflect.Struct: "an object", reflect.Map: "an object"}
)

// shape says what is the matter with a line of which encoding/json says err.
func shape(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) || wrong.Field == "" {
		return errors.New("it is no JSON object of the right shape")
	}
	is, known := names[wrong.Value]
	if !known {
		is = "the " + wrong.Value // "number 1.5"
	}
	want, known := kinds[wrong.Type.Kind()]
	if !known {
		want = "another value"
	}
	member := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]
	return fmt.Errorf("%q is %s; it has to be %s", member, is, want)
}
