package history_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
)

const (
	began = "memrace-history 1\n"
	cut   = " (the file may be cut off: its last line has no end)"
)

// syntaxCase is a text and the error that it gives, without the name of the file.
type syntaxCase struct{ name, text, want string }

func requireSyntaxErrors(t *testing.T, tests []syntaxCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := history.ParseString(tt.text)
			requireEqual(t, "history:"+tt.want, fmt.Sprint(err))
			var syntax *history.SyntaxError
			require.ErrorAs(t, err, &syntax)
		})
	}
}

func TestSyntaxErrorsInWords(t *testing.T) {
	requireSyntaxErrors(t, []syntaxCase{
		{"time", `x1 2 c0 get "s" "k" - ok`,
			`1: "x1 2 c0 get \"s\" \"k\" - ok" is neither a header line nor an operation; ` +
				`want "name: value", or the time of a call first`},
		{"time of call", `1x 2 c0 get "s" "k" - ok`,
			`1: the call is "1x"; want nanoseconds, 0 to 9223372036854775806`},
		{"time of return", `1 2.5 c0 get "s" "k" - ok`,
			`1: the return is "2.5"; want nanoseconds, 0 to 9223372036854775806`},
		{"time too late", `9223372036854775808 - c0 get "s" "k" - unknown`,
			`1: the call is "9223372036854775808"; want nanoseconds, 0 to 9223372036854775806`},
		{"negative return", `1 -2 c0 get "s" "k" - ok`,
			`1: the return is "-2"; want nanoseconds, or - for none`},
		{"return first", `5 4 c0 get "s" "k" - ok`,
			`1: returns at 4, before it is called at 5; want no return before its call`},
		{"no return", `1 - c0 get "s" "k" - ok`,
			`1: outcome ok with return -; want a time for ok and not-applied, - for unknown`},
		{"return of unknown", `1 2 c0 get "s" "k" - unknown`,
			`1: outcome unknown with return 2; want a time for ok and not-applied, - for unknown`},
		{"client", `1 2 3 get "s" "k" - ok`,
			`1: unknown client "3"; want c0 to c2147483647, final, dump or reopen`},
		{"client out of range", `1 2 c2147483648 get "s" "k" - ok`,
			`1: unknown client "c2147483648"; want c0 to c2147483647, final, dump or reopen`},
		{"kind", `1 2 c0 put "s" "k" - ok`,
			`1: unknown kind "put"; want upsert, get, delete, update, take, append, ` +
				`list, clear, add or items`},
		{"outcome", `1 2 c0 get "s" "k" - failed`,
			`1: unknown outcome "failed"; want ok, not-applied or unknown`},
		{"class", `1 2 c0 get "s" "k" - not-applied BUSY`,
			`1: "BUSY" is no class; want a name such as busy, or nothing`},
		{"class of ok", `1 2 c0 get "s" "k" - ok busy`,
			`1: class busy of an operation that is ok; want no class`},
	})
}

const layout = "; want call return client kind session key [seen] value outcome [class]"

func TestSyntaxErrorsInLines(t *testing.T) {
	requireSyntaxErrors(t, []syntaxCase{
		{"garbage", `1 2 c0 get "s" "k" - ok none more`,
			`1: "more" behind the end of the line; want nothing, or # and a comment`},
		{"delete with value", `1 2 c0 delete "s" "k" v0.0 ok`,
			`1: a delete with a value; want -`},
		{"upsert without value", `1 2 c0 upsert "s" "k" - ok`,
			`1: an upsert without a value; want the value it wrote`},
		{"get that failed with value", `1 2 c0 get "s" "k" v0.0 not-applied`,
			`1: a get with a value is not-applied; want ok, or - for the value`},
		{"final that writes", `1 2 final delete "s" "k" - ok`,
			`1: delete by final, which only reads; want get`},
		{"missing field", `1 2 c0 get "s"`,
			`1: the line ends where its key should be` + layout},
		{"comment instead of field", `1 2 c0 get "s" # "k" - ok`,
			`1: the line ends where its key should be` + layout},
	})
}

