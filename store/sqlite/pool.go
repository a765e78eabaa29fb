package sqlite

import (
	"context"
	"errors"
)

// pool lends out connections, first come first served.
type pool struct {
	// free holds a nil for each connection that is still to be made or to be made anew.
	free chan *conn
	done chan struct{}
	open func(context.Context) (*conn, error)
}

func newPool(size int, open func(context.Context) (*conn, error)) *pool {
	p := &pool{free: make(chan *conn, size), done: make(chan struct{}), open: open}
	for range size {
		p.free <- nil
	}
	return p
}

// fill makes every connection, so that what is wrong with one of them shows now.
func (p *pool) fill(ctx context.Context) error {
	for range cap(p.free) {
		c, err := p.take(ctx)
		if err != nil {
			return err
		}
		p.give(c)
	}
	return nil
}

// take lends a connection, which is to be given back. After an error there is none.
func (p *pool) take(ctx context.Context) (*conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var c *conn
	select {
	case c = <-p.free:
	default:
		select {
		case c = <-p.free:
		case <-p.done:
			return nil, errClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if c != nil {
		return c, nil
	}
	c, err := p.open(ctx)
	if err != nil {
		p.free <- nil
		return nil, err
	}
	return c, nil
}

// give takes a connection back, and closes it if it is broken.
func (p *pool) give(c *conn) {
	if c.broken {
		// Whatever broke it has been reported to the caller already.
		_ = c.close()
		c = nil
	}
	p.free <- c
}

// close closes every connection, once those on loan have been given back.
func (p *pool) close() error {
	close(p.done)
	var errs []error
	for range cap(p.free) {
		if c := <-p.free; c != nil {
			errs = append(errs, c.close())
		}
	}
	return errors.Join(errs...)
}
