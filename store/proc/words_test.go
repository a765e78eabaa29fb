package proc_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"memrace/store/proc"
	"memrace/stress"
)

func TestParseCommand(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		want       []string
		why        string
	}{
		{"words", " python3  a.py\t--fast\n", []string{"python3", "a.py", "--fast"}, ""},
		{"quotes", `a 'b c' "d  e"f''`, []string{"a", "b c", "d  ef"}, "they end no word"},
		{"empty words", `a '' ""`, []string{"a", "", ""}, "they are words"},
		{"backslashes", `a\ b "\"\\\n" '\'`, []string{"a b", `"\\n`, `\`},
			"in double quotes they count only before what is special there"},
		{"shell in quotes", `sh -c 'a | b > $c'`, []string{"sh", "-c", "a | b > $c"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := proc.ParseCommand(tc.line)
			require.NoError(t, err)
			if diff := cmp.Diff(tc.want, c.Argv); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.why, diff)
			}
		})
	}
}

func TestParseCommandErrors(t *testing.T) {
	for _, tc := range []struct{ line, want string }{
		{"", `command "": the command is empty; name a program`},
		{"''", `command "''": the command is empty; name a program`},
		{"a 'b", `command "a 'b": a ' is not closed`},
		{`a "b`, `command "a \"b": a " is not closed`},
		{`a\`, `command "a\\": there is nothing behind the last \`},
		{"cd x && y", `command "cd x && y": '&' means something to a shell only, and none reads ` +
			`it; quote it, or write sh -c '...'`},
	} {
		_, err := proc.ParseCommand(tc.line)
		require.EqualError(t, err, tc.want)
	}
}

// What is written for a shell to read is read as it would.
func TestParseCommandReadsShellWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "words")
		words[0] = "x" + words[0]
		var quoted []string
		for _, word := range words {
			quoted = append(quoted, stress.ShellWord(word))
		}
		c, err := proc.ParseCommand(strings.Join(quoted, " "))
		require.NoError(t, err)
		require.Equal(t, words, c.Argv)
	})
}

func TestCommandErrors(t *testing.T) {
	for _, tc := range []struct {
		c    proc.Command
		want string
	}{
		{proc.Command{}, "the command is empty; name a program"},
		{proc.Command{Argv: []string{"a"}, Instance: -1}, "instance is -1; it cannot be negative"},
		{proc.Command{Argv: []string{"a"}, Threads: -1}, "threads is -1; it cannot be negative"},
		{proc.Command{Argv: []string{"a"}, CallTimeout: -1},
			"call timeout is -1ns; it cannot be negative"},
	} {
		_, err := proc.Open(t.Context(), t.TempDir(), tc.c)
		require.EqualError(t, err, "start a child: "+tc.want)
	}
}
