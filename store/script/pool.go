package script

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
)

// Pool lends out the connections of a database: as database/sql does, or those that it holds.
type Pool struct {
	DB *sql.DB
	// Prepare is called for each connection that the pool gets from DB, for instance to see to its
	// settings; nil does nothing.
	Prepare func(context.Context, *sql.Conn) error

	free chan *conn // nil for a pool that holds none
}

// Hold takes size connections from the database for good. Each is prepared once, and so are its
// statements; they are lent in turn. Close gives them back.
func (p *Pool) Hold(ctx context.Context, size int) error {
	p.free = make(chan *conn, size)
	for range size {
		c, err := p.make(ctx)
		if err != nil {
			close(p.free)
			for made := range p.free {
				err = errors.Join(err, made.close())
			}
			return err
		}
		c.prepared = map[*Statement]*sql.Stmt{}
		p.free <- c
	}
	return nil
}

// Close gives back the connections that the pool holds, once those on loan have been given back.
// It does nothing for a pool that holds none, or none any more.
func (p *Pool) Close() error {
	var errs []error
	for range cap(p.free) {
		c, open := <-p.free
		if !open {
			return nil
		}
		if c.raw != nil {
			errs = append(errs, c.close())
		}
	}
	if p.free != nil {
		close(p.free)
	}
	return errors.Join(errs...)
}

// Use lends a connection to do as long as that runs. An error is one of do, or of the lending.
func (p *Pool) Use(ctx context.Context, do func(*sql.Conn) error) error {
	c, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer c.give(false)
	return do(c.raw)
}

// make gets a connection from the database.
func (p *Pool) make(ctx context.Context) (*conn, error) {
	raw, err := p.DB.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if p.Prepare != nil {
		if err := p.Prepare(ctx, raw); err != nil {
			return nil, errors.Join(err, discard(raw))
		}
	}
	return &conn{of: p, raw: raw}, nil
}

var errClosed = errors.New("the store is closed")

// take lends a connection, which is to be given back. After an error there is none.
func (p *Pool) take(ctx context.Context) (*conn, error) {
	if p.free == nil {
		return p.make(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case c, open := <-p.free:
		if !open {
			return nil, errClosed
		}
		return p.renew(ctx, c)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// renew returns a connection that is held, or another one for it if it is broken.
func (p *Pool) renew(ctx context.Context, c *conn) (*conn, error) {
	if c.raw != nil {
		return c, nil
	}
	made, err := p.make(ctx)
	if err != nil {
		p.free <- c
		return nil, err
	}
	made.prepared = map[*Statement]*sql.Stmt{}
	return made, nil
}

// give takes a connection back, or ends it if it is not to be trusted any more. What broke it has
// been reported already.
func (c *conn) give(broken bool) {
	switch {
	case broken:
		_ = errors.Join(c.finalize(), discard(c.raw))
		c = &conn{of: c.of}
	case c.of.free == nil:
		_ = c.raw.Close()
	}
	if c.of.free != nil {
		c.of.free <- c
	}
}

// close gives the connection back to the database.
func (c *conn) close() error { return errors.Join(c.finalize(), c.raw.Close()) }

// finalize ends the statements, without which SQLite keeps the connection and its locks.
func (c *conn) finalize() error {
	var errs []error
	for _, stmt := range c.prepared {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(errs...)
}

// discard closes a connection for good. Its pool makes another one.
func discard(raw *sql.Conn) error {
	err := raw.Raw(func(any) error { return driver.ErrBadConn })
	if !errors.Is(err, driver.ErrBadConn) {
		return fmt.Errorf("discard a connection: %w", err)
	}
	if err := raw.Close(); !errors.Is(err, sql.ErrConnDone) {
		return err
	}
	return nil
}
