package notation_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/notation"
)

// TestExamplesOfTheDocs reads the examples of docs/history.md.
func TestExamplesOfTheDocs(t *testing.T) {
	want := strings.Split(strings.TrimSpace(fenced(t, "history-of-edn")), "\n")
	requireEqual(t, want, lines(read(t, fenced(t, "edn"))))
	want = strings.Split(strings.TrimSpace(fenced(t, "history-of-sessions")), "\n")
	sessions := fenced(t, "edn-of-sessions")
	requireEqual(t, want, lines(read(t, sessions)))
	var file strings.Builder
	require.NoError(t, notation.WriteEDN(&file, read(t, sessions)))
	index := regexp.MustCompile(`:index \d+, `)
	requireEqual(t, sessions, index.ReplaceAllString(file.String(), ""))
	requireEqual(t, []string{`0 - c0 update "" "register" "0" "3" unknown other`},
		lines(read(t, fenced(t, "log"))))
	requireEqual(t, []string{
		`100 200 c0 upsert "s" "k" "a" ok`,
		`300 310 c0 update "s" "k" "a" "b" not-applied busy`,
	}, lines(read(t, fenced(t, "jsonl"))))
}

// fenced returns the block of docs/history.md that is marked with the given word.
func fenced(t *testing.T, word string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/history.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(page), "\n```"+word+"\n")
	require.True(t, ok, "no block ```%s", word)
	block, _, _ := strings.Cut(rest, "```\n")
	return block
}
