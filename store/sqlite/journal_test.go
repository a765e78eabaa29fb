//go:build cgo

package sqlite_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/sqlite"
)

// commits returns the journal of a store that keeps one, the changes of a transaction by key.
func commits(t testing.TB, s *sqlite.Store) []store.Commit {
	t.Helper()
	all, kept, err := s.Commits(t.Context())
	require.NoError(t, err)
	require.True(t, kept)
	byNumber := func(a, b store.Commit) int { return cmp.Compare(a.Transaction, b.Transaction) }
	require.True(t, slices.IsSortedFunc(all, byNumber), "in order: %v", all)
	slices.SortStableFunc(all, func(a, b store.Commit) int {
		return cmp.Or(byNumber(a, b), cmp.Compare(a.Key, b.Key))
	})
	return all
}

// requireCommits wants a journal of such lines: transaction, session, key and value, "-" for none.
func requireCommits(t testing.TB, s *sqlite.Store, want ...string) {
	t.Helper()
	var got []string
	for _, c := range commits(t, s) {
		got = append(got, fmt.Sprintf("%d %s %s %s", c.Transaction, c.Session, c.Key,
			shown(c.Value, !c.Deleted)))
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("journal (-want +got):\n%s", diff)
	}
}

// TestJournalNotesEachChange: what changes nothing is not in it, and a clear is one transaction.
func TestJournalNotesEachChange(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name+",commits=on")
		requireCommits(t, s)
		upsert(t, s, "s", "a", "1")
		upsert(t, s, "s", "a", "2")
		requireUpdate(t, s, "s", "a", "2", "3")
		requireUpdate(t, s, "s", "b", "-", "4")
		requireTake(t, s, "s", "a", "3")
		requireTake(t, s, "s", "a", "-")
		require.NoError(t, s.Delete(t.Context(), "s", "a"))
		require.NoError(t, s.Clear(t.Context(), "nobody"))
		add(t, s, "s", "an item is no slot")
		upsert(t, s, "s", "a", "")
		upsert(t, s, "other", "a", "5")
		upsert(t, s, "s", "c", "6")
		require.NoError(t, s.Clear(t.Context(), "s"))
		upsert(t, s, "s", "a", "7")
		require.NoError(t, s.Delete(t.Context(), "s", "a"))
		requireCommits(t, s, "1 s a 1", "2 s a 2", "3 s a 3", "4 s b 4", "5 s a -",
			"6 s a ", "7 other a 5", "8 s c 6", "9 s a -", "9 s b -", "9 s c -",
			"12 s a 7", "13 s a -")
	})
}

func TestJournalKeepsTexts(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name+",synchronous=off,commits=on")
		var want []store.Commit
		for _, text := range hostile {
			upsert(t, s, text, text, text)
			want = append(want, store.Commit{Transaction: int64(len(want) + 1),
				Session: text, Key: text, Value: text})
		}
		if diff := gocmp.Diff(want, commits(t, s)); diff != "" {
			t.Errorf("journal (-want +got):\n%s", diff)
		}
	})
}

// TestJournalForgetsWhatIsRolledBack, and so does the connection: another one takes the number that
// the transaction had.
func TestJournalForgetsWhatIsRolledBack(t *testing.T) {
	for _, text := range []string{"shared", "pool,writers=1", "wal", "wal-pool,writers=1"} {
		t.Run(text, func(t *testing.T) {
			dir := t.TempDir()
			s, err := openStatements(t, dir, text+",commits=on", func(s *sqlite.Statements) {
				s.Upsert = strings.Replace(strings.Split(s.Upsert, "ON CONFLICT")[0],
					"VALUES", "VALUES (:session, :key || '1', :value, :now),", 1)
			})
			require.NoError(t, err)
			other := open(t, dir, text+",commits=on")
			upsert(t, other, "s", "k", "1")
			_, err = s.Upsert(t.Context(), "s", "k", "inserted k1 before k was refused")
			requireClass(t, err, "constraint", true)
			upsert(t, other, "s", "k", "2")
			upsert(t, s, "s", "mine", "3")
			_, _, err = s.Update(t.Context(), "s", "k", to("again"))
			requireClass(t, err, "constraint", true)
			upsert(t, other, "s", "k", "4")
			upsert(t, s, "s", "own", "5")
			requireCommits(t, s, "1 s k 1", "2 s k 2", "3 s mine 3", "3 s mine1 3",
				"5 s k 4", "6 s own 5", "6 s own1 5")
		})
	}
}

