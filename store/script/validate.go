package script

import (
	"fmt"
	"slices"
	"strings"
)

// promise is what an operation is given and has to give.
type promise struct {
	// given are its parameters, needs those that make no sense to leave out.
	given, needs []string
	// columns are those of the rows that it returns; none for an operation that returns nothing.
	columns []string
	// least is how many of the columns there have to be.
	least int
}

var promises = map[string]promise{
	"upsert": {given: words("session key value now"), needs: words("value")},
	"get":    {given: words("session key now"), columns: words("value"), least: 1},
	"delete": {given: words("session key now")},
	"list":   {given: words("session now"), columns: words("key value"), least: 2},
	"clear":  {given: words("session now")},
	"append": {given: words("session value now"), needs: words("value")},
	"items":  {given: words("session now"), columns: words("value"), least: 1},
	"update": {given: words("session key value now"), needs: words("value")},
	"take":   {given: words("session key now"), columns: words("value"), least: 1},
	"dump":   {columns: words("session key value updated_at"), least: 3},
}

func words(s string) []string { return strings.Fields(s) }

// Names returns the names that an operation can have.
func Names() []string { return words("upsert get delete list clear append items update take dump") }

// validate finds what is wrong with a script that has all that it needs.
func (s *Script) validate() error {
	for _, st := range s.Schema.Statements {
		if err := s.Schema.checkSchema(st); err != nil {
			return err
		}
	}
	for i := range s.Operations {
		if err := s.Operations[i].validate(); err != nil {
			return err
		}
	}
	return nil
}

// missing returns the name of an operation that a store has to have and the script lacks, or "".
// A store of items needs no slots.
func (s *Script) missing() string {
	has := func(name string) bool { return s.Operation(name) != nil }
	needs := words("upsert get delete")
	if has("append") && !slices.ContainsFunc(needs, has) {
		needs = nil
	}
	if has("append") || has("items") {
		needs = append(needs, "append", "items")
	}
	for _, name := range needs {
		if !has(name) {
			return name
		}
	}
	return ""
}

func (o *Operation) fail(line int, format string, args ...any) error {
	return fmt.Errorf(o.At(line)+": "+o.Name+": "+format, args...)
}

func (o *Operation) checkSchema(st Statement) error {
	if err := o.checkWords(st); err != nil {
		return err
	}
	if len(st.Parameters) > 0 {
		return o.fail(st.LineOf(":"+st.Parameters[0]), "there is no :%s when a store is opened; "+
			"write the value itself", st.Parameters[0])
	}
	return nil
}

// remedies say what to do instead of statements that have no place in a script, by first word.
var remedies = map[string]string{
	"pragma":    "it would reach one connection only; write -- pragma: name=value in the head",
	"begin":     "write -- tx: immediate below the name of the operation",
	"commit":    "a transaction is committed behind the operation's last statement",
	"end":       "a transaction is committed behind the operation's last statement",
	"rollback":  "a transaction is rolled back if one of its statements fails",
	"savepoint": "write -- tx: immediate below the name of the operation",
	"release":   "write -- tx: immediate below the name of the operation",
	"attach":    "it would reach one connection only; keep everything in one database",
	"detach":    "it would reach one connection only; keep everything in one database",
	"vacuum":    "it needs the database for itself; leave it out",
}

// checkWords refuses what would do something to the connection that later operations use.
func (o *Operation) checkWords(st Statement) error {
	first := strings.ToLower(st.tokens[0].text)
	if remedy, found := remedies[first]; found {
		return o.fail(st.Line, "no %s here: %s", strings.ToUpper(first), remedy)
	}
	for _, t := range st.tokens {
		switch {
		case t.kind != alien:
		case t.text[0] == '?':
			return o.fail(t.line, "%s is a parameter without a name; write it with one, and a "+
				"colon, as in :key", t.text)
		default:
			return o.fail(t.line, "%s is a parameter without a colon; write :%s", t.text,
				t.text[1:])
		}
	}
	return nil
}

func (o *Operation) validate() error {
	if len(o.Statements) == 0 {
		return o.fail(o.Line, "there is no SQL below it; write a statement, or remove the name")
	}
	if o.Transaction == "" {
		return o.fail(o.Statements[1].Line, "this is a second statement, and there is no -- tx:; "+
			"write -- tx: immediate before the first for one transaction, or -- tx: none for "+
			"statements that others may come between")
	}
	for i, st := range o.Statements {
		if err := o.checkWords(st); err != nil {
			return err
		}
		if err := o.checkNames(i); err != nil {
			return err
		}
	}
	return o.checkPromise()
}

// checkNames finds parameters of a statement and of its conditions that nothing will set.
func (o *Operation) checkNames(i int) error {
	st := o.Statements[i]
	for _, name := range st.Parameters {
		if !o.set(name, i) {
			return o.unknown(st.LineOf(":"+name), name, i)
		}
	}
	for _, c := range st.Conditions {
		if !o.set(c.Parameter, i) {
			return o.unknown(c.Line, c.Parameter, i)
		}
	}
	return nil
}

// set is true if the parameter may have been set when statement i is run. Which columns a
// statement returns only a database knows; but their names have to stand in it.
func (o *Operation) set(name string, i int) bool {
	if slices.Contains(promises[o.Name].given, name) {
		return true
	}
	before := o.Statements[:i]
	if slices.Contains(results, name) {
		return i > 0
	}
	return slices.ContainsFunc(before, func(st Statement) bool {
		return st.Returns && st.mentions(name)
	})
}

func (o *Operation) unknown(line int, name string, i int) error {
	if i == 0 && slices.Contains(results, name) {
		return o.fail(line, ":%s tells of the statement before, and this is the first", name)
	}
	var known []string
	for _, given := range promises[o.Name].given {
		known = append(known, ":"+given)
	}
	if len(known) == 0 {
		known = []string{"no parameters"}
	}
	return o.fail(line, "nothing sets :%s; there are %s, and the columns that an earlier "+
		"statement returns by name", name, strings.Join(known, ", "))
}

// checkPromise finds what is missing in all statements together.
func (o *Operation) checkPromise() error {
	p := promises[o.Name]
	for _, name := range p.needs {
		if o.firstWith(name) < 0 {
			return o.fail(o.Line, "no statement has :%s, so it would be lost", name)
		}
	}
	returns := slices.IndexFunc(o.Statements, func(st Statement) bool { return st.Returns })
	if p.least > 0 && returns < 0 {
		return o.fail(o.Line, "no statement returns rows; write a SELECT or a RETURNING with %s",
			strings.Join(p.columns[:p.least], ", "))
	}
	if o.Name != "update" {
		return nil
	}
	if at := o.firstWith("value"); returns < 0 || returns >= at {
		return o.fail(o.Statements[at].Line, "the new :value is made out of :old, which no "+
			"statement before this one returns; write one with SELECT value AS old")
	}
	return nil
}

// firstWith returns which statement is the first with the parameter; -1 for none.
func (o *Operation) firstWith(name string) int {
	return slices.IndexFunc(o.Statements, func(st Statement) bool {
		return slices.Contains(st.Parameters, name)
	})
}
