package shared_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/shared"
)

// numbered is a store that says which one it is.
type numbered struct {
	number   int
	volatile bool
	closed   *[]int
}

func (n numbered) Upsert(context.Context, string, string, string) (time.Time, error) {
	return time.Time{}, nil
}

func (n numbered) Get(context.Context, string, string) (string, bool, error) {
	return fmt.Sprint(n.number), true, nil
}

func (n numbered) Delete(context.Context, string, string) error { return nil }

func (n numbered) Close() error {
	*n.closed = append(*n.closed, n.number)
	return nil
}

func (n numbered) Clear(context.Context, string) error { return fmt.Errorf("clear %d", n.number) }

func (n numbered) Describe(context.Context) (store.Description, error) {
	return store.Description{Name: "numbered", Volatile: n.volatile}, nil
}

func TestInstances(t *testing.T) {
	var closed []int
	open := func(i int) store.Opener {
		return func(context.Context, string) (store.Store, error) {
			return numbered{number: i, closed: &closed}, nil
		}
	}
	s, err := shared.Opener(3, open)(t.Context(), t.TempDir())
	require.NoError(t, err)

	seen := map[string]bool{}
	clearer, ok := s.(store.Clearer)
	require.True(t, ok)
	for range 200 { // one of three is left out once in 10 to the 35th
		value, _, err := s.Get(t.Context(), "s", "k")
		require.NoError(t, err)
		seen[value] = true
		seen[clearer.Clear(t.Context(), "s").Error()] = true
	}
	require.Len(t, seen, 6, "calls go to all of them")
	_, ok = s.(store.Taker)
	require.False(t, ok, "what none of them has")

	for client, want := range []string{"0", "1", "2", "0", "1"} {
		ctx := shared.WithClient(t.Context(), client)
		for range 10 {
			value, _, err := s.Get(ctx, "s", "k")
			require.NoError(t, err)
			require.Equal(t, want, value, "a client stays with its instance")
		}
	}
	d, err := s.(store.Describer).Describe(t.Context())
	require.NoError(t, err)
	require.True(t, slices.Contains(d.Settings, store.Setting{Name: "instances", Value: "3"}))
	require.NoError(t, s.Close())
	require.Equal(t, []int{0, 1, 2}, closed)
}

func TestInstancesThatDoNotOpen(t *testing.T) {
	var closed []int
	_, err := shared.Opener(3, func(i int) store.Opener {
		return func(context.Context, string) (store.Store, error) {
			if i == 1 {
				return nil, errors.New("locked")
			}
			return numbered{number: i, closed: &closed}, nil
		}
	})(t.Context(), t.TempDir())
	require.EqualError(t, err, "instance 1: locked")
	require.Equal(t, []int{0}, closed, "what was open is closed")

	_, err = shared.Opener(2, func(i int) store.Opener {
		return func(context.Context, string) (store.Store, error) {
			return numbered{number: i, volatile: true, closed: &closed}, nil
		}
	})(t.Context(), t.TempDir())
	require.EqualError(t, err, "numbered keeps nothing on disk, so that 2 instances of it have "+
		"nothing to share")
}
