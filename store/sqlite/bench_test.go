//go:build cgo

package sqlite_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

// load is what a benchmark does: calls of one kind by a number of clients, on 1000 rows that are
// there already and whose values have size bytes.
type load struct {
	kind          string
	clients, size int
}

func (l load) String() string {
	return fmt.Sprintf("clients=%d/size=%d/kind=%s", l.clients, l.size, l.kind)
}

// BenchmarkStore tells what one call costs, by variant, number of clients and kind of call. All
// calls have a context that can be cancelled, as those of a stress run have.
func BenchmarkStore(b *testing.B) {
	for _, v := range sqlite.Variants() {
		for _, clients := range []int{1, 16} {
			for _, kind := range []string{"upsert", "get"} {
				l := load{kind: kind, clients: clients, size: 5}
				b.Run(fmt.Sprintf("store=%s/%s", v, l), func(b *testing.B) {
					benchmark(b, v, sqlite.DefaultStatements(), l)
				})
			}
		}
	}
}

// BenchmarkTable compares the default table with one WITHOUT ROWID, by size of value.
func BenchmarkTable(b *testing.B) {
	for _, size := range []int{100, 4096} {
		for _, kind := range []string{"upsert", "get"} {
			for _, table := range []string{"STRICT", "STRICT, WITHOUT ROWID"} {
				l := load{kind: kind, clients: 1, size: size}
				s := sqlite.DefaultStatements()
				s.Schema = strings.Replace(s.Schema, "STRICT", table, 1)
				b.Run(fmt.Sprintf("table=%s/%s", table, l), func(b *testing.B) {
					benchmark(b, variant(b, "wal"), s, l)
				})
			}
		}
	}
}

// BenchmarkJournal tells what it costs to note each change.
func BenchmarkJournal(b *testing.B) {
	for _, v := range sqlite.Variants() {
		for _, commits := range []string{"off", "on"} {
			l := load{kind: "upsert", clients: 1, size: 100}
			b.Run(fmt.Sprintf("store=%s/%s/commits=%s", v, l, commits), func(b *testing.B) {
				benchmark(b, variant(b, v.Name+",commits="+commits), sqlite.DefaultStatements(), l)
			})
		}
	}
}

// filled returns a store and the keys of its rows, which are written without waiting for the disk.
func filled(b *testing.B, v sqlite.Variant, sql sqlite.Statements, value string,
) (*sqlite.Store, []string) {
	return filledIn(b, b.TempDir(), v, sql, value)
}

// filledIn is filled with a database in dir.
func filledIn(b *testing.B, dir string, v sqlite.Variant, sql sqlite.Statements, value string,
) (*sqlite.Store, []string) {
	keys := make([]string, 1000)
	fast := v
	fast.Synchronous = "off"
	s, err := sqlite.OpenStatements(b.Context(), dir, fast, sql)
	require.NoError(b, err)
	for i := range keys {
		keys[i] = strconv.Itoa(i)
		upsert(b, s, "session", keys[i], value)
	}
	if v != fast {
		require.NoError(b, s.Close())
		s, err = sqlite.OpenStatements(b.Context(), dir, v, sql)
		require.NoError(b, err)
	}
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	return s, keys
}

// caller makes one call, for a key of the session that is filled.
type caller func(ctx context.Context, key string) error

// callOf returns what makes calls of one kind.
func callOf(s *sqlite.Store, kind, value string) caller {
	return func(ctx context.Context, key string) error {
		if kind == "get" {
			_, _, err := s.Get(ctx, "session", key)
			return err
		}
		_, err := s.Upsert(ctx, "session", key, value)
		return err
	}
}

func benchmark(b *testing.B, v sqlite.Variant, sql sqlite.Statements, l load) {
	value := strings.Repeat("v", l.size)
	s, keys := filled(b, v, sql, value)
	call := callOf(s, l.kind, value)
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	b.ReportAllocs()
	b.ResetTimer()
	var all sync.WaitGroup
	for client := range l.clients {
		all.Go(func() {
			for i := client; i < b.N; i += l.clients {
				if err := call(ctx, keys[i%len(keys)]); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
}
