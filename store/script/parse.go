package script

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// parser builds a script from the tokens of its text.
type parser struct {
	script *Script
	file   string
	text   string
	// part is true for the text of one operation, which has no head and no sections.
	part bool

	// section is the operation that is being read; nil in the head.
	section *Operation
	// pending are the tokens of a statement that has not ended.
	pending    []token
	conditions []Condition
}

func (p *parser) fail(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: "+format, append([]any{p.file, line}, args...)...)
}

func (p *parser) read(text string) error {
	p.text = text
	lex := &lexer{text: text, line: 1, first: true}
	for {
		t, more, err := lex.next()
		if err != nil {
			return fmt.Errorf("%s:%w", p.file, err)
		}
		if !more {
			return p.endSection()
		}
		if err := p.token(t); err != nil {
			return err
		}
	}
}

func (p *parser) token(t token) error {
	switch {
	case t.kind == comment:
		return p.comment(t)
	case p.section == nil:
		return p.fail(t.line, "SQL before the first section; begin one with -- schema: or "+
			"-- name: upsert")
	case t.kind == mark && t.text == ";" && !p.inTrigger():
		return p.endStatement()
	}
	p.pending = append(p.pending, t)
	return nil
}

// inTrigger is true inside a CREATE TRIGGER, which has statements of its own up to "; END".
func (p *parser) inTrigger() bool {
	if len(p.pending) < 3 || !p.pending[0].is("create") {
		return false
	}
	kind := p.pending[1]
	if kind.is("temp") || kind.is("temporary") {
		kind = p.pending[2]
	}
	last := p.pending[len(p.pending)-2:]
	return kind.is("trigger") && !(last[0].text == ";" && last[1].is("end"))
}

// directive is a comment that means something.
var directive = regexp.MustCompile(`^--\s*([A-Za-z]+)\s*:(.*)$`)

// directives are all that there are, in the order in which they are documented.
var directives = []string{"pragma", "pool", "database", "schema", "name", "tx", "if", "unless"}

func (p *parser) comment(t token) error {
	m := directive.FindStringSubmatch(t.text)
	if m == nil {
		return nil
	}
	name, value := strings.ToLower(m[1]), strings.TrimSpace(m[2])
	section := name == "schema" || name == "name"
	switch {
	case !slices.Contains(directives, name):
		return p.mistyped(t.line, name)
	case !t.first:
		return p.fail(t.line, "-- %s: stands behind something; give it a line of its own", name)
	case name == "tx" || name == "if" || name == "unless":
		return p.inside(name, value, t.line)
	case p.part:
		return p.fail(t.line, "-- %s: belongs into a file of SQL; this is the text of %s alone",
			name, p.section.Name)
	case !section:
		if p.section != nil {
			return p.fail(t.line, "-- %s: belongs into the head, before the first -- schema: "+
				"or -- name:", name)
		}
		p.script.Settings = append(p.script.Settings, Setting{name, value, t.line})
		return nil
	}
	if err := p.endSection(); err != nil {
		return err
	}
	return p.begin(name, value, t.line)
}

// mistyped refuses a comment whose word is all but a directive.
func (p *parser) mistyped(line int, name string) error {
	for _, d := range directives {
		if len(d) > 2 && nearly(name, d) {
			return p.fail(line, "-- %s: means nothing; it looks like -- %s:", name, d)
		}
	}
	return nil
}

// nearly is true if one letter is too few, too many or another one, or two have changed places.
func nearly(a, b string) bool {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch len(a) - len(b) {
	case 1:
		return a[1:] == b
	case -1:
		return a == b[1:]
	case 0:
		swapped := len(a) >= 2 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
		return a == "" || a[1:] == b[1:] || swapped
	}
	return false
}

// begin begins a section.
func (p *parser) begin(directive, value string, line int) error {
	if directive == "schema" {
		if value != "" {
			return p.fail(line, "-- schema: has no name; the SQL follows in the next lines")
		}
		if p.script.Schema.Line != 0 {
			return p.fail(line, "there is a second -- schema:, the first is in line %d; "+
				"make one of them", p.script.Schema.Line)
		}
		p.section = &Operation{Name: "schema"}
	} else {
		if err := p.newName(value, line); err != nil {
			return err
		}
		p.section = &Operation{Name: value}
	}
	p.section.Line, p.section.file = line, p.file
	return nil
}

func (p *parser) newName(name string, line int) error {
	if _, known := promises[name]; !known {
		return p.fail(line, "no operation is called %q; there are %s", name,
			strings.Join(Names(), ", "))
	}
	if other := p.script.Operation(name); other != nil {
		return p.fail(line, "there is a second %s, the first is in line %d; remove one, or put "+
			"all statements of an operation below one -- name:", name, other.Line)
	}
	return nil
}

// inside reads a directive that belongs to an operation.
func (p *parser) inside(name, value string, line int) error {
	if p.section == nil || p.section.Name == "schema" {
		return p.fail(line, "-- %s: belongs into an operation, below its -- name:", name)
	}
	if len(p.pending) > 0 {
		return p.fail(line, "-- %s: stands in the middle of the statement that begins in line "+
			"%d; end that with a semicolon", name, p.pending[0].line)
	}
	if name == "tx" {
		return p.transaction(strings.ToLower(value), line)
	}
	colon, found := strings.CutPrefix(value, ":")
	if !found || colon == "" || wordLength(colon) != len(colon) {
		return p.fail(line, "-- %s: %s is no parameter; write it as in -- %s: :found",
			name, value, name)
	}
	p.conditions = append(p.conditions, Condition{colon, name == "unless", line})
	return nil
}

func (p *parser) transaction(value string, line int) error {
	o := p.section
	switch {
	case o.Transaction != "":
		return p.fail(line, "%s has a second -- tx:; leave one", o.Name)
	case len(o.Statements) > 0:
		return p.fail(line, "-- tx: stands behind a statement; put it right below -- name: %s",
			o.Name)
	case !slices.Contains([]string{"immediate", "deferred", "exclusive", "none"}, value):
		return p.fail(line, "-- tx: %s is none of immediate, deferred, exclusive, none", value)
	}
	o.Transaction = value
	return nil
}

// endSection ends the statement that lacks its semicolon, and the section.
func (p *parser) endSection() error {
	if p.section == nil {
		return nil
	}
	if err := p.endStatement(); err != nil {
		return err
	}
	if len(p.conditions) > 0 {
		return p.fail(p.conditions[0].Line, "no statement follows this condition; remove it")
	}
	if p.section.Transaction == "" && len(p.section.Statements) <= 1 {
		p.section.Transaction = "none"
	}
	if p.section.Name == "schema" {
		// Others that open the database at the same time see all of it or nothing.
		p.section.Transaction = "immediate"
		p.script.Schema = *p.section
	} else {
		p.script.Operations = append(p.script.Operations, *p.section)
	}
	p.section = nil
	return nil
}

func (p *parser) endStatement() error {
	if len(p.pending) == 0 {
		return nil
	}
	last := p.pending[len(p.pending)-1]
	st := newStatement(p.text[p.pending[0].from:last.to], p.pending)
	st.Conditions = p.conditions
	p.section.Statements = append(p.section.Statements, st)
	p.pending, p.conditions = nil, nil
	return nil
}
