package mutant_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"memrace/store/sqlfile"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/mutant"
	"memrace/stress/workload"
)

// twin is what the first line of a mutant's file says of the right one beside it.
var twin = regexp.MustCompile(`^-- (right[a-z-]*\.sql) but for (\d+) lines?: .+\.\n`)

// maxDifferent is how many lines of a right file a mutant may change.
const maxDifferent = 5

// TestFilesDifferInFewLines counts the lines, and knows each file for a mutant or a right one.
func TestFilesDifferInFewLines(t *testing.T) {
	named := map[string]bool{}
	for _, m := range mutant.Mutants() {
		if m.File == "" {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			text := sqlText(t, m.File)
			said := twin.FindStringSubmatch(text)
			require.NotNil(t, said, "the first line names no right file")
			named[m.File], named[said[1]] = true, true
			got := different(statements(text), statements(sqlText(t, said[1])))
			assert.Equal(t, said[2], strconv.Itoa(got), "lines that differ from %s", said[1])
			assert.LessOrEqual(t, got, maxDifferent)
			assert.Positive(t, got)
		})
	}
	entries, err := os.ReadDir("sql")
	require.NoError(t, err)
	for _, e := range entries {
		assert.True(t, named[e.Name()], "%s is no mutant, and none names it", e.Name())
	}
	assert.GreaterOrEqual(t, len(named), 30)
}

func sqlText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("sql", name))
	require.NoError(t, err)
	return string(text)
}

// statements are the lines of a file below the comment that it begins with.
func statements(text string) []string {
	_, below, _ := strings.Cut(text, "\n\n")
	return strings.Split(below, "\n")
}

// different returns how many lines of a have to be replaced, removed or added to make it b: those
// of the longer one that are not in their longest common subsequence.
func different(a, b []string) int {
	common := make([]int, len(b)+1) // of all lines of a so far with the first lines of b
	for _, line := range a {
		before := 0 // common[j], as it was one line of a earlier
		for j := range b {
			here := common[j+1]
			if line == b[j] {
				common[j+1] = before + 1
			} else {
				common[j+1] = max(here, common[j])
			}
			before = here
		}
	}
	return max(len(a), len(b)) - common[len(b)]
}

func TestDifferent(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       int
		why        string
	}{
		{"nothing", "a b c", "a b c", 0, "they are the same"},
		{"a line", "a x c", "a b c", 1, "one is replaced"},
		{"one more", "a b x c", "a b c", 1, "one is added"},
		{"one less", "a c", "a b c", 1, "one is removed"},
		{"two places", "x b y", "a b c", 2, "each counts"},
		{"another order", "b a c", "a b c", 1, "one has moved"},
		{"twice", "a a", "a", 1, "a line stands for one other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, different(strings.Fields(c.a), strings.Fields(c.b)), c.why)
		})
	}
}

// TestNoRightFileIsAccused is what makes the lines that differ the fault.
func TestNoRightFileIsAccused(t *testing.T) {
	paths, err := filepath.Glob("sql/right*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		in, err := os.Open(path)
		require.NoError(t, err)
		f, err := sqlfile.Parse(in, path)
		require.NoError(t, err)
		require.NoError(t, in.Close())
		for _, p := range workload.Profiles() {
			t.Run(filepath.Base(path)+"/"+p.Name, func(t *testing.T) {
				for seed := range seeds(t, 2) {
					r := run(t, f.Opener(), stress.Config{
						Profile: p.Name, Seed: uint64(seed) + 1, Ops: 1500, Clients: 16,
					})
					assert.NotEqual(t, check.Violated, r.State(), "seed %d: %v", seed+1, r.Stories)
				}
			})
		}
	}
}
