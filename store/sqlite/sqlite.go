// Package sqlite keeps agent memories in SQLite, in several variants that are all right, and
// lets others make stores that are not. Whatever is about connections, pragmas, SQL or result codes
// belongs here. It speaks to SQLite through a Driver, and is the only package that imports one, the
// default. That needs cgo; without it the package builds all the same, and whatever opens a
// database returns an error that says so, unless the program has another driver.
//
// It neither runs a store (stress) nor times one (bench), and only SQLite ever opens the file of
// a database: closing a second descriptor of it would drop the locks of the whole process. For the
// same reason a file must not be open through two drivers in one process.
package sqlite

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"memrace/store"
	"memrace/store/disk"
)

// Store keeps memories in one SQLite database. Open makes one; the zero Store is of no use.
// It is a store.Store with all that a store may have besides, and its errors are *Error.
type Store struct {
	connector  connector
	statements Statements
	// read and write are the same pool where the variant has no connections that only read.
	read, write *pool
	// queue is nil for a variant without batches.
	queue *queue
	close func() error
	// spoiled is true once the disk was given faults, which end with the store.
	spoiled atomic.Bool
}

var (
	_ store.Store     = (*Store)(nil)
	_ store.Updater   = (*Store)(nil)
	_ store.Taker     = (*Store)(nil)
	_ store.Checker   = (*Store)(nil)
	_ store.Lister    = (*Store)(nil)
	_ store.Clearer   = (*Store)(nil)
	_ store.Appender  = (*Store)(nil)
	_ store.Journaler = (*Store)(nil)
	_ store.Dumper    = (*Store)(nil)
	_ store.Describer = (*Store)(nil)
)

// Open opens the store of variant v in the directory dir, and makes the database there if there
// is none. A variant in memory does without the directory. An error may be about the variant, a
// setting that did not take, or the file, which it then names. Where another connection has
// locked the file, each step of opening waits for as long as the variant's BusyTimeout says.
func Open(ctx context.Context, dir string, v Variant) (*Store, error) {
	return OpenStatements(ctx, dir, v, DefaultStatements())
}

// OpenStatements is Open with other SQL.
func OpenStatements(ctx context.Context, dir string, v Variant, s Statements) (*Store, error) {
	if err := s.validate(); err != nil {
		return nil, wrap("open store", err, true)
	}
	c, err := newConnector(dir, v)
	if err != nil {
		return nil, wrap("open store", err, true)
	}
	st := newStore(c, s.numbered())
	if err := st.fill(ctx); err != nil {
		return nil, Wrap("open "+c.String(), errors.Join(err, st.close()))
	}
	return st, nil
}

func newStore(c connector, statements Statements) *Store {
	s := &Store{connector: c, statements: statements}
	s.write = newPool(c.variant.Writers, s.connect)
	s.read = s.write
	if c.variant.Readers > 0 {
		s.read = newPool(c.variant.Readers, s.connect)
	}
	if c.variant.Batch > 0 {
		s.queue = newQueue(c.variant.Batch, c.variant.Delay)
	}
	s.close = sync.OnceValue(s.closePools)
	return s
}

// fill makes all connections. The first makes the schema, which the statements of all others need.
func (s *Store) fill(ctx context.Context) error {
	raw, err := s.connector.connect(ctx)
	if err != nil {
		return err
	}
	if err := s.makeSchema(ctx, raw); err != nil {
		return errors.Join(err, raw.Close())
	}
	first, err := newConn(raw, s.connector.variant, s.statements)
	if err != nil {
		return err
	}
	<-s.write.free
	s.write.give(first)
	if err := s.write.fill(ctx); err != nil || s.read == s.write {
		return err
	}
	return s.read.fill(ctx)
}

// connect makes a connection to a database that has its schema.
func (s *Store) connect(ctx context.Context) (*conn, error) {
	if s.connector.variant.Memory {
		return nil, errors.New("the database in memory has ended with its broken connection")
	}
	raw, err := s.connector.connect(ctx)
	if err != nil {
		return nil, err
	}
	return newConn(raw, s.connector.variant, s.statements)
}

// Upsert sets the value of a slot and returns the time, by the clock of this process at the call,
// that it stored with it.
func (s *Store) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	now := time.Now().UnixNano()
	a := s.change(ctx, func(c *conn) *statement { return c.upsert }, session, key, value, now)
	if a.err != nil {
		return time.Time{}, wrap("upsert", a.err, a.certain)
	}
	return time.Unix(0, now), nil
}

// Get returns the value of a slot. A value that is no text is returned as the database shows it:
// a number in decimal, a blob as its bytes. NULL is an error. A Get that failed changed nothing.
func (s *Store) Get(ctx context.Context, session, key string) (string, bool, error) {
	c, err := s.read.take(ctx)
	if err != nil {
		return "", false, wrap("get", err, true)
	}
	c.bind(session, key)
	value, found, err := c.read(ctx, c.get)
	c.failed(err)
	s.read.give(c)
	return value, found, wrap("get", err, true)
}

// Delete removes a slot, whether or not it is there.
func (s *Store) Delete(ctx context.Context, session, key string) error {
	a := s.change(ctx, func(c *conn) *statement { return c.remove }, session, key)
	return wrap("delete", a.err, a.certain)
}

// Close waits for the calls that are under way and closes every connection. Every call after it
// is answered with class closed; a second Close returns what the first one did.
func (s *Store) Close() error { return Wrap("close", s.close()) }

// closePools closes every connection. The last one to go, of whichever pool, moves what is in the
// write-ahead log into the database and removes the log.
func (s *Store) closePools() error {
	if s.queue != nil {
		s.queue.close()
	}
	var err error
	if s.read != s.write {
		err = s.read.close()
	}
	err = errors.Join(err, s.write.close())
	if s.spoiled.Load() {
		err = errors.Join(err, disk.Set(disk.Faults{}))
	}
	return err
}
