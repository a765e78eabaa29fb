package main

import (
	"database/sql"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

// eachDriver runs a test with a pool of database/sql over each driver.
func eachDriver(t *testing.T, test func(t *testing.T, db *sql.DB)) {
	for _, d := range sqlite.Drivers() {
		t.Run(d.Name, func(t *testing.T) {
			v, err := sqlite.ParseVariant("memory,driver=" + d.Name)
			require.NoError(t, err)
			pools, err := sqlite.OpenPools(t.Context(), "", v)
			require.NoError(t, err)
			defer pools.Close()
			_, err = pools.Write.ExecContext(t.Context(),
				"CREATE TABLE a (n INTEGER PRIMARY KEY, x); CREATE TABLE b (y);\n")
			require.NoError(t, err)
			test(t, pools.Write)
		})
	}
}

func TestValuesComeBack(t *testing.T) {
	values := []any{nil, int64(-1), 0.5, "", "text\x00\xff", []byte{0, 255}, []byte{}}
	eachDriver(t, func(t *testing.T, db *sql.DB) {
		for _, want := range values {
			for text, arg := range map[string]any{"SELECT ?1": want,
				"SELECT :x": sql.Named("x", want)} {
				var got any
				require.NoError(t, db.QueryRow(text, arg).Scan(&got))
				if b, is := got.([]byte); is && len(b) == 0 {
					got = []byte{} // an empty blob may be nil of its type
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		}
	})
}

func TestResultsTellWhatWasDone(t *testing.T) {
	eachDriver(t, func(t *testing.T, db *sql.DB) {
		r, err := db.Exec("INSERT INTO a VALUES (7, 'x'), (9, 'y')")
		require.NoError(t, err)
		id, err := r.LastInsertId()
		require.NoError(t, err)
		require.EqualValues(t, 9, id)
		s, err := db.Prepare("UPDATE a SET x = ? WHERE n > ?")
		require.NoError(t, err)
		defer s.Close()
		for least, want := range map[int]int64{0: 2, 7: 1, 9: 0} {
			r, err = s.Exec("z", least)
			require.NoError(t, err)
			changed, err := r.RowsAffected()
			require.NoError(t, err)
			require.Equal(t, want, changed, "rows beyond %d", least)
		}
	})
}

func TestTransactionsEnd(t *testing.T) {
	eachDriver(t, func(t *testing.T, db *sql.DB) {
		for _, tc := range []struct {
			end  func(*sql.Tx) error
			want int
		}{{(*sql.Tx).Rollback, 0}, {(*sql.Tx).Commit, 1}} {
			tx, err := db.Begin()
			require.NoError(t, err)
			_, err = tx.Exec("INSERT INTO b VALUES (?)", 1)
			require.NoError(t, err)
			require.NoError(t, tc.end(tx))
			var rows int
			require.NoError(t, db.QueryRow("SELECT count(*) FROM b").Scan(&rows))
			require.Equal(t, tc.want, rows)
		}
	})
}

// TestErrorsHaveACode: what the driver says is told from what others say by its result code.
func TestErrorsHaveACode(t *testing.T) {
	eachDriver(t, func(t *testing.T, db *sql.DB) {
		for text, want := range map[string]string{
			"SELECT":                                "error",
			"INSERT INTO a VALUES (1, 1), (1, 2)":   "constraint",
			"PRAGMA query_only = on; DELETE FROM a": "readonly",
		} {
			_, err := db.Exec(text)
			var e *sqlite.Error
			require.ErrorAs(t, sqlite.Wrap("try", err), &e)
			require.Equal(t, want, e.Class(), "%v", err)
			_, err = db.Exec("PRAGMA query_only = off")
			require.NoError(t, err)
		}
	})
}
