package script_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/script"
)

// refusing is a database that refuses every statement that does not begin with one of the words,
// and has a driver that does not say whether a transaction is open.
type refusing struct {
	words []string
	made  int // connections
}

var errRefused = errors.New("refused")

func (r *refusing) Connect(context.Context) (driver.Conn, error) {
	r.made++
	return refusingConn{r}, nil
}

func (r *refusing) Driver() driver.Driver { return nil }

type refusingConn struct{ of *refusing }

func (c refusingConn) ExecContext(_ context.Context, query string, _ []driver.NamedValue) (
	driver.Result, error) {
	if slices.Contains(c.of.words, strings.Fields(query)[0]) {
		return driver.RowsAffected(1), nil
	}
	return nil, errRefused
}

func (refusingConn) Prepare(string) (driver.Stmt, error) { return nil, errRefused }
func (refusingConn) Begin() (driver.Tx, error)           { return nil, errRefused }
func (refusingConn) Close() error                        { return nil }

// An error promises that nothing happened as long as the transaction is known to have ended; a
// connection of which nobody knows whether it has is not used again.
func TestTransactionThatDoesNotEnd(t *testing.T) {
	for _, c := range []struct {
		name, words string
		certain     bool
		connections int
	}{
		{"it is rolled back", "BEGIN ROLLBACK", true, 1},
		{"it is not rolled back", "BEGIN", false, 2},
		{"it never began", "", true, 2},
		{"the commit is refused", "BEGIN INSERT ROLLBACK", true, 1},
		{"and the rollback as well", "BEGIN INSERT", false, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &refusing{words: strings.Fields(c.words)}
			db := sql.OpenDB(r)
			defer func() { require.NoError(t, db.Close()) }()
			parsed, err := script.Parse(strings.NewReader(strings.Replace(least, "INSERT",
				"-- tx: immediate\nINSERT", 1)), "f.sql")
			require.NoError(t, err)
			pool := &script.Pool{DB: db}
			s, err := script.Open(t.Context(), parsed, script.Config{Read: pool, Write: pool,
				Judge: func(what string, err error) error {
					return fmt.Errorf("%s: %w: %w", what, store.ErrNotApplied, err)
				}})
			require.NoError(t, err)
			for range 2 {
				_, err = s.Upsert(t.Context(), "s", "k", "v")
				require.ErrorContains(t, err, "refused")
				require.Equal(t, c.certain, errors.Is(err, store.ErrNotApplied), "%v", err)
			}
			require.Equal(t, c.connections, r.made)
		})
	}
}
