package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
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
