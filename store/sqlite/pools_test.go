//go:build cgo

package sqlite_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

// TestEveryConnectionHasTheSettings asks each of them, all being held at once.
func TestEveryConnectionHasTheSettings(t *testing.T) {
	for _, tc := range []struct{ variant, want string }{
		{"memory", "memory 0 0"},
		{"shared", "delete 2 10000"},
		{"pool,journal=persist,synchronous=extra,busy=7ms", "persist 3 7"},
		{"wal", "wal 1 10000"},
		{"wal-pool,synchronous=off", "wal 0 10000"},
	} {
		t.Run(tc.variant, func(t *testing.T) {
			v := variant(t, tc.variant)
			pools, err := sqlite.OpenPools(t.Context(), t.TempDir(), v)
			require.NoError(t, err)
			defer pools.Close()
			requireSettings(t, pools.Write, v.Writers, tc.want)
			if v.Readers == 0 {
				require.Same(t, pools.Write, pools.Read)
				return
			}
			requireSettings(t, pools.Read, v.Readers, tc.want)
		})
	}
}

func requireSettings(t *testing.T, db *sql.DB, size int, want string) {
	t.Helper()
	require.Equal(t, size, db.Stats().OpenConnections, "all are open from the first")
	for range size {
		conn, err := db.Conn(t.Context())
		require.NoError(t, err)
		defer conn.Close()
		var got []string
		for _, name := range []string{"journal_mode", "synchronous", "busy_timeout"} {
			var value string
			row := conn.QueryRowContext(t.Context(), "PRAGMA "+name)
			require.NoError(t, row.Scan(&value))
			got = append(got, value)
		}
		require.Equal(t, want, strings.Join(got, " "))
	}
}

// TestBeginTakesTheLockOfTheVariant begins twice: who takes the lock at once is in the way.
func TestBeginTakesTheLockOfTheVariant(t *testing.T) {
	for _, tc := range []struct {
		txLock string
		busy   bool
	}{{"auto", false}, {"deferred", false}, {"immediate", true}, {"exclusive", true}} {
		t.Run(tc.txLock, func(t *testing.T) {
			v := variant(t, fmt.Sprintf("pool,busy=0s,txlock=%s", tc.txLock))
			pools, err := sqlite.OpenPools(t.Context(), t.TempDir(), v)
			require.NoError(t, err)
			defer pools.Close()
			first, err := pools.Write.BeginTx(t.Context(), nil)
			require.NoError(t, err)
			defer first.Rollback()
			second, err := pools.Write.BeginTx(t.Context(), nil)
			if tc.busy {
				requireClass(t, sqlite.Wrap("begin", err), "busy", true)
				return
			}
			require.NoError(t, err)
			require.NoError(t, second.Rollback())
		})
	}
}

func TestOpenPoolsRefuses(t *testing.T) {
	_, err := sqlite.OpenPools(t.Context(), t.TempDir(), sqlite.Variant{})
	require.ErrorContains(t, err, "open pools: no variant is called")
	_, err = sqlite.OpenPools(t.Context(), "/no/such", variant(t, "wal"))
	require.ErrorContains(t, err,
		fmt.Sprintf(`open pools of %s at "/no/such/memories.db": `, variant(t, "wal")))
	require.ErrorContains(t, err, "unable to open database file")
	require.NoError(t, sqlite.Pools{}.Close(), "the zero Pools have nothing to close")
}
