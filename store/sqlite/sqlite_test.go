//go:build cgo

package sqlite_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/sqlite"
)

func TestStoreKeepsTheContract(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name)
		requireNothing(t, s, "s", "k")
		require.NoError(t, s.Delete(t.Context(), "s", "k"), "a slot without a value is no error")
		upsert(t, s, "s", "k", "first")
		upsert(t, s, "other", "k", "theirs")
		upsert(t, s, "s", "k", "second")
		requireValue(t, s, "s", "k", "second")
		requireValue(t, s, "other", "k", "theirs")
		require.NoError(t, s.Delete(t.Context(), "s", "k"))
		requireNothing(t, s, "s", "k")
		requireValue(t, s, "other", "k", "theirs")
	})
}

// hostile are texts that some store or other takes for something else, or for each other.
var hostile = []string{
	"", " ", "a", "A", "a ", "ab", "a\x00", "a\x00b", "\x00", "\xff\xfe", "a\xc3", "007", "7",
	"7.0", "1e3", "NULL", "'", `"`, "''; DROP TABLE memories; --", "%", "_", "a%", "user_1",
	"userX1", "?1", ":key", "\r\n", "\n", "é", "e\u0301", "\U0001f9e0", "\ufeff", "\u202e",
	strings.Repeat("long", 1<<15),
}

func TestStoreKeepsTextsApart(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name+",synchronous=off")
		for i, text := range hostile {
			upsert(t, s, text, "k", fmt.Sprint("session ", i))
			upsert(t, s, "s", text, fmt.Sprint("key ", i))
			upsert(t, s, "value", fmt.Sprint(i), text)
		}
		for i, text := range hostile {
			requireValue(t, s, text, "k", fmt.Sprint("session ", i))
			requireValue(t, s, "s", text, fmt.Sprint("key ", i))
			requireValue(t, s, "value", fmt.Sprint(i), text)
		}
		rows, err := s.Dump(t.Context())
		require.NoError(t, err)
		require.Len(t, rows, 3*len(hostile))
		for _, text := range hostile {
			require.NoError(t, s.Delete(t.Context(), "s", text))
			requireNothing(t, s, "s", text)
		}
	})
}

func TestDumpShowsWhatUpsertReturned(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name)
		before := time.Now()
		first, err := s.Upsert(t.Context(), "s\x00", "k", "v\xff")
		require.NoError(t, err)
		require.False(t, first.Before(before.Round(0)), "the time is that of the call")
		second, err := s.Upsert(t.Context(), "s\x00", "k", "w")
		require.NoError(t, err)
		got, err := s.Dump(t.Context())
		require.NoError(t, err)
		want := []store.Row{{Session: store.TextField("s\x00"), Key: store.TextField("k"),
			Value: store.TextField("w"), UpdatedAt: second}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("rows (-want +got):\n%s", diff)
		}
	})
}

func TestStoreOnDiskSurvivesClose(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		dir := t.TempDir()
		s, err := v.Opener()(t.Context(), dir)
		require.NoError(t, err)
		upsert(t, s, "s", "k", "v")
		require.NoError(t, s.Close())
		again := open(t, dir, v.Name)
		if v.Memory {
			requireNothing(t, again, "s", "k")
			return
		}
		requireValue(t, again, "s", "k", "v")
	})
}

// hammer writes count keys of its own from each of 16 clients, and reads each back at once.
func hammer(t testing.TB, s store.Store, name string, count int) {
	var clients sync.WaitGroup
	gate := make(chan struct{})
	for client := range 16 {
		clients.Go(func() {
			<-gate
			for i := range count {
				key := fmt.Sprintf("%s-%d-%d", name, client, i)
				if _, err := s.Upsert(t.Context(), "s", key, key); err != nil {
					t.Error(err)
				}
				got, found, err := s.Get(t.Context(), "s", key)
				if err != nil || !found || got != key {
					t.Errorf("get %s: %q, %t, %v", key, got, found, err)
				}
			}
		})
	}
	close(gate)
	clients.Wait()
}

