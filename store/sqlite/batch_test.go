//go:build cgo

package sqlite_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"memrace/store/sqlite"
)

// gathered makes calls that wait together, in this order: each is made once those before it wait,
// while the connection is kept from them. It returns their errors. The first is no update.
func gathered(t testing.TB, s *sqlite.Store, calls ...func() error) []error {
	t.Helper()
	release, err := s.HoldWriter(t.Context())
	require.NoError(t, err)
	errs := make([]error, len(calls))
	var all sync.WaitGroup
	for i, call := range calls {
		all.Go(func() { errs[i] = call() })
		s.AwaitQueue(i + 1)
	}
	release()
	all.Wait()
	return errs
}

func upserting(t testing.TB, s *sqlite.Store, key, value string) func() error {
	return func() error {
		_, err := s.Upsert(t.Context(), "s", key, value)
		return err
	}
}

// counted returns how many BEGINs and COMMITs there have been since.
func counted(t testing.TB, s *sqlite.Store) (begins, commits *int) {
	t.Helper()
	begins, commits = new(int), new(int)
	require.NoError(t, s.Before(t.Context(), func() { *begins++ }, func() { *commits++ }))
	return begins, commits
}

func TestBatchSharesACommit(t *testing.T) {
	for _, tc := range []struct {
		text        string
		calls, want int
		why         string
	}{
		{"wal-batch", 64, 1, "a whole batch"},
		{"wal-batch", 65, 2, "one more than a batch has"},
		{"wal-batch,batch=8", 24, 3, ""},
		{"wal-batch,batch=1", 5, 5, "nothing is shared"},
		{"wal-batch,journal=delete,readers=0", 10, 1, "in any mode of the journal"},
	} {
		t.Run(fmt.Sprint(tc.text, " ", tc.calls), func(t *testing.T) {
			s := open(t, t.TempDir(), tc.text)
			_, commits := counted(t, s)
			var calls []func() error
			for i := range tc.calls {
				calls = append(calls, upserting(t, s, fmt.Sprint(i), "v"))
			}
			for _, err := range gathered(t, s, calls...) {
				require.NoError(t, err)
			}
			require.Equal(t, tc.want, *commits, tc.why)
			rows, err := s.Dump(t.Context())
			require.NoError(t, err)
			require.Len(t, rows, tc.calls)
		})
	}
}

