package ability_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/ability"
)

// full is a store of which only Describe may be called.
type full struct{ ability.Full }

func (full) Describe(context.Context) (store.Description, error) {
	return store.Description{Name: "the one inside"}, nil
}

func TestLimitLeavesExactlyWhatIsNamed(t *testing.T) {
	for set := range 1 << len(ability.Names()) {
		var want []string
		for i, name := range ability.Names() {
			if set>>i&1 == 1 {
				want = append(want, name)
			}
		}
		s, err := ability.Limit(full{}, want...)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(want, ability.Of(s)))
		about, err := s.(store.Describer).Describe(t.Context())
		require.NoError(t, err)
		require.Equal(t, "the one inside", about.Name)
	}
}

func TestLimitRefusesAnotherName(t *testing.T) {
	_, err := ability.Limit(full{}, "list", "fly")
	require.EqualError(t, err,
		`no ability is called "fly"; there are list, clear, append, update, take, dump`)
}

// Of asks for the interface that the name stands for.
func TestOf(t *testing.T) {
	type bare struct{ store.Store }
	require.Empty(t, ability.Of(bare{}))
	for _, c := range []struct {
		want string
		s    store.Store
	}{
		{"list", struct {
			bare
			store.Lister
		}{}},
		{"clear", struct {
			bare
			store.Clearer
		}{}},
		{"append", struct {
			bare
			store.Appender
		}{}},
		{"update", struct {
			bare
			store.Updater
		}{}},
		{"take", struct {
			bare
			store.Taker
		}{}},
		{"dump", struct {
			bare
			store.Dumper
		}{}},
	} {
		require.Equal(t, []string{c.want}, ability.Of(c.s))
	}
}
