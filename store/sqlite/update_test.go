//go:build cgo

package sqlite_test

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

// to returns a change that puts value in the place of whatever there is.
func to(value string) func(string, bool) string {
	return func(string, bool) string { return value }
}

// requireUpdate wants an update to see old, or nothing where old is "-", and to write value.
func requireUpdate(t testing.TB, s *sqlite.Store, session, key, old, value string) {
	t.Helper()
	given := "not called"
	seen, found, err := s.Update(t.Context(), session, key, func(v string, ok bool) string {
		given = shown(v, ok)
		return value
	})
	require.NoError(t, err)
	require.Equal(t, old, given, "what change was given")
	require.Equal(t, old, shown(seen, found), "what Update returned")
	requireValue(t, s, session, key, value)
}

// requireTake wants a take to return value, or nothing for "-", and to leave nothing.
func requireTake(t testing.TB, s *sqlite.Store, session, key, value string) {
	t.Helper()
	got, found, err := s.Take(t.Context(), session, key)
	require.NoError(t, err)
	require.Equal(t, value, shown(got, found))
	requireNothing(t, s, session, key)
}

func shown(value string, found bool) string {
	if !found {
		return "-" + value
	}
	return value
}

func TestUpdateAndTakeKeepTheContract(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name)
		upsert(t, s, "other", "k", "theirs")
		requireTake(t, s, "s", "k", "-")
		requireUpdate(t, s, "s", "k", "-", "first")
		requireUpdate(t, s, "s", "k", "first", "second\x00\xff")
		upsert(t, s, "s", "k2", "")
		requireUpdate(t, s, "s", "k2", "", "an empty value is one")
		requireTake(t, s, "s", "k", "second\x00\xff")
		requireTake(t, s, "s", "k", "-")
		requireValue(t, s, "other", "k", "theirs")
		requireValue(t, s, "s", "k2", "an empty value is one")
	})
}

const adders = 8

// together runs what each of the clients does at once, and waits for all.
func together(client func(i int)) {
	var clients sync.WaitGroup
	gate := make(chan struct{})
	for i := range adders {
		clients.Go(func() {
			<-gate
			client(i)
		})
	}
	close(gate)
	clients.Wait()
}

// TestUpdatesAddUp: of a counter that all raise, no step is lost, and no two see the same number.
func TestUpdatesAddUp(t *testing.T) {
	const each = 10
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name)
		var seen [adders * each]int
		var mu sync.Mutex
		together(func(int) {
			for range each {
				old, _, err := s.Update(t.Context(), "s", "counter", raise)
				if err != nil {
					t.Error(err)
					continue
				}
				n, _ := strconv.Atoi(old)
				mu.Lock()
				seen[n]++
				mu.Unlock()
			}
		})
		requireValue(t, s, "s", "counter", strconv.Itoa(adders*each))
		for n, times := range seen {
			require.Equal(t, 1, times, "how many saw %d", n)
		}
	})
}

// raise adds one to a number; nothing is 0. It gives way to others, which must not be let in.
func raise(old string, _ bool) string {
	runtime.Gosched()
	n, _ := strconv.Atoi(old)
	return strconv.Itoa(n + 1)
}

// TestEachValueIsTakenOnce: of clients that write and take at once, each value goes to one.
func TestEachValueIsTakenOnce(t *testing.T) {
	const each = 10
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name)
		var mu sync.Mutex
		taken := map[string]int{}
		together(func(i int) {
			for n := range each {
				value := strconv.Itoa(i*each + n)
				if _, _, err := s.Update(t.Context(), "s", value, to(value)); err != nil {
					t.Error(err)
				}
				for _, key := range []string{value, strconv.Itoa(n)} {
					got, found, err := s.Take(t.Context(), "s", key)
					if err != nil {
						t.Error(err)
					} else if found {
						mu.Lock()
						taken[got]++
						mu.Unlock()
					}
				}
			}
		})
		for n := range adders * each {
			require.Equal(t, 1, taken[strconv.Itoa(n)], "how many took %d", n)
		}
		rows, err := s.Dump(t.Context())
		require.NoError(t, err)
		require.Empty(t, rows)
	})
}

