package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// DefaultDriver is the driver of a variant that names none: github.com/mattn/go-sqlite3. It needs
// cgo, and is in every program that was built with it.
const DefaultDriver = "mattn"

// Driver is a package through which Go speaks to SQLite.
type Driver struct {
	// Name is what a variant calls it, as in driver=mattn.
	Name string
	// Open makes a connection. Every setting of a variant is applied and read back later.
	Open func(Source) (RawConn, error)
	// Code returns the extended result code of SQLite that is behind an error, if it is an error
	// of this driver. What came of a call that its context ended is the context's error.
	Code func(error) (code int, ok bool)
	// Disk is true for a driver that uses the SQLite that is linked into the program, which is
	// the one that package disk finds.
	Disk bool
}

// RawConn is a connection of a driver. Its Prepare returns a RawStmt.
type RawConn interface {
	driver.Conn
	driver.ExecerContext
	driver.QueryerContext
	// AutoCommit is false while a transaction is open.
	AutoCommit() bool
}

// RawStmt is a prepared statement of a driver. Its NumInput counts up to the last parameter that
// it has, all of which are numbered; -1 says that it takes no notice of arguments beyond that.
type RawStmt interface {
	driver.Stmt
	driver.StmtQueryContext
}

// Source is what a driver is to open.
type Source struct {
	// Path is that of the file, absolute; empty is a database in memory for this connection alone.
	Path string
	// BusyTimeout is how long it waits for a lock while it opens. 0 means that it does not.
	BusyTimeout time.Duration
	// TxLock is what its Begin begins: deferred, immediate or exclusive.
	TxLock string
	// Numbered is true for a connection that has the functions of Numbers.
	Numbered bool
	// Disk is true for files that go through package disk.
	Disk bool
}

// URI returns the name by which SQLite knows the database, in which any path can be written, with
// parameters behind it.
func (s Source) URI(parameters url.Values) string {
	name := ":memory:"
	if s.Path != "" {
		name = filepath.ToSlash(s.Path)
		if !strings.HasPrefix(name, "/") {
			name = "/" + name
		}
		name = (&url.URL{Path: name}).EscapedPath()
	}
	return "file:" + name + "?" + parameters.Encode()
}

// drivers are those that are linked in, the default first and the others by name.
var drivers []Driver

// Register makes a driver known to all variants. It is to be called while the program starts, and
// panics if the name is taken.
func Register(d Driver) {
	if _, err := findDriver(d.Name); err == nil {
		panic("sqlite: the driver " + d.Name + " is registered twice")
	}
	drivers = append(drivers, d)
	slices.SortFunc(drivers, func(a, b Driver) int { return strings.Compare(a.rank(), b.rank()) })
}

// rank is by what drivers are sorted.
func (d Driver) rank() string {
	if d.Name == DefaultDriver {
		return ""
	}
	return d.Name
}

// Drivers returns the drivers that are linked into this program, the default first.
func Drivers() []Driver { return slices.Clone(drivers) }

// Ready returns an error that says what to do if this program cannot open any database.
func Ready() error {
	if len(drivers) > 0 {
		return nil
	}
	return errNoCgo
}

// errNoCgo is what every attempt to open a database ends with in a program without the default
// driver.
var errNoCgo = errors.New("memrace was built without cgo, which SQLite needs; " +
	"build it again with CGO_ENABLED=1 and a C compiler (Debian, Ubuntu: apt-get install gcc " +
	"libc6-dev; Fedora: dnf install gcc; macOS: xcode-select --install)")

// findDriver returns the driver of that name; "" is the default.
func findDriver(name string) (Driver, error) {
	name = cmp.Or(name, DefaultDriver)
	var names []string
	for _, d := range drivers {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	switch linked := strings.Join(names, ", "); {
	case name != DefaultDriver && len(names) > 1:
		return Driver{}, fmt.Errorf("driver=%q is not linked into this program, which has %s", name,
			linked)
	case name != DefaultDriver:
		return Driver{}, fmt.Errorf("driver=%q is not linked into this program, which has %s; "+
			"make drivers builds bin/memrace-drivers, which has more", name, cmp.Or(linked, "none"))
	case linked != "":
		return Driver{}, fmt.Errorf("%w; or take another driver=, of %s", errNoCgo, linked)
	}
	return Driver{}, errNoCgo
}

// Version returns the version of SQLite that the driver has, and the date and hash of its source.
func (d Driver) Version(ctx context.Context) (version, source string, err error) {
	conn, err := d.Open(Source{TxLock: "deferred"})
	if err != nil {
		return "", "", fmt.Errorf("open a database in memory: %w", err)
	}
	version, source, err = sqliteVersion(ctx, conn)
	return version, source, errors.Join(err, conn.Close())
}

func sqliteVersion(ctx context.Context, conn RawConn) (version, source string, err error) {
	if version, err = queryText(ctx, conn, "SELECT sqlite_version()"); err != nil {
		return "", "", fmt.Errorf("ask for the version: %w", err)
	}
	if source, err = queryText(ctx, conn, "SELECT sqlite_source_id()"); err != nil {
		return "", "", fmt.Errorf("ask for the source: %w", err)
	}
	return version, source, nil
}
