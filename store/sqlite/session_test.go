//go:build cgo

package sqlite_test

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

// requireList wants a session to hold those values, one for each key.
func requireList(t testing.TB, s *sqlite.Store, session string, want map[string]string) {
	t.Helper()
	entries, err := s.List(t.Context(), session)
	require.NoError(t, err)
	got := map[string]string{}
	for _, e := range entries {
		got[e.Key] = e.Value
	}
	require.Len(t, entries, len(got), "a key is listed twice")
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("list of %q (-want +got):\n%s", session, diff)
	}
}

func requireItems(t testing.TB, s *sqlite.Store, session string, want ...string) {
	t.Helper()
	got, err := s.Items(t.Context(), session)
	require.NoError(t, err)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("items of %q (-want +got):\n%s", session, diff)
	}
}

func add(t testing.TB, s *sqlite.Store, session string, items ...string) {
	t.Helper()
	for _, item := range items {
		require.NoError(t, s.Append(t.Context(), session, item))
	}
}

func TestListAndClearKeepTheContract(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name)
		requireList(t, s, "s", nil)
		require.NoError(t, s.Clear(t.Context(), "s"), "a session without a value is no error")
		upsert(t, s, "s", "a", "first")
		upsert(t, s, "s", "b", "")
		upsert(t, s, "s", "gone", "v")
		upsert(t, s, "other", "a", "theirs")
		upsert(t, s, "s", "a", "second")
		require.NoError(t, s.Delete(t.Context(), "s", "gone"))
		requireList(t, s, "s", map[string]string{"a": "second", "b": ""})
		require.NoError(t, s.Clear(t.Context(), "s"))
		requireList(t, s, "s", nil)
		requireNothing(t, s, "s", "a")
		requireList(t, s, "other", map[string]string{"a": "theirs"})
		upsert(t, s, "s", "a", "third")
		requireList(t, s, "s", map[string]string{"a": "third"})
	})
}

func TestListKeepsTextsApart(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name+",synchronous=off")
		all := map[string]string{}
		for i, text := range hostile {
			upsert(t, s, text, "k", fmt.Sprint("session ", i))
			upsert(t, s, "all", text, text)
			all[text] = text
		}
		for i, text := range hostile {
			want := map[string]string{"k": fmt.Sprint("session ", i)}
			requireList(t, s, text, want)
			require.NoError(t, s.Clear(t.Context(), text))
			requireList(t, s, text, nil)
			requireList(t, s, "all", all)
		}
	})
}

func TestItemsKeepTheirOrder(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name+",synchronous=off")
		requireItems(t, s, "s")
		var want []string
		for i := range 12 { // more than one digit, and the texts fall where the numbers rise
			want = append(want, strconv.Itoa(20-i))
		}
		want = append(append(want, want[3], want[3]), hostile...)
		for i, item := range want {
			add(t, s, "s", item)
			add(t, s, "other", strconv.Itoa(i))
		}
		requireItems(t, s, "s", want...)
		for i, text := range hostile {
			add(t, s, text+"/", fmt.Sprint("session ", i))
		}
		for i, text := range hostile {
			requireItems(t, s, text+"/", fmt.Sprint("session ", i))
		}
	})
}

// TestItemsAreBesideTheSlots: neither knows of the other.
func TestItemsAreBesideTheSlots(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name)
		add(t, s, "s", "one")
		requireList(t, s, "s", nil)
		requireNothing(t, s, "s", "1")
		rows, err := s.Dump(t.Context())
		require.NoError(t, err)
		require.Empty(t, rows)
		upsert(t, s, "s", "k", "v")
		require.NoError(t, s.Clear(t.Context(), "s"))
		add(t, s, "s", "two")
		requireItems(t, s, "s", "one", "two")
	})
}

func TestItemsSurviveClose(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		if v.Memory {
			return
		}
		dir := t.TempDir()
		s, err := sqlite.Open(t.Context(), dir, v)
		require.NoError(t, err)
		add(t, s, "s", "one", "two")
		require.NoError(t, s.Close())
		again := open(t, dir, v.Name)
		add(t, again, "s", "three")
		requireItems(t, again, "s", "one", "two", "three")
	})
}