func TestStoreServesManyClients(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		s := open(t, t.TempDir(), v.Name)
		hammer(t, s, "one", 10)
		rows, err := s.Dump(t.Context())
		require.NoError(t, err)
		require.Len(t, rows, 160)
	})
}

func TestTwoHandlesShareAFile(t *testing.T) {
	for _, text := range []string{"shared", "pool", "wal", "wal-pool", "wal,readers=0",
		"pool,txlock=auto", "pool,txlock=deferred", "wal,writers=3,txlock=exclusive",
		"wal-batch", "wal-batch,batch=3,journal=delete,delay=1ms,txlock=deferred"} {
		t.Run(text, func(t *testing.T) {
			dir := t.TempDir()
			one, two := open(t, dir, text), open(t, dir, text)
			var both sync.WaitGroup
			both.Go(func() { hammer(t, one, "one", 5) })
			both.Go(func() { hammer(t, two, "two", 5) })
			both.Wait()
			rows, err := two.Dump(t.Context())
			require.NoError(t, err)
			require.Len(t, rows, 160)
		})
	}
}

func TestDescribeReadsBack(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []store.Setting
	}{
		{"memory", []store.Setting{
			{Name: "journal_mode", Value: "memory"}, {Name: "synchronous", Value: "off"},
			{Name: "busy_timeout", Value: "0ms"}, {Name: "locking_mode", Value: "normal"},
			{Name: "txlock", Value: "auto"},
			{Name: "readers", Value: "0"}, {Name: "writers", Value: "1"},
			{Name: "commits", Value: "off"}}},
		{"wal,synchronous=extra,readers=2,busy=70ms", []store.Setting{
			{Name: "journal_mode", Value: "wal"}, {Name: "synchronous", Value: "extra"},
			{Name: "busy_timeout", Value: "70ms"}, {Name: "locking_mode", Value: "normal"},
			{Name: "txlock", Value: "auto"},
			{Name: "readers", Value: "2"}, {Name: "writers", Value: "1"},
			{Name: "commits", Value: "off"}}},
		{"pool,journal=truncate,writers=3,commits=on", []store.Setting{
			{Name: "journal_mode", Value: "truncate"}, {Name: "synchronous", Value: "full"},
			{Name: "busy_timeout", Value: "10000ms"}, {Name: "locking_mode", Value: "normal"},
			{Name: "txlock", Value: "immediate"},
			{Name: "readers", Value: "0"}, {Name: "writers", Value: "3"},
			{Name: "commits", Value: "on"}}},
		{"wal-batch,synchronous=full,batch=8,delay=2ms", []store.Setting{
			{Name: "journal_mode", Value: "wal"}, {Name: "synchronous", Value: "full"},
			{Name: "busy_timeout", Value: "10000ms"}, {Name: "locking_mode", Value: "normal"},
			{Name: "txlock", Value: "immediate"},
			{Name: "readers", Value: "4"}, {Name: "writers", Value: "1"},
			{Name: "commits", Value: "off"},
			{Name: "batch", Value: "8"}, {Name: "delay", Value: "2ms"}}},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got, err := open(t, t.TempDir(), tc.text).Describe(t.Context())
			require.NoError(t, err)
			version := cmpopts.IgnoreSliceElements(func(s store.Setting) bool {
				return s.Name == "sqlite" || s.Name == "sqlite_source"
			})
			want := store.Description{Name: variant(t, tc.text).String(),
				Volatile: tc.text == "memory", Settings: tc.want}
			if diff := cmp.Diff(want, got, version); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			require.Equal(t, "sqlite", got.Settings[0].Name)
			require.Equal(t, "sqlite_source", got.Settings[1].Name)
		})
	}
}

func TestClosedStoreSaysSo(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		v.Commits = true
		s, err := sqlite.Open(t.Context(), t.TempDir(), v)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		require.NoError(t, s.Close(), "a second Close finds nothing to do")
		for _, c := range calls {
			err := c.call(context.Background(), s)
			require.ErrorContains(t, err, c.name+": ")
			requireClass(t, err, "closed", true)
		}
	})
}