// TestBatchOfManyClients counts, without waiting for anybody, how many upserts share a commit.
func TestBatchOfManyClients(t *testing.T) {
	const clients, each = 64, 50
	s := open(t, t.TempDir(), "wal-batch,synchronous=full")
	_, commits := counted(t, s)
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			for range each {
				if _, err := s.Upsert(t.Context(), "s", fmt.Sprint(client), "v"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d upserts, %d commits", clients*each, *commits)
	require.LessOrEqual(t, 20**commits, clients*each, "commits for an upsert")
}

// TestBatchKeepsTheOrder compares with a model: calls of all kinds, in the order in which they
// came, and what the journal says of them.
func TestBatchKeepsTheOrder(t *testing.T) {
	s := open(t, t.TempDir(), "wal-batch,synchronous=off,batch=5,commits=on")
	round := 0
	rapid.Check(t, func(r *rapid.T) {
		round++
		m := model{t: t, s: s, session: fmt.Sprint(round), slots: map[string]string{}}
		calls := []func() error{func() error { return s.Delete(t.Context(), "s", "first") }}
		n := rapid.IntRange(1, 14).Draw(r, "calls")
		for i := range n {
			key := rapid.SampledFrom([]string{"a", "b"}).Draw(r, "key")
			kind := rapid.SampledFrom(kinds).Draw(r, "kind")
			calls = append(calls, m.call(kind, key, fmt.Sprint(i)))
		}
		for _, err := range gathered(t, s, calls...) {
			require.NoError(t, err)
		}
		requireList(t, s, m.session, m.slots)
		requireItems(t, s, m.session, m.items...)
		require.Equal(t, m.changes, m.journal())
	})
}

var kinds = []string{"upsert", "delete", "append", "clear", "take", "update"}

// model is what a session holds after calls in turn.
type model struct {
	t       *testing.T
	s       *sqlite.Store
	session string
	slots   map[string]string
	items   []string
	// changes are those of slots, one line for each call that changes some.
	changes []string
}

// call notes in the model what a call does, and returns one that does it.
func (m *model) call(kind, key, value string) func() error {
	ctx, old := m.t.Context(), "-"
	if held, found := m.slots[key]; found {
		old = held
	}
	switch kind {
	case "append":
		m.items = append(m.items, value)
		return func() error { return m.s.Append(ctx, m.session, value) }
	case "upsert":
		m.set(key, value)
		return func() error {
			_, err := m.s.Upsert(ctx, m.session, key, value)
			return err
		}
	case "update":
		m.set(key, value)
		return func() error {
			seen, found, err := m.s.Update(ctx, m.session, key, to(value))
			return expect(err, old, shown(seen, found))
		}
	case "take":
		m.remove(key)
		return func() error {
			seen, found, err := m.s.Take(ctx, m.session, key)
			return expect(err, old, shown(seen, found))
		}
	case "delete":
		m.remove(key)
		return func() error { return m.s.Delete(ctx, m.session, key) }
	}
	m.remove("a", "b")
	return func() error { return m.s.Clear(ctx, m.session) }
}

func expect(err error, want, got string) error {
	if err == nil && want != got {
		return fmt.Errorf("it returned %s and not %s", got, want)
	}
	return err
}

func (m *model) set(key, value string) {
	m.slots[key] = value
	m.changes = append(m.changes, key+"="+value)
}

func (m *model) remove(keys ...string) {
	var gone []string
	for _, key := range keys {
		if _, found := m.slots[key]; found {
			gone = append(gone, key+"=-")
			delete(m.slots, key)
		}
	}
	if gone != nil {
		m.changes = append(m.changes, strings.Join(gone, " "))
	}
}

// journal returns what the store noted of the session, in the words of changes.
func (m *model) journal() (lines []string) {
	var last int64
	for _, c := range commits(m.t, m.s) {
		if c.Session != m.session {
			continue
		}
		change := c.Key + "=" + shown(c.Value, !c.Deleted)
		if len(lines) > 0 && c.Transaction == last {
			lines[len(lines)-1] += " " + change
			continue
		}
		lines, last = append(lines, change), c.Transaction
	}
	return lines
}

// TestErrorInABatchIsOnesOwn: statements that fail, wherever they stand, do not fail others.
func TestErrorInABatchIsOnesOwn(t *testing.T) {
	for _, tc := range []struct{ name, keys, why string }{
		{"first", "xabc", ""}, {"last", "abcx", ""}, {"two", "axbxc", ""},
		{"only", "x", "the leader's is the only one"}, {"all", "xxx", ""},
		{"one's neighbour's doing", "aab", "the second is refused for what the first wrote"},
	} {
		for _, conflict := range []string{"ABORT", "FAIL", "ROLLBACK"} {
			t.Run(tc.name+" "+conflict, func(t *testing.T) {
				s, err := openStatements(t, t.TempDir(), "wal-batch,commits=on",
					func(s *sqlite.Statements) {
						s.Upsert = "INSERT OR " + conflict + " INTO memories VALUES " +
							"(:session, :key || '+', :value, :now), (:session, :key, :value, :now)"
					})
				require.NoError(t, err)
				_, err = s.Upsert(t.Context(), "s", "x", "first")
				require.NoError(t, err)
				require.NoError(t, s.Delete(t.Context(), "s", "x+"))
				requireOwnErrors(t, s, tc.keys, tc.why)
			})
		}
	}
}

// requireOwnErrors makes a batch of upserts, of which those of keys that are there are refused.
func requireOwnErrors(t *testing.T, s *sqlite.Store, keys, why string) {
	want := map[string]string{"x": "first"}
	var calls []func() error
	var refused []bool
	for i, key := range strings.Split(keys, "") {
		calls = append(calls, upserting(t, s, key, fmt.Sprint(i)))
		_, there := want[key]
		refused = append(refused, there)
		if !there {
			want[key], want[key+"+"] = fmt.Sprint(i), fmt.Sprint(i)
		}
	}
	for i, err := range gathered(t, s, calls...) {
		if !refused[i] {
			require.NoError(t, err, "call %d; %s", i, why)
			continue
		}
		requireClass(t, err, "constraint", true)
	}
	requireList(t, s, "s", want)
}