// TestChangeThatDoesNotReturn: nothing is changed, and the connection is as good as before, which
// shows in that another one can write and that what is written after it is committed.
func TestChangeThatDoesNotReturn(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		dir := t.TempDir()
		s := open(t, dir, v.Name+",writers=1")
		upsert(t, s, "s", "k", "old")
		require.PanicsWithValue(t, "out of luck", func() {
			_, _, _ = s.Update(t.Context(), "s", "k", func(string, bool) string {
				panic("out of luck")
			})
		})
		requireFreeAndUnchanged(t, s, dir, v)
		var gone sync.WaitGroup
		gone.Go(func() {
			_, _, _ = s.Update(t.Context(), "s", "k", func(string, bool) string {
				runtime.Goexit()
				return ""
			})
		})
		gone.Wait()
		requireFreeAndUnchanged(t, s, dir, v)
	})
}

func requireFreeAndUnchanged(t *testing.T, s *sqlite.Store, dir string, v sqlite.Variant) {
	t.Helper()
	requireValue(t, s, "s", "k", "old")
	requireUpdate(t, s, "s", "other", "-", "new")
	if !v.Memory {
		another := open(t, dir, v.Name+",busy=0s")
		requireUpdate(t, another, "s", "other", "new", "newer")
		requireTake(t, another, "s", "other", "newer")
		return
	}
	requireTake(t, s, "s", "other", "new")
}

func TestUpdateThatIsStopped(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name)
		upsert(t, s, "s", "k", "old")
		ctx, cancel := context.WithCancel(t.Context())
		_, _, err := s.Update(ctx, "s", "k", func(string, bool) string {
			cancel()
			return "new"
		})
		requireClass(t, err, "canceled", true)
		requireUpdate(t, s, "s", "k", "old", "newer")
	})
}

func TestUpdateOfConstraintIsNotApplied(t *testing.T) {
	s, err := openStatements(t, t.TempDir(), "shared", func(s *sqlite.Statements) {
		s.Upsert = strings.Split(s.Upsert, "ON CONFLICT")[0]
	})
	require.NoError(t, err)
	upsert(t, s, "s", "k", "first")
	_, _, err = s.Update(t.Context(), "s", "k", to("second"))
	requireClass(t, err, "constraint", true)
	requireUpdate(t, s, "s", "other", "-", "the connection is still good")
}

func TestUpdateAndTakeOfWhatIsNoText(t *testing.T) {
	for _, text := range []string{"memory", "pool"} {
		s, err := openStatements(t, t.TempDir(), text, func(s *sqlite.Statements) {
			s.Schema = weak
		})
		require.NoError(t, err)
		_, _, err = s.Update(t.Context(), "s", "null", to("new"))
		require.ErrorContains(t, err, "update: the value is <nil> and no text")
		requireClass(t, err, "other", true)
		_, _, err = s.Take(t.Context(), "s", "null")
		require.ErrorContains(t, err, "take: the value is <nil> and no text")
		requireClass(t, err, "other", false)
		requireTake(t, s, "s", "null", "-")
		requireUpdate(t, s, "s", "integer", "12", "13")
		requireTake(t, s, "s", "real", "0.5")
	}
}

// TestTakeOfSeveralRowsEnds: a statement that is left before its end might not be committed.
func TestTakeOfSeveralRowsEnds(t *testing.T) {
	for _, text := range []string{"shared", "pool", "wal"} {
		dir := t.TempDir()
		s, err := openStatements(t, dir, text, func(s *sqlite.Statements) {
			s.Take = "DELETE FROM memories WHERE session_id = :session RETURNING value"
		})
		require.NoError(t, err)
		for _, key := range []string{"a", "b", "c"} {
			upsert(t, s, "s", key, "v")
		}
		got, found, err := s.Take(t.Context(), "s", "any")
		require.NoError(t, err)
		require.Equal(t, "v", shown(got, found))
		rows, err := open(t, dir, text).Dump(t.Context())
		require.NoError(t, err)
		require.Empty(t, rows)
	}
}

func TestUpdateWithBrokenRollbackIsUnknown(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, "pool,writers=1")
	require.NoError(t, s.BreakRollback(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	_, _, err := s.Update(ctx, "s", "k", func(string, bool) string { cancel(); return "v" })
	requireClass(t, err, "canceled", false)
	require.True(t, errors.Is(err, context.Canceled))
	hold(t, dir, "BEGIN EXCLUSIVE")()
	requireUpdate(t, s, "s", "k", "-", "on a connection that was made anew")
}
