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
		if verdicts[p].Property == "" {
			continue
		}
		fmt.Fprintf(&b, "%-16s %s", p, verdicts[p].State)
		for _, v := range verdicts[p].Violations {
			fmt.Fprintf(&b, ": %s", v.Anomaly)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// agreesWithBruteForce asks for a second opinion on each slot and list, since brute force judges
// one.
func agreesWithBruteForce(t *testing.T, h *history.History) {
	t.Helper()
	for slot := range h.Slots {
		one, list := *h, *h
		one.Ops, list.Ops, list.Slots = nil, nil, h.Slots[slot:slot+1]
		for _, op := range h.Ops {
			switch {
			case op.Slot != uint32(slot):
			case op.Kind == history.Add || op.Kind == history.Items:
				op.Slot = 0
				list.Ops = append(list.Ops, op)
			default:
				one.Ops = append(one.Ops, op)
			}
		}
		_, err := compareWithBruteForce(&one)
		require.NoError(t, err)
		_, err = compareList(&list)
		require.NoError(t, err)
	}
}
