package verbs

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/proc"
)

// example is a command in a document and what the document says that it prints.
type example struct {
	args   []string
	status int
	output []string
}

// TestDocumentedCommands runs each "$ memrace ..." in a console block of README.md and docs/. It
// has to end with the exit status that a comment behind it gives, or 0; and each line that the
// document shows has to be printed, except for numbers and what stands between them.
func TestDocumentedCommands(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	found := 0
	for _, file := range append(files, "../../README.md") {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		examples := consoleExamples(string(text))
		found += len(examples)
		for _, e := range examples {
			t.Run(filepath.Base(file)+"/"+strings.Join(e.args, " "), e.run)
		}
	}
	require.GreaterOrEqual(t, found, 5, "console blocks are found")
}

func (e example) run(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errOut bytes.Buffer
	status := run(context.Background(), e.args, &out, &errOut)
	require.Equal(t, e.status, status, "%s%s", &out, &errOut)
	printed := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		printed[shape(line)] = true
	}
	for _, line := range e.output {
		require.True(t, printed[shape(line)], "not printed: %s\nbut this was:\n%s", line, &out)
	}
}

var changing = regexp.MustCompile(`[0-9].*[0-9]([mµun]?s\b)?|[0-9]|[|+:/─-]{2,}`)

// shape leaves of a line what every run prints.
func shape(line string) string {
	return strings.Join(strings.Fields(changing.ReplaceAllString(line, " ")), " ")
}

var exitStatus = regexp.MustCompile(`exit status (\d)`)

func consoleExamples(text string) (examples []example) {
	console := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "```") {
			console = line == "```console"
			continue
		}
		command, isCommand := strings.CutPrefix(line, "$ memrace ")
		switch {
		case !console || strings.HasPrefix(line, "$ ") && !isCommand:
		case isCommand:
			examples = append(examples, newExample(command))
		case len(examples) > 0:
			last := &examples[len(examples)-1]
			last.output = append(last.output, line)
		}
	}
	return examples
}

func newExample(command string) example {
	command, comment, _ := strings.Cut(command, "#")
	words, _ := proc.ParseCommand(command) // what is no command fails when it is run
	e := example{args: words.Argv}
	if m := exitStatus.FindStringSubmatch(comment); m != nil {
		e.status, _ = strconv.Atoi(m[1])
	}
	return e
}