// TestJournalOfTransactionsOfOnesOwn: connections of pools are numbered as those of a store are.
func TestJournalOfTransactionsOfOnesOwn(t *testing.T) {
	const put = "INSERT INTO memories VALUES ('s', hex(randomblob(8)), 'v', 0)"
	for _, text := range []string{"shared,commits=on", "wal,commits=on"} {
		t.Run(text, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, text)
			pools, err := sqlite.OpenPools(t.Context(), dir, variant(t, text))
			require.NoError(t, err)
			for _, step := range []string{"BEGIN", put, put, "COMMIT", put,
				"BEGIN", put, put, "ROLLBACK", "BEGIN", put, "SAVEPOINT a", put, "ROLLBACK TO a",
				put, "COMMIT", put} {
				_, err := pools.Write.ExecContext(t.Context(), step)
				require.NoError(t, err)
			}
			require.NoError(t, pools.Close())
			var got []int64
			for _, c := range commits(t, s) {
				got = append(got, c.Transaction)
			}
			if diff := gocmp.Diff([]int64{1, 1, 3, 4, 4, 6}, got); diff != "" {
				t.Errorf("transactions (-want +got):\n%s", diff)
			}
		})
	}
}

// TestJournalIsTheOrder lets many clients of two handles write, and then plays what is noted.
func TestJournalIsTheOrder(t *testing.T) {
	const each = 10
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		dir, text := t.TempDir(), v.Name+",synchronous=off,commits=on"
		stores := []*sqlite.Store{open(t, dir, text)}
		if !v.Memory {
			stores = append(stores, open(t, dir, text))
		}
		together(func(i int) {
			s := stores[i%len(stores)]
			for n := range each {
				change(t, s, i, n)
			}
		})
		all := commits(t, stores[0])
		transactions := slices.CompactFunc(slices.Clone(all), func(a, b store.Commit) bool {
			return a.Transaction == b.Transaction
		})
		require.GreaterOrEqual(t, len(transactions), adders*(each-each/5),
			"each upsert and update is a transaction of its own")
		requirePlayed(t, stores[0], all)
	})
}

// change makes one of many changes, of which an update proves what it came after.
func change(t *testing.T, s *sqlite.Store, client, n int) {
	var err error
	key, value := strconv.Itoa(n%3), fmt.Sprint(client, " ", n)
	switch n % 5 {
	case 0, 1:
		_, err = s.Upsert(t.Context(), "s", key, value)
	case 2, 3:
		_, _, err = s.Update(t.Context(), "s", key, func(old string, found bool) string {
			return value + " after " + strings.Split(shown(old, found), " after ")[0]
		})
	default:
		err = s.Clear(t.Context(), "s")
	}
	if err != nil {
		t.Error(err)
	}
}

// requirePlayed wants each update of a journal to come right after what it saw, and all changes
// together to end in what the store holds.
func requirePlayed(t *testing.T, s *sqlite.Store, all []store.Commit) {
	t.Helper()
	held := map[string]string{}
	for _, c := range all {
		old, found := held[c.Key]
		value, saw, isUpdate := strings.Cut(c.Value, " after ")
		if isUpdate {
			require.Equal(t, shown(old, found), saw, "what was there before %v", c)
		}
		held[c.Key] = value
		if c.Deleted {
			require.True(t, found, "%v deletes nothing", c)
			delete(held, c.Key)
		}
	}
	entries, err := s.List(t.Context(), "s")
	require.NoError(t, err)
	got := map[string]string{}
	for _, e := range entries {
		got[e.Key], _, _ = strings.Cut(e.Value, " after ")
	}
	if diff := gocmp.Diff(held, got); diff != "" {
		t.Errorf("what the journal ends in, and what is there (-journal +store):\n%s", diff)
	}
}

