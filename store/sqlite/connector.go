package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"memrace/store/disk"
)

// fileName is the database's name within a store's directory.
const fileName = "memories.db"

// connector makes connections that all have the settings of one variant; the driver, asked for a
// connection with pragmas in its name, would not say which of them it ignored.
type connector struct {
	variant Variant
	// path is where the database is, and empty for one in memory.
	path string
}

func newConnector(dir string, v Variant) (connector, error) {
	if err := v.Validate(); err != nil {
		return connector{}, err
	}
	return uncheckedConnector(dir, v)
}

// uncheckedConnector makes the path absolute, so that a later change of directory leads nowhere
// else.
func uncheckedConnector(dir string, v Variant) (connector, error) {
	if v.Memory {
		return connector{variant: v}, nil
	}
	path, err := filepath.Abs(filepath.Join(dir, fileName))
	return connector{variant: v, path: path}, err
}

// String says what is opened and where, for errors: `wal at "/tmp/x/memories.db"`.
func (c connector) String() string {
	if c.path == "" {
		return c.variant.String()
	}
	return fmt.Sprintf("%v at %q", c.variant, c.path)
}

// Driver returns what database/sql knows as the driver of all connections.
func (c connector) Driver() driver.Driver { return byPath{c} }

// byPath opens files without any settings, for nobody but whoever asks a sql.DB for its driver.
type byPath struct{ connector connector }

// Open returns a connection to the file at path.
func (d byPath) Open(path string) (driver.Conn, error) {
	return d.connector.open(Source{Path: path, TxLock: "deferred"})
}

// source is the variant's own database.
func (c connector) source() Source {
	s := Source{Path: c.path, BusyTimeout: c.variant.BusyTimeout, TxLock: c.variant.TxLock,
		Numbered: c.variant.Commits, Disk: c.variant.Disk}
	if s.TxLock == "auto" {
		s.TxLock = "deferred"
	}
	return s
}

// open opens a database through the variant's driver.
func (c connector) open(s Source) (RawConn, error) {
	d, err := findDriver(c.variant.Driver)
	if err != nil {
		return nil, err
	}
	return d.Open(s)
}

// Connect returns a new connection with every setting applied and read back.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	return conn, nil
}

func (c connector) connect(ctx context.Context) (RawConn, error) {
	if c.variant.Disk {
		if err := disk.Register(); err != nil {
			return nil, err
		}
	}
	var conn RawConn
	err := patiently(ctx, c.variant.BusyTimeout, func() error {
		raw, err := c.open(c.source())
		if err != nil {
			return c.explain(err)
		}
		if err := apply(ctx, raw, c.variant); err != nil {
			return errors.Join(err, raw.Close())
		}
		conn = raw
		return nil
	})
	return conn, err
}

// explain adds what SQLite leaves out: if it may not make a file, it says that there is none.
func (c connector) explain(err error) error {
	dir, missing := os.Stat(filepath.Dir(c.path))
	_, none := os.Lstat(c.path)
	if c.path == "" || class(err) != "cantopen" || missing != nil || !dir.IsDir() || none == nil {
		return err
	}
	return fmt.Errorf("%w; the directory is there, but no file can be made in it", err)
}

// patiently does what is to be done until it is not busy any more, for no longer than budget.
// SQLite itself does not wait in some places: the change of a file to WAL is refused at once while
// another connection is about to write.
func patiently(ctx context.Context, budget time.Duration, do func() error) error {
	end := time.Now().Add(budget)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		err := do()
		if err == nil || class(err) != "busy" || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// apply gives the connection the settings of v and reads them back. The wait comes first, for the
// others need it.
func apply(ctx context.Context, conn RawConn, v Variant) error {
	for _, p := range []struct{ name, want string }{
		{"busy_timeout", strconv.FormatInt(v.BusyTimeout.Milliseconds(), 10)},
		{"journal_mode", v.Journal},
		{"synchronous", v.Synchronous},
	} {
		if _, err := conn.ExecContext(ctx, "PRAGMA "+p.name+" = "+p.want, nil); err != nil {
			return fmt.Errorf("set %s to %s: %w", p.name, p.want, err)
		}
		got, err := pragma(ctx, conn, p.name)
		if err != nil {
			return err
		}
		if got != p.want {
			return fmt.Errorf("%s is %s, %s was asked for: SQLite refuses it here, perhaps for "+
				"the sake of the file system or of another connection", p.name, got, p.want)
		}
	}
	return checkDisk(ctx, conn, v)
}

// checkDisk reads back whether a connection goes through package disk. The answer of others to a
// pragma that they do not know has no columns.
func checkDisk(ctx context.Context, conn RawConn, v Variant) error {
	got, err := queryText(ctx, conn, "PRAGMA "+disk.Name)
	if err != nil && err != io.EOF {
		return fmt.Errorf("read %s: %w", disk.Name, err)
	}
	if through := got == "on"; through != v.Disk {
		return fmt.Errorf("disk=%s was asked for, but the connection says %s",
			onOff(v.Disk), onOff(through))
	}
	return nil
}

// pragma returns what the connection says that a setting is, in the word that sets it.
func pragma(ctx context.Context, conn RawConn, name string) (string, error) {
	text, err := queryText(ctx, conn, "PRAGMA "+name)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	level, err := strconv.Atoi(text)
	if name == "synchronous" && err == nil && level >= 0 && level < len(levels) {
		return levels[level], nil
	}
	return text, nil
}

// queryText returns the first column of the first row as text.
func queryText(ctx context.Context, conn RawConn, sql string) (string, error) {
	rows, err := conn.QueryContext(ctx, sql, nil)
	if err != nil {
		return "", err
	}
	row := make([]driver.Value, len(rows.Columns()))
	if len(row) == 0 {
		rows.Close()
		return "", io.EOF
	}
	err = rows.Next(row)
	if closed := rows.Close(); err == nil {
		err = closed
	}
	return fmt.Sprint(row[0]), err
}
