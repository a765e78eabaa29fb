package notation_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/check"
	"memrace/stress/history"
	"memrace/stress/notation"
)

// elsewhere holds histories that others recorded, with verdicts that are known.
const elsewhere = "../../../shared/histories"

// TestHistoriesFromElsewhere reads each history of which others know whether it is linearizable,
// and has to find the same.
func TestHistoriesFromElsewhere(t *testing.T) {
	expected, err := os.ReadFile(filepath.Join(elsewhere, "expected.txt"))
	if os.IsNotExist(err) {
		t.Skipf("the histories from elsewhere are not in %s", elsewhere)
	}
	require.NoError(t, err)
	judged := 0
	for line := range strings.Lines(string(expected)) {
		fields := strings.Fields(line)
		if len(fields) != 2 || strings.HasPrefix(line, "#") {
			continue
		}
		judged++
		t.Run(fields[0], func(t *testing.T) {
			h := readAll(t, filepath.Join(elsewhere, fields[0]))
			require.Equal(t, fields[1], linearizable(t, h), "want %s", fields[1])
		})
	}
	require.GreaterOrEqual(t, judged, 55, "most etcd histories and the key-value ones")
}

// readAll reads a file, of which no operation may be lost.
func readAll(t *testing.T, path string) *history.History {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	h, err := notation.Read(strings.NewReader(string(raw)), path, notation.Auto)
	require.NoError(t, err)
	require.Len(t, h.Ops, strings.Count(string(raw), ":invoke"))
	return h
}

func linearizable(t *testing.T, h *history.History) string {
	t.Helper()
	verdicts := check.Judge(context.Background(), history.Evidence{History: h}, check.Options{})
	at := slices.IndexFunc(verdicts, func(v check.Verdict) bool {
		return v.Property == check.Linearizability
	})
	require.GreaterOrEqual(t, at, 0)
	return verdicts[at].State.String()
}
