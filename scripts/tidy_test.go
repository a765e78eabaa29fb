// Package scripts holds the rules of the house as tests: which package may import which, what
// stays pure, and how long things may be. There are no exceptions, so there is no list of them.
package scripts_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// source is one Go file of the project.
type source struct {
	path string // from the root, with slashes
	dir  string
	test bool
	text string
	tree *ast.File
	set  *token.FileSet
}

func (s source) imports() []string {
	var paths []string
	for _, spec := range s.tree.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, path)
	}
	return paths
}

const root = ".."

// sources returns every Go file of the project's main module, test data aside.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipDir(path, d)
		}
		if filepath.Ext(path) == ".go" {
			all = append(all, parse(t, path))
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(all), 30, "the walk has to find the project")
	return all
}

// skipDir leaves out test data, hidden folders, what runs leave behind, and modules of their own.
func skipDir(path string, d fs.DirEntry) error {
	name := d.Name()
	if name == "testdata" || name == "runs" || path != root && strings.HasPrefix(name, ".") {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != root {
		return fs.SkipDir
	}
	return nil
}

func parse(t *testing.T, path string) source {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	rel, err := filepath.Rel(root, path)
	require.NoError(t, err)
	rel = filepath.ToSlash(rel)
	return source{
		path: rel,
		dir:  filepath.ToSlash(filepath.Dir(rel)),
		test: strings.HasSuffix(rel, "_test.go"),
		text: string(text), tree: tree, set: set,
	}
}

// floors is the order of the house: a package imports only what stands on a lower line.
const floors = `
8  cmd/memrace
7  cmd/verbs
6  report
5  stress bench
4  stress/workers stress/fault stress/mutant stress/explore
3  store/sqlfile stress/workload stress/notation stress/check stress/witness
2  store/sqlite store/proc store/shared store/script stress/history stress/search
1  store/ability store/disk
0  store
`

func floorOf(t *testing.T) map[string]int {
	t.Helper()
	of := map[string]int{}
	for line := range strings.Lines(strings.TrimSpace(floors)) {
		fields := strings.Fields(line)
		floor, err := strconv.Atoi(fields[0])
		require.NoError(t, err)
		for _, dir := range fields[1:] {
			of[dir] = floor
		}
	}
	return of
}

func TestFloors(t *testing.T) {
	of := floorOf(t)
	for _, s := range sources(t) {
		if s.dir == "scripts" {
			continue
		}
		from, known := of[s.dir]
		if !known {
			t.Errorf("%s: package %s stands on no floor; give it one in scripts/tidy_test.go",
				s.path, s.dir)
			continue
		}
		for _, path := range s.imports() {
			to, own := strings.CutPrefix(path, "memrace/")
			if !own || s.test {
				continue
			}
			if of[to] >= from {
				t.Errorf("%s (floor %d) imports %s (floor %d): only lower floors may be imported",
					s.path, from, to, of[to])
			}
		}
	}
}

// only says which files alone may import a package, tests aside.
var only = []struct {
	prefix string
	may    string // a folder or a file
	why    string
}{
	{"github.com/mattn/go-sqlite3", "store/sqlite/driver.go",
		"people with another driver build the rest without cgo"},
	{"github.com/anishathalye/porcupine", "", "it is the second opinion in tests"},
	{"github.com/stretchr/testify", "", "only tests assert"},
	{"github.com/google/go-cmp", "", "only tests compare"},
	{"pgregory.net/rapid", "", "only tests draw random inputs"},
	{"go.uber.org/goleak", "", "only tests look for leaks"},
}

func TestImportsThatAreKeptApart(t *testing.T) {
	for _, s := range sources(t) {
		for _, path := range s.imports() {
			for _, rule := range only {
				allowed := rule.may != "" && (s.dir == rule.may || s.path == rule.may)
				if !s.test && !allowed && strings.HasPrefix(path, rule.prefix) {
					t.Errorf("%s imports %s: %s", s.path, path, rule.why)
				}
			}
		}
	}
}

func TestPurePackagesTouchNothing(t *testing.T) {
	pure := []string{"stress/history", "stress/notation", "stress/workload", "stress/check",
		"stress/witness"}
	for _, s := range sources(t) {
		if s.test || !slices.Contains(pure, s.dir) {
			continue
		}
		for _, path := range s.imports() {
			if path == "os" || path == "net" || path == "database/sql" ||
				strings.HasPrefix(path, "os/") || strings.HasPrefix(path, "net/") {
				t.Errorf("%s imports %s: package %s is pure", s.path, path, s.dir)
			}
		}
		for _, call := range []string{"Now", "Since", "Sleep"} {
			for _, pos := range calls(s, "time", call) {
				t.Errorf("%s calls time.%s: package %s is pure", pos, call, s.dir)
			}
		}
	}
}

func TestNoSleepInTests(t *testing.T) {
	for _, s := range sources(t) {
		if !s.test {
			continue
		}
		for _, pos := range calls(s, "time", "Sleep") {
			t.Errorf("%s: a test waits for a gate or a clock of testing/synctest", pos)
		}
	}
}

// calls returns where the file calls pkg.name.
func calls(s source, pkg, name string) []string {
	var found []string
	ast.Inspect(s.tree, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != name {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && id.Name == pkg {
			found = append(found, s.path+":"+strconv.Itoa(s.set.Position(sel.Pos()).Line))
		}
		return true
	})
	return found
}
