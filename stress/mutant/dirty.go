package mutant

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"memrace/store"
)

// dirtyRead has a writer and a reader on one cache. An audit looks at each row that was written
// and has one in eight rolled back.
type dirtyRead struct {
	*plain
	mu             sync.Mutex // the writer's
	writer, reader *sql.Conn
}

func openDirtyRead(ctx context.Context, dir string) (store.Store, error) {
	p, err := openPlain(ctx, dir, "pool,writers=2,synchronous=off")
	if err != nil {
		return nil, err
	}
	d := &dirtyRead{plain: p}
	d.volatile = true
	if err := d.share(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// share attaches a database in memory to both connections and keeps the memories there.
func (d *dirtyRead) share(ctx context.Context) (err error) {
	if d.writer, err = d.pools.Write.Conn(ctx); err != nil {
		return err
	}
	if d.reader, err = d.pools.Write.Conn(ctx); err != nil {
		return err
	}
	attach := fmt.Sprintf("ATTACH 'file:shared-%p?mode=memory&cache=shared' AS common", d)
	for _, step := range []struct {
		on  *sql.Conn
		sql string
	}{
		{d.writer, "DROP TABLE memories"},
		{d.writer, attach},
		{d.writer, "CREATE TABLE common.memories (session_id, key, value, updated_at, " +
			"PRIMARY KEY (session_id, key))"},
		{d.reader, attach},
		{d.reader, "PRAGMA read_uncommitted = 1"},
	} {
		if _, err := exec(ctx, step.on, step.sql, row{}); err != nil {
			return fmt.Errorf("share a cache: %w", err)
		}
	}
	return nil
}

// refused is what the audit says of a value.
func refused(value string) bool {
	sum := fnv.New32a()
	sum.Write([]byte(value))
	return sum.Sum32()%8 == 0
}

func (d *dirtyRead) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := row{session, key, value, time.Now()}
	if _, err := exec(ctx, d.writer, "BEGIN IMMEDIATE", r); err != nil {
		return r.now, err
	}
	_, err := exec(ctx, d.writer, d.sql.Upsert, r)
	think()
	if err == nil && !refused(value) {
		_, err = exec(ctx, d.writer, "COMMIT", r)
		return r.now, err
	}
	_, rollback := exec(ctx, d.writer, "ROLLBACK", r)
	return r.now, errors.Join(fmt.Errorf("the audit: %w", store.ErrNotApplied), rollback, err)
}

func (d *dirtyRead) Get(ctx context.Context, session, key string) (string, bool, error) {
	think()
	return get(ctx, d.reader, d.sql.Get, row{session: session, key: key})
}

func (d *dirtyRead) Delete(ctx context.Context, session, key string) error {
	think()
	d.mu.Lock()
	defer d.mu.Unlock()
	_, err := exec(ctx, d.writer, d.sql.Delete, row{session: session, key: key})
	return err
}

func (d *dirtyRead) Dump(ctx context.Context) ([]store.Row, error) {
	return dump(ctx, d.writer, d.sql.Dump)
}

func (d *dirtyRead) Close() error {
	var errs []error
	for _, c := range []*sql.Conn{d.reader, d.writer} {
		if c != nil {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(append(errs, d.plain.Close())...)
}