func TestSyntaxErrorsInTexts(t *testing.T) {
	requireSyntaxErrors(t, []syntaxCase{
		{"no quotes", `1 2 c0 get s "k" - ok`,
			`1: the session is "s"; want a text in quotes`},
		{"other prefix", `1 2 c0 get b"00" "k" - ok`,
			`1: the session is "b\"00\""; want a text in quotes, or x and hex in quotes`},
		{"no closing quote", `1 2 c0 get "s" "k - ok\"`,
			`1: the key has no closing quote; want one, and \" for a quote within the text`},
		{"no blank", `1 2 c0 get "s""k" - ok`,
			`1: no blank behind the closing quote of the session; want one`},
		{"no UTF-8", "1 2 c0 get \"s\xff\" \"k\" - ok",
			`1: a text is no valid UTF-8; want it in hex, as in x"ff00"`},
		{"control character", "1 2 c0 get \"s\" \"\t\" - ok",
			`1: control character 0x09 in a text; want \u0009`},
		{"escape", `1 2 c0 get "s" "\x41" - ok`,
			`1: a text has an escape that JSON does not know; ` +
				`want one of \" \\ \/ \b \f \n \r \t \uXXXX, surrogates in pairs`},
		{"lone surrogate", `1 2 c0 get "s" "k" "\ud83d" ok`,
			`1: a text has an escape that JSON does not know; ` +
				`want one of \" \\ \/ \b \f \n \r \t \uXXXX, surrogates in pairs`},
		{"hex", `1 2 c0 get "s" "k" x"f" ok`,
			`1: x"f" is no text in hex; want pairs of hex digits, as in x"ff00"`},
	})
}

func TestSyntaxErrorsInValues(t *testing.T) {
	requireSyntaxErrors(t, []syntaxCase{
		{"tag", `1 2 c0 upsert "s" "k" v1 ok`, `1: the value is "v1"; want v<client>.<step> ` +
			`(client to 2147483647, step to 4294967294), a text or -`},
		{"tag out of range", `1 2 c0 get "s" "k" v4000000000.1 ok`,
			`1: the value is "v4000000000.1"; want v<client>.<step> ` +
				`(client to 2147483647, step to 4294967294), a text or -`},
		{"step out of range", `1 2 c0 get "s" "k" v1.4294967295 ok`,
			`1: the value is "v1.4294967295"; want v<client>.<step> ` +
				`(client to 2147483647, step to 4294967294), a text or -`},
		{"value", `1 2 c0 get "s" "k" 12 ok`, `1: the value is "12"; want a text in quotes`},
		{"dash", `1 2 c0 get "s" "k" -- ok`, `1: the value is "--"; want v<client>.<step> ` +
			`(client to 2147483647, step to 4294967294), a text or -`},
		{"tag written twice",
			"1 2 c0 upsert \"s\" \"k\" v0.0 ok\n\n3 4 c1 upsert \"s\" \"j\" v0.0 not-applied",
			`3: v0.0 was written in line 1 already; want a value that is written only once`},
	})
}

func TestSyntaxErrorsOfSeveralLines(t *testing.T) {
	requireSyntaxErrors(t, []syntaxCase{
		{"overlap", "9 12 c0 get \"s\" \"k\" - ok\n5 10 c0 delete \"s\" \"k\" - ok",
			`1: c0 is called at 9, although its delete of line 2 returns at 10; ` +
				`want one call after the other`},
		{"after unknown", "1 - c0 delete \"s\" \"k\" - unknown\n5 10 c0 get \"s\" \"k\" - ok",
			`2: c0 is called at 5, although its delete of line 1 is unknown and may still be ` +
				`under way; want a new client`},
		{"header name", "Seed: 42", `1: "Seed: 42" is neither a header line nor an operation; ` +
			`want "name: value", or the time of a call first`},
		{"header value", `note: "a" b`,
			`1: "b" behind the end of the line; want nothing, or # and a comment`},
		{"late header", "1 2 c0 get \"s\" \"k\" - ok\nseed: 42",
			`2: "seed:" is no operation; want it to start with the time of its call`},
		{"header after blank", "seed: 42\n\nstore: wal",
			`3: "store:" is no operation; want it to start with the time of its call`},
		{"late first line", "seed: 42\nmemrace-history 1",
			`2: the line "memrace-history"; want it before all others`},
	})
}

