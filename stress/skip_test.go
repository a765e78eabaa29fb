package stress_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/workload"
)

// bare is a right store that has the four methods of a store and no more.
type bare struct {
	store.Store
	closed *bool
}

func (b bare) Close() error {
	*b.closed = true
	return b.Store.Close()
}

func openBare(t *testing.T, closed *bool) store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		s, err := open(t, "memory")(ctx, dir)
		return bare{s, closed}, err
	}
}

// A store that lacks what the workload needs is neither right nor wrong: no run is made.
func TestStoreThatLacksAMethodIsSkipped(t *testing.T) {
	for _, c := range []struct {
		name   string
		config stress.Config
		want   string
	}{
		{"updates", stress.Config{Profile: "updates"},
			"the store has no Update, which the profile updates needs"},
		{"takes", stress.Config{Profile: "takes"},
			"the store has no Update and no Take, which the profile takes needs"},
		{"mix", stress.Config{Profile: "hot", Mix: workload.Mix{Get: 1, Take: 2}},
			"the store has no Take, which the mix get=1,take=2 needs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, closed := t.TempDir(), false
			c.config.Keep = true
			r, err := stress.Check(t.Context(), openBare(t, &closed), dir, c.config)
			require.NoError(t, err)
			require.True(t, closed, "the store was opened to look at it")
			require.Equal(t, c.want, r.Skipped)
			require.Equal(t, check.Skipped, r.State())
			require.Len(t, r.Verdicts, len(check.Properties()))
			for _, v := range r.Verdicts {
				require.Equal(t, check.Skipped, v.State, "%s", v.Property)
				require.Equal(t, c.want, v.Reason)
			}
			require.Empty(t, r.Evidence.History.Ops)
			require.Equal(t, []string{"data"}, files(t, dir), "there is no evidence to keep")
		})
	}
}

func TestRunSkipsTheTestOfAStoreThatLacksAMethod(t *testing.T) {
	skipped, got := false, false
	t.Run("updates", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		stress.Run(t, openBare(t, new(bool)), stress.Config{Profile: "updates"})
		got = true
	})
	require.True(t, skipped)
	require.False(t, got, "what stands behind Run would take the store for tested")
}

func TestStoreThatHasAllIsRun(t *testing.T) {
	for _, profile := range []string{"updates", "takes"} {
		r, err := stress.Check(t.Context(), open(t, "memory"), t.TempDir(),
			stress.Config{Profile: profile, Ops: 4000})
		require.NoError(t, err)
		require.Empty(t, r.Skipped)
		require.Equal(t, check.Holds, r.State(), "%v", r.Stories)
	}
}

// The command that repeats a run says how long a client thinks; one that never does, nothing.
func TestCommandSaysThink(t *testing.T) {
	for profile, want := range map[string]string{
		"updates": "memrace stress --store wal --profile updates --seed 1 --clients 8 " +
			"--sessions 2 --keys 2 --mix upsert=10,get=20,update=70 --value-size 64 " +
			"--ops 9 --think 100µs",
		"hot": "memrace stress --store wal --profile hot --seed 1 --clients 8 " +
			"--sessions 2 --keys 2 --mix upsert=50,get=45,delete=5 --value-size 64 --ops 9",
	} {
		c, err := stress.Config{Store: "wal", Profile: profile, Seed: 1, Ops: 9}.WithDefaults()
		require.NoError(t, err)
		require.Equal(t, want, c.Command())
	}
	c, err := stress.Config{Profile: "updates", Think: 5}.WithDefaults()
	require.NoError(t, err)
	require.Contains(t, c.Command(), " --think 5ns")
}
