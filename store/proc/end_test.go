package proc_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store/proc"
)

// A child that goes home early is told, however well it went: whatever was called later failed.
func TestEndsEarly(t *testing.T) {
	s, err := proc.Open(t.Context(), t.TempDir(), child("leaves"))
	require.NoError(t, err)
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	want := tell{false, "exit", "upsert: the child ended with exit status 0"}
	require.Empty(t, cmp.Diff(want, told(err)))
	require.EqualError(t, s.Close(),
		"before the end of its input, the child ended with exit status 0")
}

// Whoever opened a child and does not want to wait any longer does not wait for one that hangs.
func TestInterrupted(t *testing.T) {
	t.Parallel() // it waits
	ctx, cancel := context.WithCancel(t.Context())
	s, err := proc.Open(ctx, t.TempDir(), child("sleeps"))
	require.NoError(t, err)
	cancel()
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	want := tell{false, "canceled", "upsert: interrupted, and no answer within 1s"}
	require.Empty(t, cmp.Diff(want, told(err)), "it hangs, but nobody may say so")
	s.Kill() // it is on its way
	_, _, err = s.Get(t.Context(), "s", "k")
	want = tell{true, "exit", "get: the child ended with signal: killed"}
	require.Empty(t, cmp.Diff(want, told(err)), "the others do not wait as well")
	require.NoError(t, s.Close())
}

// A child that answers can be asked to the end.
func TestInterruptedAndWell(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := proc.Open(ctx, t.TempDir(), child("memory"))
	require.NoError(t, err)
	cancel()
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
	value, found, err := s.Get(t.Context(), "s", "k")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "v", value)
	require.NoError(t, s.Close())
}
