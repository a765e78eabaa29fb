package script

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"memrace/store"
)

// results are the parameters that tell of the statements before: found is 1 if the last one that
// returns rows had one, changed is how many rows the last one that writes has written.
var results = []string{"found", "changed"}

// call is one call of an operation on its way through the statements.
type call struct {
	given  []string // the parameters that no column replaces
	values map[string]any
	last   [][]any // the rows of the last statement that returns rows

	// change makes the new value of an update; nil for other operations.
	change   func(old string, found bool) string
	old      string
	oldFound bool
	composed bool // change was called
}

// due is true if the statement's conditions are met.
func (c *call) due(st *Statement) bool {
	for _, condition := range st.Conditions {
		if truth(c.values[condition.Parameter]) == condition.Unless {
			return false
		}
	}
	return true
}

// truth is false for NULL, a number that is zero, and a text or blob that is empty.
func truth(value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case int64:
		return v != 0
	case float64:
		return v != 0
	case bool:
		return v
	case string:
		return v != ""
	case []byte:
		return len(v) > 0
	}
	return true
}

// compose makes the new value of an update once a statement needs it.
func (c *call) compose(st *Statement) (err error) {
	if c.change == nil || c.composed || !slices.Contains(st.Parameters, "value") {
		return nil
	}
	if old := c.values["old"]; old != nil {
		c.oldFound = true
		if c.old, err = asText(old); err != nil {
			return err
		}
	}
	c.composed = true
	c.values["value"] = c.change(c.old, c.oldFound)
	return nil
}

// perform runs a statement and keeps what it came back with for those that follow.
func (c *call) perform(ctx context.Context, on *conn, st *Statement) error {
	a, err := on.do(ctx, st, c.values)
	if err != nil {
		return err
	}
	if st.Writes {
		c.values["changed"] = a.changed
	}
	if !st.Returns {
		return nil
	}
	c.last = a.rows
	c.values["found"] = int64(min(1, len(a.rows)))
	for i, name := range a.columns {
		if slices.Contains(c.given, name) || slices.Contains(results, name) {
			continue
		}
		c.values[name] = nil
		if len(a.rows) > 0 {
			c.values[name] = a.rows[0][i]
		}
	}
	return nil
}

// texts returns the rows that the operation returns, each as n texts.
func (c *call) texts(n int) ([][]string, error) {
	all := make([][]string, len(c.last))
	for i, row := range c.last {
		if len(row) != n {
			return nil, fmt.Errorf("the rows have %d columns and not %d", len(row), n)
		}
		all[i] = make([]string, n)
		for j, value := range row {
			var err error
			if all[i][j], err = asText(value); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// asText returns a column as text: a number in decimal, a blob as its bytes.
func asText(value any) (string, error) {
	field, err := asField(value)
	if err == nil && field.Type == store.Null {
		return "", fmt.Errorf("the value is NULL and no text")
	}
	return field.Text, err
}

// asField returns a column as the database keeps it. A column that is declared as a truth or a
// time is a number to SQLite, but not to all drivers.
func asField(value any) (store.Field, error) {
	switch v := value.(type) {
	case nil:
		return store.Field{}, nil
	case string:
		return store.TextField(v), nil
	case []byte:
		return store.Field{Type: store.Blob, Text: string(v)}, nil
	case int64:
		return store.Field{Type: store.Integer, Text: strconv.FormatInt(v, 10)}, nil
	case float64:
		return store.Field{Type: store.Real, Text: strconv.FormatFloat(v, 'g', -1, 64)}, nil
	}
	return store.Field{}, fmt.Errorf("the value is %T and no text; CAST(... AS TEXT) makes it one",
		value)
}

// asTime reads a time in nanoseconds since 1970; NULL is the zero time.
func asTime(value any) (time.Time, error) {
	switch v := value.(type) {
	case nil:
		return time.Time{}, nil
	case int64:
		return time.Unix(0, v), nil
	case time.Time:
		return v, nil
	}
	return time.Time{}, fmt.Errorf("the time is %T; it is a whole number of nanoseconds since "+
		"1970; leave the column out if it is another one", value)
}
