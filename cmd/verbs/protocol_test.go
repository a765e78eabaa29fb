package verbs

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// block returns the first block of that kind in docs/protocol.md.
func block(t *testing.T, kind string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/protocol.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```"+kind+"\n")
	require.True(t, found, "there is a block of %s", kind)
	inside, _, _ := strings.Cut(rest, "```")
	return inside
}

// The exchange that the documentation shows is what memrace serve says, numbers aside that are
// never the same. Requests are sent one by one, each when the one before has been answered.
func TestDocumentedExchange(t *testing.T) {
	child := exec.CommandContext(t.Context(), "memrace", "serve", "--store", "memory")
	in, err := child.StdinPipe()
	require.NoError(t, err)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	answers := json.NewDecoder(out)
	compared := 0
	for line := range strings.Lines(block(t, "exchange")) {
		if request, ok := strings.CutPrefix(line, "-> "); ok {
			_, err := in.Write([]byte(request))
			require.NoError(t, err)
			continue
		}
		var want, got map[string]any
		require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(line, "<- ")), &want))
		require.NoError(t, answers.Decode(&got))
		require.Equal(t, withoutTimes(want), withoutTimes(got))
		compared++
	}
	require.NoError(t, in.Close())
	require.NoError(t, child.Wait(), "the end of the input ends it")
	require.GreaterOrEqual(t, compared, 10)
}

// withoutTimes replaces what differs between two runs by its kind.
func withoutTimes(line map[string]any) map[string]any {
	for _, name := range []string{"t0", "t1", "updated_at"} {
		if _, ok := line[name].(float64); ok {
			line[name] = "a number"
		}
	}
	if _, ok := line["settings"].([]any); ok {
		line["settings"] = "a list"
	}
	return line
}

// The child that the documentation shows is one, and does what it says.
func TestDocumentedChild(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here, so the child in docs/protocol.md is not run")
	}
	program := block(t, "python")
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("child.py", []byte(program), 0o666))
	var out, errOut bytes.Buffer
	status := run(t.Context(), []string{"stress", "--cmd", "python3 child.py", "--profile", "hot",
		"--ops", "300", "--seed", "1"}, &out, &errOut)
	require.Equal(t, statusHolds, status, "%s%s", &out, &errOut)
}

// Every operation of the exchange is explained, and the other way round.
func TestDocumentedOperations(t *testing.T) {
	text, err := os.ReadFile("../../docs/protocol.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| op | asks with")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	explained := map[string]bool{}
	for line := range strings.Lines(table) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ = strings.Cut(name, "`")
			explained[name] = true
		}
	}
	var hi struct{ Ops []string }
	_, greeting, _ := strings.Cut(block(t, "exchange"), "<- ")
	greeting, _, _ = strings.Cut(greeting, "\n")
	require.NoError(t, json.Unmarshal([]byte(greeting), &hi))
	delete(explained, "cut") // a store in memory cannot lose power
	require.ElementsMatch(t, hi.Ops, slices.Collect(maps.Keys(explained)))
}
