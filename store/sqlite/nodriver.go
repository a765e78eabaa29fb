//go:build !cgo

package sqlite

import (
	"database/sql/driver"
	"errors"
)

// errNoCgo is what every attempt to open a database ends with in a program without the driver.
var errNoCgo = errors.New("memrace was built without cgo, which SQLite needs; " +
	"build it again with CGO_ENABLED=1 and a C compiler (Debian, Ubuntu: apt-get install gcc " +
	"libc6-dev; Fedora: dnf install gcc; macOS: xcode-select --install)")

// Ready returns an error that says what to do if this program cannot open any database.
func Ready() error { return errNoCgo }

type noDriver struct{}

func newDriver(bool) driver.Driver { return noDriver{} }

func (noDriver) Open(string) (driver.Conn, error) { return nil, errNoCgo }

func version() (text string, number int, source string) { return "", 0, "" }

func resultCode(error) (primary, extended int, ok bool) { return 0, 0, false }
