package sqlfile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"memrace/store"
)

// known refuses a pragma that SQLite does not have: it would ignore it without a word.
func (h *settings) known(ctx context.Context, db *sql.DB) error {
	for _, p := range h.pragmas {
		var n int
		err := db.QueryRowContext(ctx,
			"SELECT count(*) FROM pragma_pragma_list WHERE name = ?", p.name).Scan(&n)
		if err != nil {
			return fmt.Errorf("%s:%d: look for the pragma %s: %w", h.file, p.line, p.name, err)
		}
		if n == 0 {
			return fmt.Errorf("%s:%d: -- pragma: SQLite has no pragma %s, and would ignore it; "+
				"see https://sqlite.org/pragma.html", h.file, p.line, p.name)
		}
	}
	return nil
}

// give sets the pragmas of one connection, and reads them back.
func (h *settings) give(ctx context.Context, conn *sql.Conn) error {
	for _, p := range h.pragmas {
		at := fmt.Sprintf("%s:%d: -- pragma:", h.file, p.line)
		query := "PRAGMA " + p.name + " = " + p.value
		if _, err := conn.ExecContext(ctx, query); err != nil {
			return fmt.Errorf("%s SQLite says to %s: %w", at, query, err)
		}
		got, err := read(ctx, conn, p.name)
		if err != nil {
			return fmt.Errorf("%s %w", at, err)
		}
		if meaning(p.name, got) != meaning(p.name, p.value) {
			return fmt.Errorf("%s %s is %q although it was set to %s: SQLite refuses that here; "+
				"see https://sqlite.org/pragma.html", at, p.name, got, p.value)
		}
	}
	return nil
}

// read returns what a connection says that a pragma is; nothing is "".
func read(ctx context.Context, conn *sql.Conn, name string) (string, error) {
	var value any
	err := conn.QueryRowContext(ctx, "PRAGMA "+name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read back %s: %w", name, err)
	}
	return fmt.Sprint(value), nil
}

// meanings are the numbers that SQLite reads back for words.
var meanings = map[string]int{
	"on": 1, "true": 1, "yes": 1, "off": 0, "false": 0, "no": 0,
	"auto_vacuum none": 0, "auto_vacuum full": 1, "auto_vacuum incremental": 2,
	"temp_store default": 0, "temp_store file": 1, "temp_store memory": 2,
	"secure_delete fast": 2,
}

func meaning(name, value string) string {
	value = strings.ToLower(value)
	for _, word := range []string{value, name + " " + value} {
		if n, found := meanings[word]; found {
			return strconv.Itoa(n)
		}
	}
	return value
}

// describe reads back what is in force in a connection.
func (h *settings) describe(ctx context.Context, conn *sql.Conn) (store.Description, error) {
	d := store.Description{Volatile: h.variant.Memory}
	var version string
	if err := conn.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version); err != nil {
		return d, err
	}
	d.Settings = append(d.Settings, store.Setting{Name: "sqlite", Value: version})
	names := []string{"journal_mode", "synchronous", "busy_timeout"}
	for _, p := range h.pragmas {
		names = append(names, p.name)
	}
	for _, name := range names {
		value, err := read(ctx, conn, name)
		if err != nil {
			return d, err
		}
		d.Settings = append(d.Settings, store.Setting{Name: name, Value: value})
	}
	d.Settings = append(d.Settings,
		store.Setting{Name: "readers", Value: strconv.Itoa(h.variant.Readers)},
		store.Setting{Name: "writers", Value: strconv.Itoa(h.variant.Writers)})
	return d, nil
}
