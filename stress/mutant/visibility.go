package mutant

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress/check"
)

// visibility lists the mutants whose reads show another state than the last one committed.
func visibility() []Mutant {
	return []Mutant{
		{
			Name: "stale-cache", Kind: "-", CaughtBy: check.Linearizability, Sequential: true,
			Fault: "a get puts what it read into a cache after a write may have emptied it, and " +
				"there the old value stays",
			Remedy:  "no cache; or fill it under the lock that the writes take",
			Profile: "hot", Ops: 2000, Caught: 19, Of: 20,
			Open: wrapped("memory", func(s *sqlite.Store) store.Store {
				return &staleCache{Store: s, cached: map[slot]string{}}
			}),
		},
		{
			Name: "memory-pool", Kind: "K03", CaughtBy: check.Linearizability, Sequential: true,
			Fault: ":memory: behind a pool: each connection that the pool opens under load is a " +
				"database of its own",
			Remedy:  "one connection that never closes, or a database with a file",
			Profile: "hot", Ops: 1000, Caught: 19, Of: 20,
			Open: openMemoryPool,
		},
		{
			Name: "held-reader", Kind: "K08", CaughtBy: check.Linearizability,
			Fault: "the readers' transaction is begun once and never ended, so that all reads " +
				"see the state of the first",
			Remedy:  "short read transactions, and rows that are closed on every path",
			Profile: "uniform", Ops: 400, Caught: 20, Of: 20,
			Open: inGo("wal,synchronous=off", func(p *plain) store.Store {
				return &heldReader{plain: p}
			}),
		},
		{
			Name: "dirty-read", Kind: "K04", CaughtBy: check.Integrity, Sequential: true,
			Fault: "readers share the writer's cache and set read_uncommitted, so that they see " +
				"values whose writes are about to be rolled back",
			Remedy:  "private caches and WAL",
			Profile: "hot", Ops: 1000, Caught: 19, Of: 20,
			Open: openDirtyRead,
		},
	}
}

type slot struct{ session, key string }

// staleCache is a right store behind a cache that is filled too late.
type staleCache struct {
	*sqlite.Store
	mu     sync.Mutex
	cached map[slot]string
}

func (c *staleCache) Get(ctx context.Context, session, key string) (string, bool, error) {
	at := slot{session, key}
	c.mu.Lock()
	value, found := c.cached[at]
	c.mu.Unlock()
	if found {
		return value, true, nil
	}
	value, found, err := c.Store.Get(ctx, session, key)
	think()
	if found && err == nil {
		c.mu.Lock()
		c.cached[at] = value
		c.mu.Unlock()
	}
	return value, found, err
}

func (c *staleCache) forget(session, key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.cached, slot{session, key})
}

func (c *staleCache) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	defer c.forget(session, key)
	return c.Store.Upsert(ctx, session, key, value)
}

func (c *staleCache) Delete(ctx context.Context, session, key string) error {
	defer c.forget(session, key)
	return c.Store.Delete(ctx, session, key)
}

// memoryPool is a pool of connections to :memory:. As in any pool, a call takes the first
// connection that is free, so a single client always has the same.
type memoryPool struct{ connections []*memoryConnection }

type memoryConnection struct {
	sync.Mutex
	*sqlite.Store
}

func openMemoryPool(ctx context.Context, dir string) (store.Store, error) {
	v, err := sqlite.ParseVariant("memory")
	if err != nil {
		return nil, err
	}
	var p memoryPool
	for range 4 {
		s, err := sqlite.Open(ctx, dir, v)
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		p.connections = append(p.connections, &memoryConnection{Store: s})
	}
	return p, nil
}

// take returns a connection that the caller has to unlock.
func (p memoryPool) take() *memoryConnection {
	for _, c := range p.connections {
		if c.TryLock() {
			think()
			return c
		}
	}
	p.connections[0].Lock()
	return p.connections[0]
}

func (p memoryPool) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	c := p.take()
	defer c.Unlock()
	return c.Store.Upsert(ctx, session, key, value)
}

func (p memoryPool) Get(ctx context.Context, session, key string) (string, bool, error) {
	c := p.take()
	defer c.Unlock()
	return c.Store.Get(ctx, session, key)
}

func (p memoryPool) Delete(ctx context.Context, session, key string) error {
	c := p.take()
	defer c.Unlock()
	return c.Store.Delete(ctx, session, key)
}

func (p memoryPool) Dump(ctx context.Context) ([]store.Row, error) {
	c := p.take()
	defer c.Unlock()
	return c.Store.Dump(ctx)
}

func (p memoryPool) Describe(ctx context.Context) (store.Description, error) {
	return p.connections[0].Store.Describe(ctx)
}

func (p memoryPool) Close() error {
	var errs []error
	for _, c := range p.connections {
		errs = append(errs, c.Store.Close())
	}
	return errors.Join(errs...)
}

// heldReader reads in a transaction that it never ends.
type heldReader struct {
	*plain
	mu     sync.Mutex
	reader *sql.Conn // nil before the first get
}

func (h *heldReader) Get(ctx context.Context, session, key string) (string, bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.reader == nil {
		reader, err := h.pools.Read.Conn(ctx)
		if err != nil {
			return "", false, sqlite.Wrap("begin to read", err)
		}
		h.reader = reader
		if _, err := exec(ctx, reader, "BEGIN", row{}); err != nil {
			return "", false, err
		}
	}
	return get(ctx, h.reader, h.sql.Get, row{session: session, key: key})
}

func (h *heldReader) Close() error {
	if h.reader == nil {
		return h.plain.Close()
	}
	_, err := exec(context.Background(), h.reader, "ROLLBACK", row{})
	return errors.Join(err, h.reader.Close(), h.plain.Close())
}
