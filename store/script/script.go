// Package script is a store whose operations are written down in SQL: it reads them, says what is
// wrong with them and where, and runs them over a pool of database/sql. docs/sqlfiles.md explains
// the text.
//
// It knows neither a driver nor a file: what is about SQLite is in store/sqlfile, and whoever has
// a pool of another driver uses it as well.
package script

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Script is a store in SQL. Its statements were looked at, but by no database.
type Script struct {
	// Name is that of the file, for errors and descriptions.
	Name string
	// Settings are those of the head, in the order in which they stand there.
	Settings []Setting
	// Schema has what is run when the store is opened; nothing where there is none.
	Schema Operation
	// Operations are in the order in which they stand in the file.
	Operations []Operation
}

// Setting is a line of the head: `-- pragma: synchronous=full` has the Kind "pragma".
type Setting struct {
	Kind, Text string
	Line       int
}

// Operation is the SQL of one operation of a store.
type Operation struct {
	// Name is what the operation is called: "upsert".
	Name string
	// Line is where it begins.
	Line int
	// Transaction is immediate, deferred or exclusive for one transaction around all statements,
	// and none where each statement stands for itself.
	Transaction string
	Statements  []Statement

	file string
}

// Statement is one statement of an operation.
type Statement struct {
	SQL string
	// Line is where it begins.
	Line int
	// Parameters are the names after a colon, each once.
	Parameters []string
	// Conditions must all be met; else the statement is left out.
	Conditions []Condition
	// Returns is true for a statement that has rows to return, Writes for one that may change
	// something. The two go together in an INSERT ... RETURNING.
	Returns, Writes bool

	tokens []token
}

// Condition is an `-- if: :found` before a statement, or an `-- unless:` where Unless is true.
type Condition struct {
	Parameter string
	Unless    bool
	Line      int
}

// Parse reads a script. The error has the form `name:line: what is wrong; what would be right`.
func Parse(r io.Reader, name string) (*Script, error) {
	bytes, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	text := strings.TrimPrefix(string(bytes), "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if err := readable(text); err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	p := &parser{script: &Script{Name: name}, file: name}
	if err := p.read(text); err != nil {
		return nil, err
	}
	if name := p.script.missing(); name != "" {
		return nil, p.fail(strings.Count(strings.TrimRight(text, "\n"), "\n")+1, "the file ends "+
			"and has no %s; write -- name: %s and its SQL below", name, name)
	}
	return p.script, p.script.validate()
}

// Part is the text of one operation, or of the schema, which has that name.
type Part struct {
	Name, Text string
	// Origin is where the text comes from, for errors: "Statements.Upsert".
	Origin string
}

// Assemble makes a script of parts; what has no text is left out. Name is that of the script. The
// error has the form `Origin:line: what is wrong; what would be right`.
func Assemble(name string, parts []Part) (*Script, error) {
	s := &Script{Name: name}
	for _, part := range parts {
		if strings.TrimSpace(part.Text) == "" {
			continue
		}
		p := &parser{script: s, file: part.Origin, part: true}
		p.section = &Operation{Name: part.Name, Line: 1, file: part.Origin}
		if err := p.read(strings.ReplaceAll(part.Text, "\r\n", "\n")); err != nil {
			return nil, err
		}
	}
	if missing := s.missing(); missing != "" {
		i := slices.IndexFunc(parts, func(p Part) bool { return p.Name == missing })
		if i < 0 {
			return nil, fmt.Errorf("%s: there is no %s", name, missing)
		}
		return nil, fmt.Errorf("%s is empty; write the SQL of %s", parts[i].Origin, missing)
	}
	return s, s.validate()
}

// readable finds what is no text, or has no lines. The error begins with the number of the line.
func readable(text string) error {
	if strings.Contains(text, "\r") && !strings.Contains(text, "\n") {
		return errors.New("1: the lines end with a carriage return and nothing else; save the " +
			"file with line feeds")
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if strings.ContainsRune(line, 0) || !utf8.ValidString(line) {
			return fmt.Errorf("%d: this is no text in UTF-8; save the file as such", n)
		}
	}
	return nil
}

// Operation returns the operation of that name, or nil if there is none.
func (s *Script) Operation(name string) *Operation {
	for i := range s.Operations {
		if s.Operations[i].Name == name {
			return &s.Operations[i]
		}
	}
	return nil
}

// At names a line of the operation's file: "good.sql:12".
func (o *Operation) At(line int) string { return fmt.Sprintf("%s:%d", o.file, line) }

// reads is true if a connection that only reads can serve the operation.
func (o *Operation) reads() bool {
	for _, st := range o.Statements {
		if st.Writes {
			return false
		}
	}
	return o.Transaction == "none" || o.Transaction == "deferred"
}
