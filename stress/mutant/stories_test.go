package mutant_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/mutant"
)

const (
	// maxStory is how many operations a story may have. A conflict of two values takes six at
	// most, what lies within a zone four. More are needed only where k deletes overlap k+1 misses,
	// which is 3k+2 operations, and where a chain of updates is all under way at once. Every mutant
	// has plainer faults beside these, and those are told.
	maxStory = 6
	// maxCycle is the same for a cycle of calls on whole sessions, which may be a longer one where
	// many of them are under way at once.
	maxCycle = 12
	// maxRuns is how many runs a mutant gets to be caught.
	maxRuns = 5
)

// TestStoriesAreShort runs each mutant until it is caught and requires of every story that it is
// short, names what is wrong, and proves it by its own operations.
func TestStoriesAreShort(t *testing.T) {
	for _, m := range mutant.Mutants() {
		t.Run(m.Name, func(t *testing.T) {
			runs, told := seeds(t, 1), 0
			for seed := 0; seed < runs || told == 0; seed++ {
				require.Less(t, seed, max(runs, maxRuns), "nothing was wrong in any run")
				r := run(t, m.Open, stress.Config{
					Profile: m.Profile, Ops: m.Ops, Seed: uint64(seed) + 1,
				})
				for _, s := range r.Stories {
					assert.LessOrEqual(t, len(s.Ops), limit(s), "seed %d: %v", seed+1, s)
					assert.Contains(t, s.Headline, string(s.Anomaly))
					provesAlone(t, r, s)
				}
				told += len(r.Stories)
			}
		})
	}
}

func limit(s stress.Story) int {
	if s.Property == check.Snapshot {
		return maxCycle
	}
	return maxStory
}

// provesAlone requires that the operations of a story are wrong whatever else was done.
func provesAlone(t *testing.T, r *stress.Result, s stress.Story) {
	t.Helper()
	if s.Property != check.Linearizability && s.Property != check.FinalValue {
		return
	}
	again, violated := check.Explain(r.Evidence.History, s.Ops)
	require.True(t, violated, s)
	assert.Equal(t, s.Property, again.Property)
	assert.Equal(t, s.Ops, again.Ops)
	assert.True(t, strings.HasPrefix(s.Sentence, again.Sentence), s)
}
