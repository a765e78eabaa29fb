package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// Pools are the connections of a variant without any table, for stores that need a logic of
// their own. Each connection has the variant's settings, and each lives until Close.
type Pools struct {
	// Read and Write are the same pool where the variant has no connections that only read.
	// Begin, on either, takes the kind of lock that the variant's TxLock says; auto is deferred.
	Read, Write *sql.DB
}

// OpenPools opens every connection of variant v to the database in the directory dir. An error
// may be of any class of Error; a setting that did not take is one. Commits makes no journal here,
// but only through pools of a variant with it can one write to a file in which a Store keeps one.
// Batch and Delay make no difference here.
func OpenPools(ctx context.Context, dir string, v Variant) (Pools, error) {
	c, err := newConnector(dir, v)
	if err != nil {
		return Pools{}, wrap("open pools", err, true)
	}
	var p Pools
	p.Write, err = openPool(ctx, c, v.Writers)
	p.Read = p.Write
	if err == nil && v.Readers > 0 {
		p.Read, err = openPool(ctx, c, v.Readers)
	}
	if err != nil {
		return Pools{}, wrap("open pools of "+c.String(), errors.Join(err, p.Close()), true)
	}
	return p, nil
}

// Close closes every connection, once those in use have been given back.
func (p Pools) Close() error {
	var err error
	if p.Read != nil && p.Read != p.Write {
		err = p.Read.Close()
	}
	if p.Write != nil {
		err = errors.Join(err, p.Write.Close())
	}
	return err
}

func openPool(ctx context.Context, c connector, size int) (*sql.DB, error) {
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	if err := fill(ctx, db, size); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// fill makes all connections, so that what is wrong with one of them shows now.
func fill(ctx context.Context, db *sql.DB, size int) (err error) {
	conns := make([]*sql.Conn, 0, size)
	defer func() {
		for _, conn := range conns {
			err = errors.Join(err, conn.Close())
		}
	}()
	for range size {
		conn, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		conns = append(conns, conn)
	}
	return nil
}
