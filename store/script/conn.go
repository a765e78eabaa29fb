package script

import (
	"context"
	"database/sql"
	"errors"
)

// conn is a connection that one operation, or one statement of it, has to itself.
type conn struct {
	of  *Pool
	raw *sql.Conn // nil for one that is still to be made or to be made anew
	// prepared has the statements of a connection that is held; nil for one that is not.
	prepared map[*Statement]*sql.Stmt
}

// answer is what a statement came back with.
type answer struct {
	columns []string
	rows    [][]any
	// changed is how many rows were written, as far as one knows.
	changed int64
}

// do runs a statement to its end. Not every driver looks at the context first.
func (c *conn) do(ctx context.Context, st *Statement, values map[string]any) (answer, error) {
	if err := ctx.Err(); err != nil {
		return answer{}, err
	}
	stmt, err := c.prepare(ctx, st)
	if err != nil {
		return answer{}, err
	}
	args := st.args(values)
	if st.Returns {
		return c.query(ctx, st, stmt, args)
	}
	var result sql.Result
	if stmt != nil {
		result, err = stmt.ExecContext(ctx, args...)
	} else {
		result, err = c.raw.ExecContext(ctx, st.SQL, args...)
	}
	if err != nil {
		return answer{}, err
	}
	n, err := result.RowsAffected()
	return answer{changed: n}, err
}

// prepare returns the statement as the connection has it prepared; nil for one that is not held.
func (c *conn) prepare(ctx context.Context, st *Statement) (stmt *sql.Stmt, err error) {
	if c.prepared == nil || c.prepared[st] != nil {
		return c.prepared[st], nil
	}
	if stmt, err = c.raw.PrepareContext(ctx, st.SQL); err == nil {
		c.prepared[st] = stmt
	}
	return stmt, err
}

func (c *conn) query(ctx context.Context, st *Statement, stmt *sql.Stmt, args []any) (
	a answer, err error) {
	var rows *sql.Rows
	if stmt != nil {
		rows, err = stmt.QueryContext(ctx, args...)
	} else {
		rows, err = c.raw.QueryContext(ctx, st.SQL, args...)
	}
	if err != nil {
		return answer{}, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if a.columns, err = rows.Columns(); err != nil {
		return answer{}, err
	}
	for rows.Next() {
		row := make([]any, len(a.columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return answer{}, err
		}
		a.rows = append(a.rows, row)
	}
	if st.Writes {
		a.changed = int64(len(a.rows))
	}
	return a, rows.Err()
}

// args are the statement's parameters and no others, since some drivers count. What no row has
// set is NULL.
func (s Statement) args(values map[string]any) []any {
	args := make([]any, len(s.Parameters))
	for i, name := range s.Parameters {
		args[i] = sql.Named(name, values[name])
	}
	return args
}

func (c *conn) begin(ctx context.Context, kind string) error {
	begin := "BEGIN"
	if kind != "deferred" {
		begin = "BEGIN " + kind
	}
	_, err := c.raw.ExecContext(ctx, begin)
	return err
}

// commit does not look at the context: a commit that has begun is not to be stopped half-way.
func (c *conn) commit(ctx context.Context) error {
	_, err := c.raw.ExecContext(context.WithoutCancel(ctx), "COMMIT")
	return err
}

// rollBack ends the transaction that is open, if one is, and reports whether none is left.
func (c *conn) rollBack(ctx context.Context) bool {
	_, err := c.raw.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	return err == nil || c.idle()
}

// idle is true if the driver is one that can say so and knows of no transaction.
func (c *conn) idle() bool {
	idle := false
	_ = c.raw.Raw(func(driver any) error {
		known, ok := driver.(interface{ AutoCommit() bool })
		idle = ok && known.AutoCommit()
		return nil
	})
	return idle
}