func TestFilesThatAreRefused(t *testing.T) {
	const none = `this is no memrace history; want "memrace-history 1" in line 1`
	op := `1 2 c0 get "s" "k" - not-applied busy-snapshot`
	tests := []struct{ name, text, want string }{
		{"empty", "", "f:1: " + none},
		{"blank", "\n\n", "f:1: " + none},
		{"other format", "\x7fELF\x00", "f:1: " + none},
		{"operations alone", op, "f:1: " + none},
		{"header alone", "# fine\nseed: 1\n", "f:2: " + none},
		{"newer", "memrace-history 2\n",
			`f:1: "memrace-history 2" is a format unknown to this memrace; ` +
				`want "memrace-history 1"`},
		{"other name", "memrace-historybook 1\n",
			`f:1: "memrace-historybook 1" is a format unknown to this memrace; ` +
				`want "memrace-history 1"`},
		{"no number", "memrace-history # 1\n",
			`f:1: "memrace-history # 1" is a format unknown to this memrace; ` +
				`want "memrace-history 1"`},
		{"twice", began + op + "\n" + began, "f:3: a second header; want the one of line 1 only"},
		{"cut in a text", began + op[:13], `f:2: the session has no closing quote; ` +
			`want one, and \" for a quote within the text` + cut},
		{"NULs that a crash left", began + op + "\n\x00\x00", `f:3: "\x00\x00" is no operation; ` +
			`want it to start with the time of its call` + cut},
		{"cut in a word", began + op[:len(op)-15], `f:2: unknown outcome "not-applie"; ` +
			`want ok, not-applied or unknown` + cut},
		{"cut in a class", began + op[:len(op)-1], `f:2: "busy-snapsho" is no class; ` +
			`want a name such as busy, or nothing` + cut},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := history.Read(strings.NewReader(tt.text), "f")
			requireEqual(t, tt.want, fmt.Sprint(err))
		})
	}
}

func TestWhatIsAllowed(t *testing.T) {
	tests := []struct{ name, text string }{
		{"nothing", ""},
		{"touching calls", "1 2 c0 get \"s\" \"k\" - ok\n2 2 c0 get \"s\" \"k\" - ok"},
		{"after an unknown get", "1 - c0 get \"s\" \"k\" - unknown\n2 3 c0 get \"s\" \"k\" - ok"},
		{"final reads at once", "1 9 final get \"s\" \"k\" - ok\n2 8 final get \"s\" \"j\" - ok"},
		{"one text written twice",
			"1 2 c0 upsert \"s\" \"k\" \"a\" ok\n3 4 c0 upsert \"s\" \"k\" \"a\" ok"},
		{"a tag of another client", `1 2 c0 upsert "s" "k" v7.7 ok`},
		{"huge numbers", `0 9223372036854775806 c2147483647 get "s" "k" v2147483647.4294967294 ok`},
		{"first line after comments", "\n# hello\nmemrace-history 1\nseed: 1"},
		{"comments anywhere", "# a\n  # b\nseed: 1\n# c\n1 2 c0 get \"s\" \"k\" - ok #d\n# e"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { parse(t, tt.text) })
	}
}

func TestReadErrorOfTheFile(t *testing.T) {
	broken := errors.New("disk is gone")
	in := io.MultiReader(strings.NewReader(began), iotest.ErrReader(broken))
	_, err := history.Read(in, "f")
	require.ErrorIs(t, err, broken)
	require.EqualError(t, err, "read history f: line 2: disk is gone")
}

// endless is a file that is one line without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestLineWithoutEnd(t *testing.T) {
	_, err := history.Read(io.MultiReader(strings.NewReader(began), endless{}), "f")
	require.EqualError(t, err, "f:2: a line of over 67108864 bytes; want at most that many")
}

func TestLongestLine(t *testing.T) {
	longest := "#" + strings.Repeat("a", 64<<20-1)
	for _, end := range []string{"", "\n", "\r\n"} {
		_, err := history.Read(strings.NewReader(began+longest+end), "f")
		require.NoError(t, err, "%q", end)
		_, err = history.Read(strings.NewReader(began+longest+"a"+end), "f")
		require.EqualError(t, err, "f:2: a line of over 67108864 bytes; want at most that many")
	}
}

// TestTagsInAnyPattern reads tags whose clients and steps repeat in their low bits.
func TestTagsInAnyPattern(t *testing.T) {
	for _, stride := range []uint32{1, 7, 8, 64, 1 << 12, 1 << 20} {
		t.Run(fmt.Sprint(stride), func(t *testing.T) {
			var text strings.Builder
			const n = 2000
			for i := range uint32(n) {
				fmt.Fprintf(&text, "%d - c%d upsert \"s\" \"k\" v%d.%d unknown\n",
					i, i*stride, i%3*stride, i*stride)
			}
			h := parse(t, text.String())
			require.Len(t, h.Values, n+1)
			requireTables(t, h)
		})
	}
}
