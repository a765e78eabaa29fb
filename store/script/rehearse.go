package script

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Rehearse makes the schema in an empty database of SQLite, which is of no use afterwards, and has
// it look at every statement. What the database finds wrong, and what the rows lack that
// statements return, is an error of the form that Parse has.
func (s *Script) Rehearse(ctx context.Context, db *sql.DB) (err error) {
	raw, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("rehearse %s: %w", s.Name, err)
	}
	defer func() { err = errors.Join(err, raw.Close()) }()
	on := &conn{raw: raw}
	if err := s.rehearseSchema(ctx, on); err != nil {
		return err
	}
	for i := range s.Operations {
		if err := s.Operations[i].rehearse(ctx, on); err != nil {
			return err
		}
	}
	return nil
}

// rehearseSchema makes the schema as the first to open the store does, and as everybody after that.
func (s *Script) rehearseSchema(ctx context.Context, on *conn) error {
	o := &s.Schema
	for i := range o.Statements {
		if _, err := on.do(ctx, &o.Statements[i], nil); err != nil {
			return o.said(ctx, on, &o.Statements[i], err)
		}
	}
	for i := range o.Statements {
		st := &o.Statements[i]
		if _, err := on.do(ctx, st, nil); err != nil {
			return o.fail(st.Line, "run again, as it is each time that the store is opened: %w; "+
				"%s", err, st.repeatable(err))
		}
	}
	return nil
}

// repeatable says how to write a statement that fails with err when it is run again.
func (s *Statement) repeatable(err error) string {
	kind := func(t token) bool {
		return t.is("table") || t.is("index") || t.is("trigger") || t.is("view")
	}
	last := slices.IndexFunc(s.tokens, kind)
	if last < 0 || !strings.Contains(err.Error(), "already exists") {
		return "write it such that it can be run any number of times"
	}
	var words []string
	for _, t := range s.tokens[:last+1] {
		words = append(words, strings.ToUpper(t.text))
	}
	return fmt.Sprintf("write %s IF NOT EXISTS", strings.Join(words, " "))
}

// rehearse runs every statement, whatever its conditions, and leaves nothing of it.
func (o *Operation) rehearse(ctx context.Context, on *conn) (err error) {
	if err := on.begin(ctx, "deferred"); err != nil {
		return fmt.Errorf("rehearse %s: %w", o.Name, err)
	}
	defer func() {
		if !on.rollBack(ctx) {
			err = errors.Join(err, fmt.Errorf("rehearse %s: it is not rolled back", o.Name))
		}
	}()
	values := map[string]any{}
	for _, name := range promises[o.Name].given {
		values[name] = name
	}
	if _, found := values["now"]; found {
		values["now"] = 1
	}
	var columns []string
	for i := range o.Statements {
		st := &o.Statements[i]
		if err := o.tryNames(st, values); err != nil {
			return err
		}
		got, ran, err := o.try(ctx, on, st, values)
		if err != nil || !ran {
			return err
		}
		for _, name := range slices.Concat(got, results) {
			if _, known := values[name]; !known {
				values[name] = nil
			}
		}
		if st.Returns {
			columns = got
		}
	}
	return o.checkColumns(columns)
}

// try has the database read a statement, and then run it. A statement that does not run with what
// it is given here is none that is wrong: ran is false, and its columns are not known.
func (o *Operation) try(ctx context.Context, on *conn, st *Statement, values map[string]any) (
	columns []string, ran bool, err error) {
	made, err := on.raw.PrepareContext(ctx, st.SQL)
	if err != nil {
		return nil, false, o.said(ctx, on, st, err)
	}
	if err := made.Close(); err != nil {
		return nil, false, o.said(ctx, on, st, err)
	}
	a, err := on.do(ctx, st, values)
	return a.columns, err == nil, nil
}

// tryNames finds a parameter that no column is called by that earlier statements return.
func (o *Operation) tryNames(st *Statement, values map[string]any) error {
	names := slices.Clone(st.Parameters)
	for _, c := range st.Conditions {
		names = append(names, c.Parameter)
	}
	for _, name := range names {
		if _, known := values[name]; !known {
			return o.fail(st.LineOf(":"+name), "nothing sets :%s; what is set here is :%s", name,
				strings.Join(slices.Sorted(maps.Keys(values)), ", :"))
		}
	}
	_, old := values["old"]
	if o.Name == "update" && slices.Contains(st.Parameters, "value") && !old {
		return o.fail(st.Line, "the new :value is made out of :old, and no column of the "+
			"statements before is called old; write SELECT value AS old")
	}
	return nil
}

// checkColumns looks at the columns of the rows that the operation returns.
func (o *Operation) checkColumns(got []string) error {
	p := promises[o.Name]
	if p.least == 0 || len(got) >= p.least && len(got) <= len(p.columns) {
		return nil
	}
	want := strings.Join(p.columns[:p.least], ", ")
	if p.least < len(p.columns) {
		want += " and perhaps " + strings.Join(p.columns[p.least:], ", ")
	}
	var last Statement
	for _, st := range o.Statements {
		if st.Returns {
			last = st
		}
	}
	return o.fail(last.Line, "the rows have the columns %s; they are to be %s, in this order and "+
		"called as you like", strings.Join(got, ", "), want)
}

// complaint finds the name that SQLite complains about.
var complaint = regexp.MustCompile(`(?:no such \w+|named|ambiguous column name):? (\S+)`)

// advice says what to look at, by what stands in SQLite's message.
var advice = []struct{ message, remedy string }{
	{"syntax error", "look at what stands right before it, and whether each statement ends with " +
		"a semicolon"},
	{"unrecognized token", "look at how it is written: a parameter is a colon and a name, as in " +
		":key"},
	{"incomplete input", "the statement breaks off: look for a bracket that is not closed"},
	{"no such table", "the tables are those that -- schema: makes"},
	{"column", "the columns are those of the table in -- schema:; a parameter has a colon, as " +
		"in :key"},
	{"no such function", "the functions are those that SQLite has by itself"},
	{"already exists", "a schema is run each time that a store is opened: write IF NOT EXISTS"},
	{"ON CONFLICT", "name the columns of the table's PRIMARY KEY, all of them"},
}

// said puts what SQLite said about a statement into words that say where, and what to do.
func (o *Operation) said(ctx context.Context, on *conn, st *Statement, err error) error {
	line, remedy := st.Line, "mend the statement"
	if m := complaint.FindStringSubmatch(err.Error()); m != nil {
		line = st.LineOf(m[1])
	}
	if misread(err) {
		line = st.misreadAt(ctx, on)
	}
	for _, a := range advice {
		if strings.Contains(err.Error(), a.message) {
			remedy = a.remedy
			break
		}
	}
	return o.fail(line, "SQLite says: %w; %s", err, remedy)
}

// misread is true if SQLite could make no sense of a word where it stands.
func misread(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "syntax error") ||
		strings.Contains(err.Error(), "unrecognized token"))
}

// misreadAt returns the line in which SQLite loses its way. Up to there, it calls the statement
// incomplete, or even takes it for a whole one.
func (s *Statement) misreadAt(ctx context.Context, on *conn) int {
	for _, t := range s.tokens {
		made, err := on.raw.PrepareContext(ctx, s.SQL[:t.to-s.tokens[0].from])
		if misread(err) {
			return t.line
		}
		if err == nil {
			_ = made.Close()
		}
	}
	return s.Line
}
