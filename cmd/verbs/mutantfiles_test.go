package verbs

import (
	"bytes"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/mutant"
)

// A mutant that is a file of SQL is caught as any other file is.
func TestMutantFiles(t *testing.T) {
	dir, err := filepath.Abs("../../stress/mutant/sql")
	require.NoError(t, err)
	const maxRuns = 3
	for _, m := range mutant.Mutants() {
		if m.File == "" {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			var out, errOut bytes.Buffer
			status := run(t.Context(), []string{"stress", "--sql", filepath.Join(dir, m.File),
				"--profile", m.Profile, "--ops", strconv.Itoa(m.Ops), "--seed", "1",
				"--runs", strconv.Itoa(maxRuns), "--property", string(m.CaughtBy),
			}, &out, &errOut)
			require.Equal(t, statusViolated, status, "%s%s", &out, &errOut)
		})
	}
}
