package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"
	"strconv"

	"memrace/store"
)

// read is first for a value that has to be text. A value that is none has not been touched.
func (c *conn) read(ctx context.Context, s *statement) (string, bool, error) {
	value, found, err := c.first(ctx, s)
	if err != nil || !found {
		return "", false, err
	}
	text, err := asText(value)
	if err != nil {
		return "", false, fmt.Errorf("%w: %w", err, store.ErrNotApplied)
	}
	return text, true, nil
}

// each reads all rows of a statement, as eachRow does.
func (c *conn) each(ctx context.Context, s *statement, cols []driver.Value, row func() error,
) error {
	rows, err := s.raw.QueryContext(ctx, c.args[:s.takes])
	if err != nil {
		return err
	}
	return eachRow(rows, cols, row)
}

// eachRow puts one row after the other into cols and calls row for it, until there is none left or
// an error. It closes rows.
func eachRow(rows driver.Rows, cols []driver.Value, row func() error) (err error) {
	defer func() {
		if closed := rows.Close(); err == nil { // else it may say the same once more
			err = closed
		}
	}()
	if n := len(rows.Columns()); n != len(cols) {
		return fmt.Errorf("the statement returns %d columns and not %d", n, len(cols))
	}
	for {
		switch err := rows.Next(cols); err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
		if err := row(); err != nil {
			return err
		}
	}
}

// asText returns a column as text.
func asText(value driver.Value) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return "", fmt.Errorf("the value is %T and no text", value)
}