// TestAppendsOfManyAreAllKept: each item is there once, and those of one client are in its order.
func TestAppendsOfManyAreAllKept(t *testing.T) {
	const each = 10
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		dir := t.TempDir()
		stores := []*sqlite.Store{open(t, dir, v.Name), open(t, dir, v.Name)}
		if v.Memory {
			stores = stores[:1]
		}
		together(func(i int) {
			for n := range each {
				item := fmt.Sprint(i, " ", n)
				if err := stores[i%len(stores)].Append(t.Context(), "s", item); err != nil {
					t.Error(err)
				}
			}
		})
		items, err := stores[0].Items(t.Context(), "s")
		require.NoError(t, err)
		next := map[string]int{}
		for _, item := range items {
			client, n, _ := strings.Cut(item, " ")
			require.Equal(t, strconv.Itoa(next[client]), n, "client %s in %q", client, items)
			next[client]++
		}
		require.Len(t, items, adders*each)
	})
}

// TestListAndClearAreOneInstant: where one client fills a session in the order of the keys and
// clears it, over and over, nobody may see a later key without all earlier ones.
func TestListAndClearAreOneInstant(t *testing.T) {
	const rounds, keys = 10, 6
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name+",synchronous=off")
		var filler, readers sync.WaitGroup
		filled := make(chan struct{})
		filler.Go(func() {
			defer close(filled)
			for range rounds {
				fillAndClear(t, s, keys)
			}
		})
		for range 3 {
			readers.Go(func() {
				for end := false; !end; {
					select {
					case <-filled:
						end = true
					default:
					}
					requirePrefix(t, s)
				}
			})
		}
		filler.Wait()
		readers.Wait()
	})
}

func fillAndClear(t *testing.T, s *sqlite.Store, keys int) {
	for k := range keys {
		if _, err := s.Upsert(t.Context(), "s", strconv.Itoa(k), "v"); err != nil {
			t.Error(err)
		}
	}
	if err := s.Clear(t.Context(), "s"); err != nil {
		t.Error(err)
	}
}

// requirePrefix wants the keys of a session to be 0, 1, ... without a gap.
func requirePrefix(t *testing.T, s *sqlite.Store) {
	entries, err := s.List(t.Context(), "s")
	if err != nil {
		t.Error(err)
	}
	got := map[string]bool{}
	for _, e := range entries {
		got[e.Key] = true
	}
	for k := range len(entries) {
		if !got[strconv.Itoa(k)] {
			t.Errorf("%v: there is no %d", got, k)
		}
	}
}

func TestListOfWhatIsNoText(t *testing.T) {
	s, err := openStatements(t, t.TempDir(), "memory", func(s *sqlite.Statements) {
		s.Schema, s.ItemSchema = weak, `CREATE TABLE items (session_id, n, value);
			INSERT INTO items VALUES ('s', 1, 7), ('s', 2, x'6162'), ('null', 3, NULL)`
	})
	require.NoError(t, err)
	_, err = s.List(t.Context(), "s")
	require.ErrorContains(t, err, "list: the value is <nil> and no text")
	requireClass(t, err, "other", true)
	_, _, err = s.Take(t.Context(), "s", "null")
	require.Error(t, err)
	requireList(t, s, "s", map[string]string{"integer": "12", "real": "0.5", "blob": "ab"})
	requireItems(t, s, "s", "7", "ab")
	_, err = s.Items(t.Context(), "null")
	require.ErrorContains(t, err, "items: the value is <nil> and no text")
	add(t, s, "s", "the store is still there")
}

func TestListRefusesOtherColumns(t *testing.T) {
	s, err := openStatements(t, t.TempDir(), "memory", func(s *sqlite.Statements) {
		s.List = "SELECT value FROM memories WHERE session_id = :session"
		s.Items = "SELECT n, value FROM items WHERE session_id = :session"
	})
	require.NoError(t, err)
	_, err = s.List(t.Context(), "s")
	require.ErrorContains(t, err, "list: the statement returns 1 columns and not 2")
	_, err = s.Items(t.Context(), "s")
	require.ErrorContains(t, err, "items: the statement returns 2 columns and not 1")
	upsert(t, s, "s", "k", "the store is still there")
}
