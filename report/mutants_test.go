package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/report"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/mutant"
)

// TestPagesOfMutants runs stores that are wrong on purpose and reads what the page says of them.
// Each is caught whatever the seed.
func TestPagesOfMutants(t *testing.T) {
	for _, name := range []string{"upsert-any-session", "first-write-wins", "value-cut",
		"append-rows", "batch-lost-at-close", "ack-before-write", "nothing-works"} {
		t.Run(name, func(t *testing.T) {
			m, found := mutant.Find(name)
			require.True(t, found)
			r, err := stress.Check(t.Context(), m.Open, t.TempDir(), stress.Config{
				Store: "mutant/" + name, Profile: m.Profile, Ops: m.Ops, Seed: 1})
			require.NoError(t, err)
			told := map[check.Property]check.Anomaly{}
			for _, s := range r.Stories {
				checkStory(t, r, s)
				told[s.Property] = s.Anomaly
			}
			require.Contains(t, told, m.CaughtBy)
			if name == "upsert-any-session" {
				require.Equal(t, check.CrossSessionLeak, told[check.Isolation])
			}
		})
	}
}

// checkStory reads a page of one story.
func checkStory(t *testing.T, r *stress.Result, s stress.Story) {
	h := r.Evidence.History
	page := pageOf(t, new(report.Page), report.Run{State: check.Violated, History: h,
		Verdicts: r.Verdicts, Stories: []stress.Story{s}})
	all := parse(t, page)
	var text strings.Builder
	for _, e := range all {
		text.WriteString(e.text + "\n")
	}
	require.Contains(t, text.String(), string(s.Anomaly))
	require.Contains(t, text.String(), s.Sentence)
	require.Contains(t, text.String(), r.Config.Store)
	require.Contains(t, text.String(), r.Config.Command())
	// Each is drawn twice, for wide and for narrow windows.
	require.Len(t, with(all, "bar"), 2*len(s.Ops))
	require.Len(t, with(all, "arrow"), 2*len(report.Forced(h, s.Ops)))
	forced := false
	for _, i := range s.Ops {
		require.Contains(t, text.String(), h.Line(i))
		for _, j := range s.Ops {
			forced = forced || h.Precedes(i, j)
		}
	}
	require.Equal(t, forced, len(with(all, "arrow")) > 0)
	if s.Accused != stress.NoOp {
		require.Len(t, with(all, "bar", "accused"), 2)
		require.True(t, h.Ops[s.Accused].Kind.Reads())
	}
	if s.Anomaly == check.CrossSessionLeak {
		for _, i := range s.Ops {
			session := fmt.Sprintf("session %q", h.Slots[h.Ops[i].Slot].Session)
			require.Contains(t, text.String(), session, "both sessions are named")
		}
	}
}
