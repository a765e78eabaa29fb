package verbs

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// TestNodeExamples runs the stores in docs/examples/node; EXAMPLES is where the examples are.
func TestNodeExamples(t *testing.T) {
	examples, err := filepath.Abs("../../docs/examples")
	require.NoError(t, err)
	needNode(t, filepath.Join(examples, "node"), "better-sqlite3")
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/node",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			return nil
		},
	})
}

// needNode skips a test where Node is missing, or a package that belongs into the directory.
func needNode(t *testing.T, dir, name string) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here, so the examples in JavaScript are not run")
	}
	load := exec.CommandContext(t.Context(), "node", "-e", "require(process.argv[1])", name)
	load.Dir = dir
	if out, err := load.CombinedOutput(); err != nil {
		t.Skipf("node does not load %s, which npm ci --prefix %s mends: %v\n%s",
			name, dir, err, out)
	}
}
