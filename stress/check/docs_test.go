package check_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/check"
	"memrace/stress/history"
)

// docsSections returns what docs/checks.md says under the name of each property.
func docsSections(t *testing.T) map[check.Property]string {
	t.Helper()
	page, err := os.ReadFile("../../docs/checks.md")
	require.NoError(t, err)
	sections := map[check.Property]string{}
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		name, text, _ := strings.Cut(section, "\n")
		sections[check.Property(name)] = text
	}
	return sections
}

// docsExample is a history of the page and what it is an example of.
type docsExample struct{ anomaly, text string }

func docsExamples(t *testing.T, section string) (examples []docsExample) {
	t.Helper()
	_, rest, found := strings.Cut(section, "```history\n")
	require.True(t, found, "no block ```history")
	block, _, _ := strings.Cut(rest, "```")
	for _, example := range strings.Split(strings.TrimSpace(block), "\n\n") {
		head, text, _ := strings.Cut(example, "\n")
		name, _, found := strings.Cut(strings.TrimPrefix(head, "# "), ": ")
		require.True(t, found, "an example begins with its anomaly: %q", head)
		examples = append(examples, docsExample{name, text})
	}
	return examples
}

// judgeExample judges operations and, after a line "memrace-rows 1", rows.
func judgeExample(t *testing.T, text string) []check.Verdict {
	t.Helper()
	const rowsHead = "memrace-rows 1\n"
	operations, rows, dumped := strings.Cut(text, rowsHead)
	e := history.Evidence{History: parse(t, "memrace-history 1\n"+operations), Dumped: dumped}
	if dumped {
		var err error
		e.Rows, err = history.ReadRows(strings.NewReader(rowsHead+rows), "docs/checks.md")
		require.NoError(t, err)
	}
	return check.Judge(context.Background(), e, check.Options{})
}

// TestDocsExamples judges each example of docs/checks.md, which must be what it is called, and
// break the promise under which it stands.
func TestDocsExamples(t *testing.T) {
	var named []string
	sections := docsSections(t)
	for _, p := range check.Properties() {
		require.Contains(t, sections[p], "**Promise**: "+p.Meaning()+".", p)
		for _, example := range docsExamples(t, sections[p]) {
			named = append(named, example.anomaly)
			verdicts := judgeExample(t, example.text)
			at := slices.IndexFunc(verdicts, func(v check.Verdict) bool { return v.Property == p })
			require.GreaterOrEqual(t, at, 0, "%s: %s", p, example.anomaly)
			got := verdicts[at]
			require.Equal(t, check.Violated, got.State, "%s: %s", p, example.anomaly)
			require.Equal(t, example.anomaly, string(got.Violations[0].Anomaly), p)
		}
	}
	slices.Sort(named)
	require.Empty(t, cmp.Diff(anomalies(t), named), "each anomaly has one example")
}

// anomalies returns the text of each constant of the type Anomaly.
func anomalies(t *testing.T) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "check.go", nil, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, is := n.(*ast.ValueSpec)
		if !is {
			return true
		}
		if kind, named := spec.Type.(*ast.Ident); named && kind.Name == "Anomaly" {
			name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			names = append(names, name)
		}
		return true
	})
	slices.Sort(names)
	return names
}

// TestDocsMutants holds the mutants that docs/checks.md names against the matrix.
func TestDocsMutants(t *testing.T) {
	matrix, err := os.ReadFile("../../results/mutants.txt")
	require.NoError(t, err)
	caughtBy := map[string]string{}
	for line := range strings.Lines(string(matrix)) {
		if fields := strings.Fields(line); len(fields) > 4 {
			caughtBy[fields[0]] = fields[4]
		}
	}
	for p, section := range docsSections(t) {
		if !slices.Contains(check.Properties(), p) {
			continue
		}
		_, list, found := strings.Cut(section, "**Mutants**: ")
		require.True(t, found, p)
		list, _, _ = strings.Cut(list, ".")
		for _, mutant := range strings.Split(list, ", ") {
			require.Equal(t, string(p), caughtBy[mutant], mutant)
		}
	}
}
