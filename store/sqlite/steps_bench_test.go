//go:build cgo

package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

// step is a store on the way from a pool of database/sql, as most programs have it, to variant wal.
type step struct {
	name string
	// writers counts the connections of database/sql that write; 0 is the variant itself.
	writers               int
	prepared, cancellable bool
}

// steps add one thing each to the one before.
var steps = []step{
	{"sql", 64, false, true}, {"prepared", 64, true, true}, {"one-writer", 1, true, true},
	{"no-database/sql", 0, true, true}, {"not-cancellable", 0, true, false},
}

// BenchmarkSteps tells what each step to wal brings, step by step in turn: the medians of calls per
// second, and their 99th percentiles.
func BenchmarkSteps(b *testing.B) {
	for _, what := range []struct{ level, kind string }{
		{"full", "upsert"}, {"normal", "upsert"}, {"normal", "get"},
	} {
		for _, clients := range []int{1, 64} {
			b.Run(fmt.Sprintf("sync=%s/kind=%s/clients=%d", what.level, what.kind, clients),
				func(b *testing.B) { takeSteps(b, what.level, what.kind, clients) })
		}
	}
}

func takeSteps(b *testing.B, level, kind string, clients int) {
	const rounds = 21
	each := 8192 / clients
	if level == "full" {
		each = 512 / clients
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	calls := make([]caller, len(steps))
	var keys []string
	for i, s := range steps {
		calls[i], keys = s.open(b, variant(b, "wal,synchronous="+level), kind)
	}
	found := make([]measured, len(steps))
	for b.Loop() {
		for range rounds {
			for i, s := range steps {
				with := ctx
				if !s.cancellable {
					with = context.WithoutCancel(ctx)
				}
				found[i].add(calling(b, with, calls[i], keys, clients, each))
			}
		}
	}
	for i, s := range steps {
		b.ReportMetric(median(found[i].perSecond), s.name+"-ops/s")
		b.ReportMetric(median(found[i].p99), s.name+"-p99-ns")
	}
}

// open returns what makes calls, and the keys that there are.
func (s step) open(b *testing.B, v sqlite.Variant, kind string) (caller, []string) {
	value := strings.Repeat("v", 100)
	dir := b.TempDir()
	store, keys := filledIn(b, dir, v, sqlite.DefaultStatements(), value)
	if s.writers == 0 {
		return callOf(store, kind, value), keys
	}
	v.Writers = s.writers
	pools, err := sqlite.OpenPools(b.Context(), dir, v)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, pools.Close()) })
	if kind == "get" {
		get := s.query(b, pools.Read, sqlite.Numbered(sqlite.DefaultStatements().Get))
		return func(ctx context.Context, key string) error {
			var value string
			return get(ctx, "session", key).Scan(&value)
		}, keys
	}
	upsert := s.exec(b, pools.Write, sqlite.Numbered(sqlite.DefaultStatements().Upsert))
	return func(ctx context.Context, key string) error {
		_, err := upsert(ctx, "session", key, value, time.Now().UnixNano())
		return err
	}, keys
}

func (s step) exec(b *testing.B, db *sql.DB, text string,
) func(context.Context, ...any) (sql.Result, error) {
	if s.prepared {
		return prepare(b, db, text).ExecContext
	}
	return func(ctx context.Context, args ...any) (sql.Result, error) {
		return db.ExecContext(ctx, text, args...)
	}
}

func (s step) query(b *testing.B, db *sql.DB, text string) func(context.Context, ...any) *sql.Row {
	if s.prepared {
		return prepare(b, db, text).QueryRowContext
	}
	return func(ctx context.Context, args ...any) *sql.Row {
		return db.QueryRowContext(ctx, text, args...)
	}
}

func prepare(b *testing.B, db *sql.DB, text string) *sql.Stmt {
	s, err := db.PrepareContext(b.Context(), text)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	return s
}
