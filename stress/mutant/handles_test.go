package mutant_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/mutant"
)

// What is wrong with the mutant is its second handle, and nothing else.
func TestLockedStoreIsRightByItself(t *testing.T) {
	for seed := range seeds(t, 5) {
		r := run(t, mutant.OpenLocked(1), stress.Config{
			Store: "locked", Profile: "updates", Ops: 2000, Seed: uint64(seed) + 1,
		})
		require.Equal(t, check.Holds, r.State(), "seed %d: %v", seed, r.Verdicts)
	}
}
