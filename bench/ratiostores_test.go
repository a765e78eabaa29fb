package bench_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/store"
	"memrace/store/sqlite"
)

// variant returns a subject with a name of its own.
func variant(t *testing.T, name, text string) bench.Subject {
	v, err := sqlite.ParseVariant(text)
	require.NoError(t, err)
	return bench.Subject{Store: name, Open: v.Opener()}
}

// cLoop returns the C loop, which has one thread whatever a load says of clients.
func cLoop(path, synchronous string) bench.Subject {
	args := func(dir string, l bench.Load, c bench.Config) []string {
		return []string{"--dir", dir, "--sync", synchronous, "--mix", l.Mix.String(),
			"--for", strconv.FormatInt(c.For.Milliseconds(), 10),
			"--warm-up", strconv.FormatInt(c.WarmUp.Milliseconds(), 10),
			"--sessions", strconv.Itoa(c.Sessions), "--keys", strconv.Itoa(c.Keys),
			"--value-size", strconv.Itoa(c.ValueSize), "--seed", strconv.FormatUint(c.Seed, 10)}
	}
	return bench.Subject{Store: "c-loop",
		Play: bench.Program{Path: path, Args: args}.Play}
}

// ofMemrace returns a store as a memrace measures it that was built in some way.
func ofMemrace(name, path, store string) bench.Subject {
	const file = "turn.txt"
	args := func(dir string, l bench.Load, c bench.Config) []string {
		return []string{"bench", "--store", store, "--mix", l.Mix.String(), "--rounds", "1",
			"--clients", strconv.Itoa(l.Clients), "--for", c.For.String(),
			"--warm-up", c.WarmUp.String(), "--sessions", strconv.Itoa(c.Sessions),
			"--keys", strconv.Itoa(c.Keys), "--value-size", strconv.Itoa(c.ValueSize),
			"--seed", strconv.FormatUint(c.Seed, 10), "--out", filepath.Join(dir, file)}
	}
	return bench.Subject{Store: name, Play: bench.Program{Path: path, Args: args, File: file}.Play}
}

// reader is the name of a readThenWrite, which is there to fail.
const reader = "read-then-write"

// readThenWrite is a pool whose upserts read before they write, in a deferred transaction. Whoever
// finds at the write that another has written since is refused at once, however long the busy
// timeout is: to wait would not make what was read any newer.
type readThenWrite struct {
	*sqlite.Store // makes the table, and has the other calls
	pools         sqlite.Pools
}

func openReadThenWrite(ctx context.Context, dir string) (store.Store, error) {
	right, err := sqlite.ParseVariant("wal,synchronous=full")
	if err != nil {
		return nil, err
	}
	v, err := sqlite.ParseVariant("wal-pool,writers=64,busy=5s,txlock=deferred,synchronous=full")
	if err != nil {
		return nil, err
	}
	s, err := sqlite.Open(ctx, dir, right)
	if err != nil {
		return nil, err
	}
	pools, err := sqlite.OpenPools(ctx, dir, v)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &readThenWrite{Store: s, pools: pools}, nil
}

func (s *readThenWrite) Upsert(ctx context.Context, session, key, value string,
) (time.Time, error) {
	now := time.Now()
	tx, err := s.pools.Write.BeginTx(ctx, nil)
	if err != nil {
		return now, sqlite.Wrap("begin", err)
	}
	var old string
	statements := sqlite.DefaultStatements()
	slot := []any{sql.Named("session", session), sql.Named("key", key)}
	err = tx.QueryRowContext(ctx, statements.Get, slot...).Scan(&old)
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		_, err = tx.ExecContext(ctx, statements.Upsert,
			append(slot, sql.Named("value", value), sql.Named("now", now.UnixNano()))...)
	}
	if err != nil {
		return now, errors.Join(sqlite.Wrap("upsert", err), tx.Rollback())
	}
	return now, sqlite.Wrap("commit", tx.Commit())
}

func (s *readThenWrite) Close() error { return errors.Join(s.pools.Close(), s.Store.Close()) }
