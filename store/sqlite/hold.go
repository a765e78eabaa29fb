package sqlite

import (
	"context"
	"errors"
	"os"
	"time"

	"memrace/store/disk"
)

// Hold takes the write lock of the database in the directory dir, as a program does that has
// nothing to do with whoever uses it, and keeps it until release is called. It waits for the lock
// until ctx is done. The variant, whose settings else do not matter, says through which driver the
// file is opened: that of the store that has it open in this process, if one has. What is wrong
// with the disk of that store (package disk) is not felt here.
func Hold(ctx context.Context, dir string, v Variant) (release func() error, err error) {
	c, err := uncheckedConnector(dir, v)
	if err != nil {
		return nil, wrap("hold write lock", err, true)
	}
	return c.holdWrites(ctx)
}

// HoldWrites takes the write lock of the file, as Hold does.
func (s *Store) HoldWrites(ctx context.Context) (release func() error, err error) {
	return s.connector.holdWrites(ctx)
}

func (c connector) holdWrites(ctx context.Context) (release func() error, err error) {
	if c.path == "" {
		return nil, wrap("hold write lock", errors.New("a database in memory has none"), true)
	}
	if _, err := os.Stat(c.path); err != nil {
		return nil, wrap("hold write lock", err, true)
	}
	conn, err := c.hold(ctx)
	if err != nil {
		return nil, Wrap("hold write lock", err)
	}
	return conn.Close, nil // which ends the transaction, in which nothing was done
}

// hold returns a connection that has the write lock. It asks for it again and again: among clients
// that write all the time, whoever pauses for longer hardly ever finds it free.
func (c connector) hold(ctx context.Context) (RawConn, error) {
	c.variant.BusyTimeout, c.variant.Disk = 0, false
	for {
		conn, err := c.tryHold(ctx)
		if err == nil || class(err) != "busy" {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		case <-time.After(time.Millisecond):
		}
	}
}

func (c connector) tryHold(ctx context.Context) (RawConn, error) {
	conn, err := c.open(c.source())
	if err != nil {
		return nil, err
	}
	if _, err = conn.ExecContext(ctx, "BEGIN IMMEDIATE", nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// SetDisk puts faults in the place of those that the disk has. They last until the store is closed.
func (s *Store) SetDisk(_ context.Context, f disk.Faults) error {
	if !s.connector.variant.Disk {
		return wrap("set faults of the disk", errNoLayer, true)
	}
	s.spoiled.Store(true)
	return disk.Set(f)
}

var errNoLayer = errors.New("the files are the system's alone; open the store with disk=on")
