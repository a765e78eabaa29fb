package stress_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/mutant"
)

// bounded is a store that keeps eight items of a session, and says so if it is asked.
type bounded struct {
	store.Store
	store.Appender
	says int
}

func (b bounded) Describe(context.Context) (store.Description, error) {
	return store.Description{Name: "bounded", Volatile: true, Bounded: b.says}, nil
}

// A store that forgets old items by design is wrong unless somebody says that it does.
func TestBoundedStore(t *testing.T) {
	m, found := mutant.Find("items-cut")
	require.True(t, found)
	for _, tt := range []struct {
		name        string
		says, bound int
		want        check.State
	}{
		{"nobody says so", 0, 0, check.Violated},
		{"the store says so", 8, 0, check.Holds},
		{"the configuration says so", 0, 8, check.Holds},
		{"less than it keeps", 0, 3, check.Holds},
		{"more than it keeps", 8, 30, check.Violated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			open := func(ctx context.Context, dir string) (store.Store, error) {
				s, err := m.Open(ctx, dir)
				if err != nil {
					return nil, err
				}
				return bounded{s, s.(store.Appender), tt.says}, nil
			}
			r, err := stress.Check(t.Context(), open, filepath.Join(t.TempDir(), "run"),
				stress.Config{Profile: "chat", Ops: 4000, Bound: tt.bound})
			require.NoError(t, err)
			require.Equal(t, tt.want, r.State(), "%v", r.Verdicts)
		})
	}
}
