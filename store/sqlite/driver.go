//go:build cgo

package sqlite

import (
	"cmp"
	"errors"
	"net/url"
	"strconv"

	sqlite3 "github.com/mattn/go-sqlite3"

	"memrace/store/disk"
)

func init() {
	Register(Driver{Name: DefaultDriver, Open: openMattn, Code: codeOfMattn, Disk: true})
}

func openMattn(s Source) (RawConn, error) {
	var d sqlite3.SQLiteDriver
	if s.Numbered {
		d.ConnectHook = numberMattn
	}
	parameters := url.Values{"_txlock": {s.TxLock},
		"_busy_timeout": {strconv.FormatInt(s.BusyTimeout.Milliseconds(), 10)}}
	if s.Disk {
		parameters.Set("vfs", disk.Name)
	}
	conn, err := d.Open(s.URI(parameters))
	if err != nil {
		return nil, err
	}
	return conn.(*sqlite3.SQLiteConn), nil
}

func numberMattn(c *sqlite3.SQLiteConn) error {
	var n Numbers
	c.RegisterCommitHook(func() int { n.End(); return 0 })
	c.RegisterRollbackHook(n.End)
	return cmp.Or(c.RegisterFunc(NextNumber, n.Next, false),
		c.RegisterFunc(TransactionNumber, n.Transaction, false))
}

func codeOfMattn(err error) (code int, ok bool) {
	var e sqlite3.Error
	ok = errors.As(err, &e)
	return cmp.Or(int(e.ExtendedCode), int(e.Code)), ok
}
