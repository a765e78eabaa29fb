package script

import (
	"slices"
	"strings"
)

// newStatement looks at the tokens of one statement, of which there is at least one.
func newStatement(sql string, tokens []token) Statement {
	st := Statement{SQL: sql, Line: tokens[0].line, tokens: tokens}
	for _, t := range tokens {
		if t.kind == parameter && !slices.Contains(st.Parameters, t.text) {
			st.Parameters = append(st.Parameters, t.text)
		}
	}
	st.Writes = writes(tokens)
	st.Returns = !st.Writes || slices.ContainsFunc(tokens, func(t token) bool {
		return t.is("returning")
	})
	return st
}

// writes tells by the first word, and for WITH by whether a word follows that no query has.
func writes(tokens []token) bool {
	first := tokens[0]
	if !first.is("with") {
		return !first.is("select") && !first.is("values") && !first.is("explain")
	}
	for i, t := range tokens {
		replaces := t.is("replace") && i+1 < len(tokens) && tokens[i+1].is("into")
		if replaces || t.is("insert") || t.is("update") || t.is("delete") {
			return true
		}
	}
	return false
}

// LineOf returns the line in which a text first stands that somebody complains about, for instance
// a misspelt word or, with its colon, a parameter; the statement's first line if it stands nowhere.
func (s Statement) LineOf(text string) int {
	for _, t := range s.tokens {
		if strings.EqualFold(t.name(), text) {
			return t.line
		}
	}
	return s.Line
}

// mentions is true if the name stands in the statement, as that of a column or behind AS.
func (s Statement) mentions(name string) bool {
	return slices.ContainsFunc(s.tokens, func(t token) bool {
		return t.kind != parameter && strings.EqualFold(t.name(), name)
	})
}
