package stress_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/history"
)

// What was written is read back, for verdicts of each state as they come out of judging.
func TestVerdictsAreReadBack(t *testing.T) {
	states := map[check.State]bool{}
	for _, c := range storyCases {
		h, err := history.ParseString(c.text)
		require.NoError(t, err)
		verdicts, _ := stress.Judge(t.Context(), history.Evidence{History: h})
		var file bytes.Buffer
		require.NoError(t, stress.WriteVerdicts(&file, verdicts))
		read, err := stress.ReadVerdicts(&file, "verdicts.txt")
		require.NoError(t, err)
		unkept := cmpopts.IgnoreFields(check.Verdict{}, "Violations")
		require.Empty(t, cmp.Diff(verdicts, read, unkept), c.name)
		require.Empty(t, stress.Changes(read, verdicts))
		for _, v := range verdicts {
			states[v.State] = true
		}
	}
	require.Len(t, states, 4)
}

func TestReadVerdictsRefuses(t *testing.T) {
	const holds = "isolation        holds\n"
	for _, c := range []struct{ name, text, want, why string }{
		{"nothing", "", "v:1: there are no verdicts", "no run keeps an empty file"},
		{"prose", "Dear reader,\n", "v:1: these are no verdicts of memrace", "a foreign file"},
		{"history", "memrace-history 1\n", "v:1: these are no verdicts of memrace", "another file"},
		{"note first", "                 judged: the dump\n", "v:1: these are no verdicts",
			"a note belongs to a verdict"},
		{"unknown property", holds + "fairness         holds\n",
			`v:2: "fairness" is no property of this memrace`, "a newer memrace may have it"},
		{"unknown state", holds + "final            fails\n", "v:2: want a property",
			"there are four states"},
		{"no state", holds + "final\n", "v:2: want a property", "cut off"},
		{"one blank", holds + "final holds\n", "v:2: want a property", "nobody writes it so"},
		{"holds why", holds + "final            holds: yes\n", "v:2: want a property",
			"what holds needs no reason"},
		{"skipped", holds + "final            skipped\n", "v:2: want a property",
			"it says why"},
		{"none found", holds + "final            violated: 0 found\n", "v:2: want a property",
			"something was found"},
		{"cut off", holds + "final            violated: 3 fou", "v:2: want a property", "cut off"},
		{"blank line", holds + "\n", "v:2: ", "nobody writes it"},
		{"twice", holds + holds, "v:2: there is a verdict on isolation already",
			"which of the two counts?"},
		{"long line", strings.Repeat("x", 1<<17), "read verdicts v: line 1", "not read on and on"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := stress.ReadVerdicts(strings.NewReader(c.text), "v")
			require.ErrorContains(t, err, c.want, c.why)
		})
	}
}

func TestChanges(t *testing.T) {
	verdicts := func(text string) []check.Verdict {
		v, err := stress.ReadVerdicts(strings.NewReader(text), "v")
		require.NoError(t, err)
		return v
	}
	was := verdicts("isolation        holds\n" +
		"integrity        violated: 1 found\n" +
		"linearizability  holds\n")
	is := verdicts("isolation        holds\n" +
		"integrity        violated: 2 found\n" +
		"linearizability  violated: 1 found\n" +
		"final            undecided: nobody read\n")
	var got []string
	for _, c := range stress.Changes(was, is) {
		got = append(got, c.String())
	}
	want := []string{"linearizability: was holds, is violated",
		"final: was not judged by the memrace of then, is undecided"}
	require.Empty(t, cmp.Diff(want, got), "a state counts, the number of violations does not")
}

// Any verdicts are read back as they were, whatever their reasons and notes look like.
func TestAnyVerdictsAreReadBack(t *testing.T) {
	text := rapid.StringMatching(`[ -~]{1,30}(: [0-9]+ found)?`)
	rapid.Check(t, func(t *rapid.T) {
		var want []check.Verdict
		for _, p := range rapid.Permutation(check.Properties()).Draw(t, "properties") {
			v := check.Verdict{Property: p, State: rapid.SampledFrom([]check.State{
				check.Skipped, check.Holds, check.Undecided, check.Violated}).Draw(t, "state")}
			switch v.State {
			case check.Violated:
				v.Count = rapid.IntRange(1, 1<<20).Draw(t, "count")
			case check.Skipped, check.Undecided:
				v.Reason = text.Draw(t, "reason")
			}
			v.Notes = rapid.SliceOfN(text, 0, 3).Draw(t, "notes")
			want = append(want, v)
		}
		var file bytes.Buffer
		require.NoError(t, stress.WriteVerdicts(&file, want))
		got, err := stress.ReadVerdicts(&file, "verdicts.txt")
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(want, got, cmpopts.EquateEmpty()))
	})
}
