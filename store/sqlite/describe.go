package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"
	"time"

	"memrace/store"
)

// Describe says what the store is: the version of SQLite, a warning if that one is known to lose
// data, and the settings as a connection that writes reports them.
func (s *Store) Describe(ctx context.Context) (store.Description, error) {
	c, err := s.write.take(ctx)
	if err != nil {
		return store.Description{}, wrap("describe", err, true)
	}
	defer s.write.give(c)
	v := s.connector.variant
	d := store.Description{Name: v.String(), Volatile: v.Memory, Lossy: v.lossy()}
	if d.Settings, err = versionSettings(ctx, c.raw); err != nil {
		c.failed(err)
		return store.Description{}, wrap("describe", err, true)
	}
	for _, name := range []string{"journal_mode", "synchronous", "busy_timeout", "locking_mode"} {
		value, err := pragma(ctx, c.raw, name)
		if err != nil {
			c.failed(err)
			return store.Description{}, wrap("describe", err, true)
		}
		if name == "busy_timeout" {
			value += "ms"
		}
		d.Settings = append(d.Settings, store.Setting{Name: name, Value: value})
	}
	d.Settings = append(d.Settings,
		store.Setting{Name: "txlock", Value: v.TxLock},
		store.Setting{Name: "readers", Value: strconv.Itoa(v.Readers)},
		store.Setting{Name: "writers", Value: strconv.Itoa(v.Writers)},
		store.Setting{Name: "commits", Value: onOff(v.Commits)})
	if v.Batch > 0 {
		d.Settings = append(d.Settings,
			store.Setting{Name: "batch", Value: strconv.Itoa(v.Batch)},
			store.Setting{Name: "delay", Value: v.Delay.String()})
	}
	if v.Disk { // every connection was asked for it when it was made
		d.Settings = append(d.Settings, store.Setting{Name: "disk", Value: "on"})
	}
	return d, nil
}

func versionSettings(ctx context.Context, conn RawConn) ([]store.Setting, error) {
	version, source, err := sqliteVersion(ctx, conn)
	if err != nil {
		return nil, err
	}
	number, err := versionNumber(version)
	if err != nil {
		return nil, err
	}
	date, _, _ := strings.Cut(source, " ")
	settings := []store.Setting{{Name: "sqlite", Value: version},
		{Name: "sqlite_source", Value: date}}
	if warning := versionWarning(number); warning != "" {
		settings = append(settings, store.Setting{Name: "warning", Value: warning})
	}
	return settings, nil
}

// versionNumber returns a version of SQLite as a number, as in 3051002 for 3.51.2.
func versionNumber(version string) (int, error) {
	var major, minor, patch int
	if _, err := fmt.Sscanf(version, "%d.%d.%d", &major, &minor, &patch); err != nil {
		return 0, fmt.Errorf("read the version %q: %w", version, err)
	}
	return (major*1000+minor)*1000 + patch, nil
}

// versionWarning says what is known to be wrong with a version of SQLite, numbered as in 3051002
// for 3.51.2; nothing is "".
func versionWarning(number int) string {
	bad := number >= 3007000 && number <= 3051002
	repaired := number >= 3050007 && number < 3051000 || number >= 3044006 && number < 3045000
	if !bad || repaired {
		return ""
	}
	return "this SQLite can lose writes in a WAL that is reset while it is read; " +
		"take 3.51.3 or later, 3.50.7 or 3.44.6"
}

// Dump returns every row of memories as the database keeps it, from one snapshot. Items are none.
func (s *Store) Dump(ctx context.Context) ([]store.Row, error) {
	var all []store.Row
	err := s.reading(ctx, "dump", func(c *conn) error {
		rows, err := c.raw.QueryContext(ctx, s.statements.Dump, nil)
		if err != nil {
			return err
		}
		var cols [7]driver.Value
		return eachRow(rows, cols[:], func() error {
			row, err := asRow(cols)
			all = append(all, row)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// asRow reads one row of the statement Dump.
func asRow(cols [7]driver.Value) (row store.Row, err error) {
	for i, field := range []*store.Field{&row.Session, &row.Key, &row.Value} {
		if *field, err = asField(cols[2*i], cols[2*i+1]); err != nil {
			return store.Row{}, err
		}
	}
	switch now := cols[6].(type) {
	case nil:
	case int64:
		row.UpdatedAt = time.Unix(0, now)
	default:
		return store.Row{}, fmt.Errorf("the time is %T and no whole number", now)
	}
	return row, nil
}

func asField(typeName, value driver.Value) (store.Field, error) {
	name, _ := typeName.(string)
	for t := store.Null; t <= store.Real; t++ {
		if t.String() != name {
			continue
		}
		if t == store.Null {
			return store.Field{}, nil
		}
		text, err := asText(value)
		return store.Field{Type: t, Text: text}, err
	}
	return store.Field{}, fmt.Errorf("%v is no type of a column", typeName)
}
