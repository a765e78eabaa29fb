package mutant

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"time"

	"memrace/store"
	"memrace/store/sqlite"
)

// wrapped opens a right store and puts around it what is wrong.
func wrapped(variant string, wrap func(*sqlite.Store) store.Store) store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		v, err := sqlite.ParseVariant(variant)
		if err != nil {
			return nil, err
		}
		s, err := sqlite.Open(ctx, dir, v)
		if err != nil {
			return nil, err
		}
		return wrap(s), nil
	}
}

// plain is a store in few words over the pools of a variant: right as long as every call is one
// statement. Mutants that are wrong in Go embed it and have their own method for what they get
// wrong.
type plain struct {
	pools    sqlite.Pools
	sql      sqlite.Statements
	name     string
	volatile bool
}

// inGo opens a plain store and puts around it what is wrong.
func inGo(variant string, wrap func(*plain) store.Store) store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		p, err := openPlain(ctx, dir, variant)
		if err != nil {
			return nil, err
		}
		return wrap(p), nil
	}
}

func openPlain(ctx context.Context, dir, variant string) (*plain, error) {
	v, err := sqlite.ParseVariant(variant)
	if err != nil {
		return nil, err
	}
	pools, err := sqlite.OpenPools(ctx, dir, v)
	if err != nil {
		return nil, err
	}
	right := sqlite.DefaultStatements()
	if _, err := pools.Write.ExecContext(ctx, right.Schema); err != nil {
		return nil, errors.Join(sqlite.Wrap("make the table", err), pools.Close())
	}
	return &plain{pools: pools, sql: right, name: variant, volatile: v.Memory}, nil
}

// querier is what pools and connections have in common.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// row is what a statement may name.
type row struct {
	session, key, value string
	now                 time.Time
}

func (r row) args() []any {
	return []any{
		sql.Named("session", r.session), sql.Named("key", r.key),
		sql.Named("value", r.value), sql.Named("now", r.now.UnixNano()),
	}
}

// exec runs a statement and returns how many rows it changed.
func exec(ctx context.Context, on querier, query string, r row) (int64, error) {
	result, err := on.ExecContext(ctx, query, r.args()...)
	if err != nil {
		return 0, sqlite.Wrap("write", err)
	}
	return result.RowsAffected()
}

// get runs a statement that returns a value or nothing.
func get(ctx context.Context, on querier, query string, r row) (string, bool, error) {
	var value string
	err := on.QueryRowContext(ctx, query, r.args()...).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, sqlite.Wrap("get", err)
	}
	return value, true, nil
}

func (p *plain) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	think()
	r := row{session, key, value, time.Now()}
	_, err := exec(ctx, p.pools.Write, p.sql.Upsert, r)
	return r.now, err
}

func (p *plain) Get(ctx context.Context, session, key string) (string, bool, error) {
	think()
	return get(ctx, p.pools.Read, p.sql.Get, row{session: session, key: key})
}

func (p *plain) Delete(ctx context.Context, session, key string) error {
	think()
	_, err := exec(ctx, p.pools.Write, p.sql.Delete, row{session: session, key: key})
	return err
}

func (p *plain) Close() error { return p.pools.Close() }

func (p *plain) Describe(context.Context) (store.Description, error) {
	return store.Description{Name: p.name, Volatile: p.volatile}, nil
}

func (p *plain) Dump(ctx context.Context) ([]store.Row, error) {
	return dump(ctx, p.pools.Write, p.sql.Dump)
}

func dump(ctx context.Context, on querier, query string) ([]store.Row, error) {
	found, err := on.QueryContext(ctx, query)
	if err != nil {
		return nil, sqlite.Wrap("list the rows", err)
	}
	defer found.Close()
	var rows []store.Row
	for found.Next() {
		var session, key, value field
		var now int64
		if err := found.Scan(&session.kind, &session.text, &key.kind, &key.text,
			&value.kind, &value.text, &now); err != nil {
			return nil, fmt.Errorf("read a row: %w", err)
		}
		rows = append(rows, store.Row{
			Session: session.kept(), Key: key.kept(), Value: value.kept(),
			UpdatedAt: time.Unix(0, now),
		})
	}
	return rows, found.Err()
}

// field is a column as Statements.Dump returns it.
type field struct {
	kind string
	text []byte
}

func (f field) kept() store.Field {
	t := store.Null
	for t < store.Real && t.String() != f.kind {
		t++
	}
	return store.Field{Type: t, Text: string(f.text)}
}

// think gives way to other calls: before a statement as a store does that waits for a connection,
// and between two as one that looks at what the first one found. Without it a call in memory is
// over before any other one gets a turn.
func think() { runtime.Gosched() }