func TestJournalGoesOnAfterReopen(t *testing.T) {
	for _, text := range []string{"shared", "pool", "wal", "wal-pool"} {
		dir := t.TempDir()
		s, err := sqlite.Open(t.Context(), dir, variant(t, text+",commits=on"))
		require.NoError(t, err)
		upsert(t, s, "s", "a", "1")
		upsert(t, s, "s", "b", "2")
		require.NoError(t, s.Clear(t.Context(), "s"))
		require.NoError(t, s.Close())
		again := open(t, dir, text+",commits=on")
		upsert(t, again, "s", "a", "3")
		requireCommits(t, again, "1 s a 1", "2 s b 2", "3 s a -", "3 s b -", "5 s a 3")
	}
}

func TestNoJournalIsKeptUnasked(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name)
		upsert(t, s, "s", "k", "v")
		all, kept, err := s.Commits(t.Context())
		require.NoError(t, err)
		require.False(t, kept)
		require.Empty(t, all)
	})
}

// TestJournalHasNoHoles: a file has all changes in its journal, or none.
func TestJournalHasNoHoles(t *testing.T) {
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), dir, variant(t, "shared,commits=on"))
	require.NoError(t, err)
	upsert(t, s, "s", "k", "v")
	require.NoError(t, s.Close())
	_, err = sqlite.Open(t.Context(), dir, variant(t, "wal"))
	requireRefusal(t, err, "wal", dir,
		"the file keeps a journal of its changes; open it with commits=on")
	pools, err := sqlite.OpenPools(t.Context(), dir, variant(t, "shared"))
	require.NoError(t, err)
	_, err = pools.Write.ExecContext(t.Context(), "UPDATE memories SET value = 'unseen'")
	require.ErrorContains(t, err, "no such function: transaction_number")
	require.NoError(t, pools.Close())
	requireCommits(t, open(t, dir, "wal,commits=on"), "1 s k v")

	dir = t.TempDir()
	s, err = sqlite.Open(t.Context(), dir, variant(t, "wal"))
	require.NoError(t, err)
	upsert(t, s, "s", "k", "v")
	require.NoError(t, s.Close())
	_, err = sqlite.Open(t.Context(), dir, variant(t, "wal,commits=on"))
	requireRefusal(t, err, "wal,commits=on", dir,
		"the file has memories and no journal of how they came about; open it with commits=off")
	require.NoError(t, open(t, dir, "wal").Clear(t.Context(), "s"), "it is as it was")
	requireCommits(t, open(t, dir, "wal,commits=on"))
}

func TestJournalOfWhatIsNoText(t *testing.T) {
	s, err := openStatements(t, t.TempDir(), "memory,commits=on", func(s *sqlite.Statements) {
		s.Schema = `CREATE TABLE memories (session_id, key, value, updated_at,
			PRIMARY KEY (session_id, key))`
		s.Delete = `INSERT INTO memories VALUES (nullif(:session, ''), :key, 7, 0),
			(nullif(:session, ''), :key || '2', NULL, 0)`
	})
	require.NoError(t, err)
	require.NoError(t, s.Delete(context.Background(), "s", "k"))
	requireCommits(t, s, "1 s k 7", "1 s k2 -")
	require.NoError(t, s.Delete(context.Background(), "", "k"))
	_, _, err = s.Commits(t.Context())
	require.ErrorContains(t, err, "commits: session: the value is <nil> and no text")
	requireClass(t, err, "other", true)
}
