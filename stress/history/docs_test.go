package history_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
)

// fenced returns the block of docs/history.md that is marked with the given word.
func fenced(t *testing.T, word string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/history.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(page), "\n```"+word+"\n")
	require.True(t, ok, "no block ```%s", word)
	block, _, ok := strings.Cut(rest, "```\n")
	require.True(t, ok)
	return block
}

func TestExampleOfTheDocs(t *testing.T) {
	block := fenced(t, "history")
	h, err := history.Read(strings.NewReader(block), "docs/history.md")
	require.NoError(t, err)
	require.Equal(t, "wal", h.MetaValue("store"))
	require.Len(t, h.Ops, 16)
	var file bytes.Buffer
	require.NoError(t, history.Write(&file, h))
	written := strings.Replace(block, `caf\u00e9`, "café", 1)
	requireEqual(t, strings.Replace(written, "   # found nothing", "", 1), file.String())
}

func TestRowsOfTheDocs(t *testing.T) {
	block := fenced(t, "rows")
	rows, err := history.ReadRows(strings.NewReader(block), "docs/history.md")
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, history.WriteRows(&file, rows))
	requireEqual(t, block, file.String())
}

func TestCommitsOfTheDocs(t *testing.T) {
	block := fenced(t, "commits")
	commits, err := history.ReadCommits(strings.NewReader(block), "docs/history.md")
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, history.WriteCommits(&file, commits))
	requireEqual(t, block, file.String())
}

func TestClassesOfTheDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/history.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), "**Classes**:")
	list, _, _ := strings.Cut(rest, ".")
	var names []string
	for _, c := range history.Classes()[1:] {
		names = append(names, c.String())
	}
	require.Equal(t, names, strings.Fields(strings.ReplaceAll(list, ",", " ")))
}
