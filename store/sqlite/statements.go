package sqlite

import (
	"errors"
	"fmt"
	"strings"
)

// Statements is the SQL of a store, as a value: whoever changes one statement has another store,
// for instance one that is wrong on purpose. Each is one statement, Schema excepted.
//
// Parameters are named :session, :key, :value and :now, the last being nanoseconds since 1970.
// A statement may leave out any of those that it is given.
type Statements struct {
	// Schema makes whatever is missing. It may be several statements, is run inside one
	// IMMEDIATE transaction each time that a store is opened, and must bear being run again.
	Schema string
	// ItemSchema is the same for what only Append and Items use, so that whoever has another table
	// of memories need not repeat it.
	ItemSchema string
	// Upsert is given :session, :key, :value and :now, and returns no rows.
	Upsert string
	// Get is given :session and :key, and returns a row of one column, the value, or no row.
	// More than one row is not looked at.
	Get string
	// Delete is given :session and :key, and returns no rows.
	Delete string
	// Take is given :session and :key, and returns what it deletes as Get returns it. Of several
	// rows the first counts. An update needs no statement of its own: it is a Get and an Upsert.
	Take string
	// List is given :session and returns a row of two columns, key and value, for each slot.
	List string
	// Clear is given :session, and returns no rows.
	Clear string
	// Append is given :session and :value, the item, and returns no rows.
	Append string
	// Items is given :session and returns a row of one column for each item, the first one first.
	Items string
	// Dump is given nothing and returns all rows, each as seven columns: for the session, the
	// key and the value its typeof() and its CAST(... AS BLOB), and then the time in nanoseconds
	// as an integer, or NULL for none.
	Dump string
}

// DefaultStatements returns the statements of every right variant.
//
// The primary key is that of an ordinary table and not of one WITHOUT ROWID, which would put
// whole values into the tree that is searched: with values of 100 bytes that makes no difference,
// with values of 4096 bytes an upsert takes some 40% longer and a get some 60%
// (BenchmarkTable). SQLite advises against it for rows beyond a twentieth of a page
// (https://sqlite.org/withoutrowid.html, section 3).
//
// Append finds the next number at the end of the key's index, whatever the length of the list; two
// that append at once cannot find the same one, for it is one statement.
func DefaultStatements() Statements {
	return Statements{
		Schema: `CREATE TABLE IF NOT EXISTS memories (
  session_id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (session_id, key)
) STRICT`,
		ItemSchema: `CREATE TABLE IF NOT EXISTS items (
  session_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (session_id, n)
) STRICT`,
		Upsert: `INSERT INTO memories (session_id, key, value, updated_at)
VALUES (:session, :key, :value, :now)
ON CONFLICT (session_id, key) DO UPDATE
SET value = excluded.value, updated_at = excluded.updated_at`,
		Get:    `SELECT value FROM memories WHERE session_id = :session AND key = :key`,
		Delete: `DELETE FROM memories WHERE session_id = :session AND key = :key`,
		Take:   `DELETE FROM memories WHERE session_id = :session AND key = :key RETURNING value`,
		List:   `SELECT key, value FROM memories WHERE session_id = :session`,
		Clear:  `DELETE FROM memories WHERE session_id = :session`,
		Append: `INSERT INTO items (session_id, n, value)
SELECT :session, coalesce(max(n), 0) + 1, :value FROM items WHERE session_id = :session`,
		Items: `SELECT value FROM items WHERE session_id = :session ORDER BY n`,
		Dump: `SELECT typeof(session_id), CAST(session_id AS BLOB),
  typeof(key), CAST(key AS BLOB),
  typeof(value), CAST(value AS BLOB),
  CAST(updated_at AS INTEGER)
FROM memories`,
	}
}

// numbers gives each name the number of its argument, since the driver binds numbered arguments
// in one call into C and named ones in many.
var numbers = strings.NewReplacer(":session", "?1", ":key", "?2", ":value", "?3", ":now", "?4")

// numbered returns the statements with numbers for names.
func (s Statements) numbered() Statements {
	for _, sql := range []*string{&s.Upsert, &s.Get, &s.Delete, &s.Take,
		&s.List, &s.Clear, &s.Append, &s.Items} {
		*sql = numbers.Replace(*sql)
	}
	return s
}

// validate refuses what a driver would take for one statement and run the first part of.
func (s Statements) validate() error {
	if strings.TrimSpace(s.Schema) == "" {
		return errors.New("the statement Schema is empty")
	}
	for _, one := range []struct{ name, sql string }{
		{"Upsert", s.Upsert}, {"Get", s.Get}, {"Delete", s.Delete}, {"Take", s.Take},
		{"List", s.List}, {"Clear", s.Clear}, {"Append", s.Append}, {"Items", s.Items},
		{"Dump", s.Dump},
	} {
		sql := strings.TrimRight(one.sql, "; \t\r\n")
		if sql == "" {
			return fmt.Errorf("the statement %s is empty", one.name)
		}
		if strings.Contains(sql, ";") {
			return fmt.Errorf("the statement %s is more than one; a store that needs several "+
				"starts from OpenPools", one.name)
		}
	}
	return nil
}
