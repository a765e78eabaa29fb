package direct

import (
	"context"
	"database/sql/driver"
	"io"

	"memrace/store/sqlite"
)

// stmt is a prepared statement as database/sql wants it.
type stmt struct {
	conn Conn
	raw  Statement
}

var (
	_ sqlite.RawStmt         = (*stmt)(nil)
	_ driver.StmtExecContext = (*stmt)(nil)
)

// Close ends the statement.
func (s *stmt) Close() error { return s.raw.Close() }

// NumInput counts up to the last parameter.
func (s *stmt) NumInput() int { return s.raw.Parameters() }

// Exec runs the statement to its end.
func (s *stmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.ExecContext(context.Background(), ordered(args))
}

// Query runs the statement.
func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.QueryContext(context.Background(), ordered(args))
}

func ordered(args []driver.Value) []driver.NamedValue {
	named := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
	}
	return named
}

// ExecContext runs the statement to its end.
func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	r, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	for err == nil {
		err = r.Next(nil)
	}
	id, changed := s.conn.Changes()
	if closed := r.Close(); err == io.EOF {
		err = closed
	}
	return result{id, changed}, err
}

type result struct{ id, rows int64 }

// LastInsertId returns the number of the row that was inserted last.
func (r result) LastInsertId() (int64, error) { return r.id, nil }

// RowsAffected counts the rows that were changed.
func (r result) RowsAffected() (int64, error) { return r.rows, nil }

// QueryContext returns rows of which the first is not looked for yet.
func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	for _, arg := range args {
		if err := s.raw.Bind(s.place(arg), arg.Value); err != nil {
			return nil, err
		}
	}
	return &rows{stmt: s, ctx: ctx}, nil
}

// place returns the number of the parameter that an argument is for.
func (s *stmt) place(arg driver.NamedValue) int {
	for i := 1; arg.Name != "" && i <= s.raw.Parameters(); i++ {
		if name := s.raw.Parameter(i); name != "" && name[1:] == arg.Name {
			return i
		}
	}
	return arg.Ordinal
}
