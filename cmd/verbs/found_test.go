package verbs

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/proc"
)

// TestFoundFaults runs every command of docs/found.md: it has to show what the comment behind it
// says. What a machine lacks is skipped.
func TestFoundFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes")
	}
	text, err := os.ReadFile("../../docs/found.md")
	require.NoError(t, err)
	t.Chdir("../..")
	claims := claimsIn(string(text))
	require.GreaterOrEqual(t, len(claims), 10, "commands are found")
	for _, c := range claims {
		t.Run(c.command, c.run)
	}
}

// claim is a command and what it shows: "final violated", or that everything holds.
type claim struct{ command, shows string }

func claimsIn(text string) (claims []claim) {
	shell := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			shell = line == "```sh\n"
			continue
		}
		if command, shows, _ := strings.Cut(line, "   # "); shell {
			claims = append(claims, claim{command, strings.TrimSpace(shows)})
		}
	}
	return claims
}

func (c claim) run(t *testing.T) {
	c.need(t)
	status, out := c.perform(t)
	if c.shows == "holds" {
		require.Equal(t, 0, status, out)
		return
	}
	require.Regexp(t, `\bviolated$`, c.shows)
	require.Equal(t, 1, status, out)
	require.Contains(t, out, c.shows)
}

// perform runs the command and returns its exit status and what it printed.
func (c claim) perform(t *testing.T) (status int, printed string) {
	var out bytes.Buffer
	if arguments, ok := strings.CutPrefix(c.command, "memrace "); ok {
		words, err := proc.ParseCommand(arguments)
		require.NoError(t, err)
		args := append(words.Argv, "--out", t.TempDir())
		status = run(context.Background(), args, &out, &out)
		return status, out.String()
	}
	shell := exec.CommandContext(t.Context(), "sh", "-c", c.command)
	shell.Stdout, shell.Stderr = &out, &out
	shell.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	if err := shell.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
		status = 1
	}
	return status, out.String()
}

var published = regexp.MustCompile(`node/published/([a-z0-9-]+)\.m?js`)

// packages are what the stores in docs/examples/node/published are made of, one of each.
var packages = map[string]string{
	"mcp-memory": "@modelcontextprotocol/sdk/client", "langchain-file": "@langchain/core/messages",
	"node-persist": "node-persist", "keyv": "sqlite3", "connect-sqlite3": "sqlite3",
}

// need skips a command for which something is not here.
func (c claim) need(t *testing.T) {
	t.Helper()
	if store := published.FindStringSubmatch(c.command); store != nil {
		require.Contains(t, packages, store[1])
		needNode(t, "docs/examples/node/published", packages[store[1]])
	}
	if strings.Contains(c.command, "python3 ") {
		needPython(t, c.shows)
	}
	if strings.Contains(c.command, "go-langchaingo") {
		list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-test", ".")
		list.Dir, list.Env = "docs/examples/go-langchaingo", append(os.Environ(), "GOPROXY=off")
		if out, err := list.CombinedOutput(); err != nil {
			t.Skipf("its modules are not here (go mod download gets them): %s", out)
		}
	}
}

// needPython skips what versions of Python before 3.11 do not show.
func needPython(t *testing.T, shows string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "python3", "-c",
		"import sys; print(sys.version_info >= (3, 11) and sys.implementation.name)").Output()
	if err != nil {
		t.Skip("no python3 here")
	}
	if shows != "holds" && strings.TrimSpace(string(out)) != "cpython" {
		t.Skip("it is a fault of CPython from 3.11 on, and python3 is another one")
	}
}
