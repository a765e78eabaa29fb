package scripts_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documents returns README.md and the documents below docs and results, by path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	paths := []string{filepath.Join(root, "README.md")}
	for _, pattern := range []string{"docs/*.md", "results/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		paths = append(paths, found...)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts[path] = string(text)
	}
	return texts
}

func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Count(string(text), "\n"), 150, "the rest belongs into docs")
}

var makeCommand = regexp.MustCompile("(?m)(?:^|`|\\$ )make ([a-z]+)")

func TestDocumentedTargetsExist(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	found := 0
	for path, text := range documents(t) {
		for _, m := range makeCommand.FindAllStringSubmatch(text, -1) {
			found++
			require.Contains(t, string(makefile), "\n"+m[1]+":", "%s: make %s", path, m[1])
		}
	}
	require.GreaterOrEqual(t, found, 5)
}

// The floors that docs/design.md shows are those that the rule has, of the packages there are.
func TestDocumentedFloors(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "design.md"))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```\n8  cmd/memrace")
	require.True(t, found)
	shown, _, _ := strings.Cut("8  cmd/memrace"+rest, "```")
	var there []string
	for line := range strings.Lines(strings.TrimSpace(floors)) {
		fields := strings.Fields(line)
		kept := fields[:1]
		for _, dir := range fields[1:] {
			if _, err := os.Stat(filepath.Join(root, dir)); err == nil {
				kept = append(kept, dir)
			}
		}
		there = append(there, strings.Join(kept, " "))
	}
	var documented []string
	for line := range strings.Lines(strings.TrimSpace(shown)) {
		documented = append(documented, strings.Join(strings.Fields(line), " "))
	}
	require.Equal(t, there, documented)
}

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

func TestMakefileFuzzesEverything(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	found := 0
	for _, s := range sources(t) {
		for _, m := range fuzzTarget.FindAllStringSubmatch(s.text, -1) {
			found++
			target := s.dir + ":" + m[1]
			require.Contains(t, strings.Fields(string(makefile)), target, "FUZZING in Makefile")
		}
	}
	require.GreaterOrEqual(t, found, 5)
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

func TestDocumentedFilesExist(t *testing.T) {
	found := 0
	for path, text := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			found++
			require.FileExists(t, filepath.Join(filepath.Dir(path), m[1]), "link in %s", path)
		}
	}
	require.GreaterOrEqual(t, found, 4)
}

// The Go code that README shows is that of a test, which the compiler sees.
func TestReadmeCodeIsTested(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```go\n")
	require.True(t, found)
	code, _, _ := strings.Cut(rest, "```")
	tested, err := os.ReadFile(filepath.Join(root, "stress", "readme_test.go"))
	require.NoError(t, err)
	require.Contains(t, string(tested), code)
}
