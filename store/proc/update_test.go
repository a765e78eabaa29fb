package proc_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store/proc"
)

func TestUpdate(t *testing.T) {
	ctx, s := t.Context(), open(t, "memory")
	add := func(old string, found bool) string { return fmt.Sprintf("%s[%v]", old, found) }
	old, found, err := s.Update(ctx, "s", "k", add)
	require.NoError(t, err)
	require.False(t, found)
	require.Empty(t, old)
	old, found, err = s.Update(ctx, "s", "k", add)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "[false]", old)
	value, _, err := s.Get(ctx, "s", "k")
	require.NoError(t, err)
	require.Equal(t, "[false][true]", value)
}

// Updates that wait for each other in the child do not keep the change of the one that is first
// from getting there, however few threads the child has.
func TestUpdatesAtOnce(t *testing.T) {
	c := child("memory")
	c.Threads = 1
	s, err := proc.Open(t.Context(), t.TempDir(), c)
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			_, _, err := s.Update(t.Context(), "s", "k",
				func(old string, _ bool) string { return old + "x" })
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	value, _, err := s.Get(t.Context(), "s", "k")
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("x", 20), value)
	require.NoError(t, s.Close())
}

// A caller that panics in a change leaves nobody waiting.
func TestUpdateThatPanics(t *testing.T) {
	ctx, s := t.Context(), open(t, "memory")
	require.PanicsWithValue(t, "no", func() {
		_, _, _ = s.Update(ctx, "s", "k", func(string, bool) string { panic("no") })
	})
	_, found, err := s.Get(ctx, "s", "k")
	require.NoError(t, err)
	require.False(t, found)
}

// The child asks what to write when nobody is there any more to say so. It is told.
func TestUpdateThatNobodyWaitsFor(t *testing.T) {
	s, err := proc.Open(t.Context(), t.TempDir(), child("tardy"))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, _, err := s.Update(ctx, "s", "k",
			func(string, bool) string { return "late" })
		done <- err
	}()
	require.Eventually(t, func() bool { return string(s.Stderr()) == "update\n" },
		time.Minute, time.Millisecond)
	cancel()
	require.Equal(t, tell{false, "canceled", "update: context canceled"}, told(<-done))
	_, _, err = s.Get(t.Context(), "s", "k")
	require.NoError(t, err)
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.Equal(t, "update\nget\ncancel\nupsert\n", string(s.Stderr()))
}

// Who is asked thinks still, so nobody may ask again.
func TestUpdateThatIsAskedForTwice(t *testing.T) {
	s, err := proc.Open(t.Context(), t.TempDir(), child("nags"))
	require.NoError(t, err)
	const wrong = "the child's standard output: line 3 is no answer, since the call is no " +
		"update, or its value was asked for before: " +
		`"{\"id\":1,\"type\":\"seen\",\"found\":false}"; ` +
		"what is no answer belongs on standard error"
	_, _, err = s.Update(t.Context(), "s", "k", func(string, bool) string {
		_, _, err := s.Get(t.Context(), "s", "k")
		require.EqualError(t, err, "get: "+wrong)
		return "v"
	})
	require.Equal(t, tell{false, "protocol", "update: " + wrong}, told(err))
	require.EqualError(t, s.Close(), wrong)
}
