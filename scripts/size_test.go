package scripts_test

import (
	"go/ast"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

const (
	maxFunc    = 60  // lines of a function
	maxFile    = 300 // lines of a file
	maxColumns = 100 // columns of a line, a tab counting as four
)

func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		lines := strings.Split(s.text, "\n")
		if len(lines)-1 > maxFile {
			t.Errorf("%s has %d lines; at most %d", s.path, len(lines)-1, maxFile)
		}
		for i, line := range lines {
			if n := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); n > maxColumns {
				t.Errorf("%s:%d has %d columns; at most %d", s.path, i+1, n, maxColumns)
			}
		}
		for _, decl := range s.tree.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				from, to := s.set.Position(f.Pos()).Line, s.set.Position(f.End()).Line
				if to-from+1 > maxFunc {
					t.Errorf("%s:%d %s has %d lines; at most %d",
						s.path, from, f.Name.Name, to-from+1, maxFunc)
				}
			}
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	documented := map[string]bool{}
	for _, s := range sources(t) {
		documented[s.dir] = documented[s.dir] || s.tree.Doc != nil
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no doc comment", dir)
		}
	}
}

func TestEveryExportedNameIsExplained(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, decl := range s.tree.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if ok && f.Name.IsExported() && f.Doc == nil && !ownInterface(f) {
				t.Errorf("%s: %s has no doc comment", s.path, f.Name.Name)
			}
		}
	}
}

// ownInterface is true for a method that an unexported type has to have for an interface which
// explains it.
func ownInterface(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return false
	}
	kind := f.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	id, ok := kind.(*ast.Ident)
	return ok && !id.IsExported()
}

func TestNames(t *testing.T) {
	banned := []string{"util", "utils", "common", "helper", "helpers", "manager", "misc"}
	for _, s := range sources(t) {
		file := strings.TrimSuffix(path.Base(s.path), ".go")
		for _, name := range []string{s.tree.Name.Name, file} {
			if slices.Contains(banned, name) {
				t.Errorf("%s: %q says nothing about what is in it", s.path, name)
			}
		}
	}
}

func TestTopLevel(t *testing.T) {
	allowed := strings.Fields(`go.mod go.sum Makefile README.md LICENSE store stress bench scripts
		results cmd report docs .ci .github .git .gitignore bin page.html`)
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		if !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s does not belong at the top level", e.Name())
		}
	}
}
