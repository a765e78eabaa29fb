package verbs

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// TestPythonExamples runs the stores in docs/examples/python; EXAMPLES is where the examples are.
func TestPythonExamples(t *testing.T) {
	examples, err := filepath.Abs("../../docs/examples")
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/python",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			env.Setenv("PYTHONDONTWRITEBYTECODE", "1")
			return nil
		},
	})
}
