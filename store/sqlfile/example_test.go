//go:build cgo

package sqlfile_test

import (
	"fmt"
	"strings"

	"memrace/store/sqlfile"
)

func ExampleParse() {
	_, err := sqlfile.Parse(strings.NewReader(`-- schema:
CREATE TABLE IF NOT EXISTS memories (session_id, key, value, PRIMARY KEY (session_id, key));
-- name: upsert
INSERT OR REPLACE INTO memories VALUES (:session, :key, :value);
-- name: get
SELECT value FROM memories WHERE session = :session AND key = :key;
-- name: delete
DELETE FROM memories WHERE session_id = :session AND key = :key;
`), "mine.sql")
	fmt.Println(strings.ReplaceAll(err.Error(), "; ", ";\n  "))

	// Output:
	// mine.sql:6: get: SQLite says: no such column: session;
	//   the columns are those of the table in -- schema:;
	//   a parameter has a colon, as in :key
}
