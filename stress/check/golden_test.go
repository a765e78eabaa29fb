package check_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"memrace/stress/check"
	"memrace/stress/history"
)

// TestGolden judges the histories in testdata/golden. Each file says why its verdicts are as they
// are: they were thought out, not recorded, and brute force agrees.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 12)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			require.Len(t, archive.Files, 2, "a history and the verdicts")
			h := parse(t, string(archive.Files[0].Data))
			want := string(archive.Files[1].Data)
			if diff := cmp.Diff(want, brief(verdictsOf(h))); diff != "" {
				t.Errorf("%s(-want +got):\n%s", archive.Comment, diff)
			}
			agreesWithBruteForce(t, h)
		})
	}
}

// brief writes verdicts without their reasons: the property, its state, and what is wrong.
func brief(verdicts map[check.Property]check.Verdict) string {
	var b strings.Builder
	for _, p := range check.Properties() {
		fmt.Fprintf(&b, "%-16s %s", p, verdicts[p].State)
		for _, v := range verdicts[p].Violations {
			fmt.Fprintf(&b, ": %s", v.Anomaly)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// agreesWithBruteForce asks for a second opinion on each slot, since brute force judges one.
func agreesWithBruteForce(t *testing.T, h *history.History) {
	t.Helper()
	for slot := range h.Slots {
		one := *h
		one.Ops = nil
		for _, op := range h.Ops {
			if op.Slot == uint32(slot) {
				one.Ops = append(one.Ops, op)
			}
		}
		_, err := compareWithBruteForce(&one)
		require.NoError(t, err)
	}
}
