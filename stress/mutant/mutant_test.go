package mutant_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"memrace/store"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/mutant"
	"memrace/stress/workload"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMutantsAreDescribedInFull(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	kind := regexp.MustCompile(`^(K\d\d|-)$`)
	var profiles []string
	for _, p := range workload.Profiles() {
		profiles = append(profiles, p.Name)
	}
	seen := map[string]bool{}
	for _, m := range mutant.Mutants() {
		t.Run(m.Name, func(t *testing.T) {
			assert.Regexp(t, name, m.Name)
			assert.False(t, seen[m.Name], "another mutant has the same name")
			seen[m.Name] = true
			assert.Regexp(t, kind, m.Kind)
			assert.NotEmpty(t, m.Fault)
			assert.NotEmpty(t, m.Remedy)
			assert.Contains(t, check.Properties(), m.CaughtBy)
			assert.Contains(t, profiles, m.Profile)
			assert.Positive(t, m.Ops)
			assert.GreaterOrEqual(t, m.Of, 20, "a rate over so few seeds says little")
			assert.LessOrEqual(t, m.Caught, m.Of)
			assert.Greater(t, 2*m.Caught, m.Of,
				"a mutant that is mostly missed needs more operations")
			assert.NotNil(t, m.Open)
		})
	}
	assert.GreaterOrEqual(t, len(seen), 14)
}

func TestFind(t *testing.T) {
	for _, want := range mutant.Mutants() {
		got, ok := mutant.Find(want.Name)
		require.True(t, ok)
		assert.Equal(t, want.Fault, got.Fault)
	}
	_, ok := mutant.Find("mutant/upsert-any-session")
	assert.False(t, ok, "the prefix is the caller's")
}

// TestOneClientIsServedWell shows that a mutant whose fault needs several clients is a store that
// one could take for right.
func TestOneClientIsServedWell(t *testing.T) {
	for _, m := range mutant.Mutants() {
		if !m.Sequential {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			for _, profile := range []string{"uniform", "churn", m.Profile} {
				r := run(t, m.Open, stress.Config{
					Profile: profile, Clients: 1, Ops: 200, Seed: 1,
				})
				assert.NotEqual(t, check.Violated, r.State(), "profile %s: %v", profile, r.Stories)
			}
		})
	}
}

func TestCloseLeavesNothingBehind(t *testing.T) {
	const descriptors = "/proc/self/fd"
	if _, err := os.Stat(descriptors); err != nil {
		t.Skipf("open files cannot be listed here: %v", err)
	}
	for _, m := range mutant.Mutants() {
		t.Run(m.Name, func(t *testing.T) {
			leaks, dir := goleak.IgnoreCurrent(), t.TempDir()
			s, err := m.Open(t.Context(), dir)
			require.NoError(t, err)
			use(t, s)
			require.NoError(t, s.Close())
			goleak.VerifyNone(t, leaks)
			assert.Empty(t, openFiles(t, descriptors, dir))
		})
	}
}

func TestCloseWithoutUse(t *testing.T) {
	for _, m := range mutant.Mutants() {
		t.Run(m.Name, func(t *testing.T) {
			s, err := m.Open(t.Context(), t.TempDir())
			require.NoError(t, err)
			assert.NoError(t, s.Close())
		})
	}
}

// use calls each method; what a mutant makes of it is not the question.
func use(t *testing.T, s store.Store) {
	t.Helper()
	ctx := t.Context()
	_, _ = s.Upsert(ctx, "s", "k", "v")
	_, _, _ = s.Get(ctx, "s", "k")
	_ = s.Delete(ctx, "s", "nothing")
	_ = s.Delete(ctx, "s", "k")
	_, _ = s.Upsert(ctx, "s", "k", "w")
	if u, ok := s.(store.Updater); ok {
		_, _, _ = u.Update(ctx, "s", "k", func(string, bool) string { return "x" })
	}
	if taker, ok := s.(store.Taker); ok {
		_, _, _ = taker.Take(ctx, "s", "k")
	}
	if l, ok := s.(store.Lister); ok {
		_, _ = l.List(ctx, "s")
	}
	if a, ok := s.(store.Appender); ok {
		_ = a.Append(ctx, "s", "v")
		_, _ = a.Items(ctx, "s")
	}
	if c, ok := s.(store.Clearer); ok {
		_ = c.Clear(ctx, "s")
	}
	if d, ok := s.(store.Dumper); ok {
		_, _ = d.Dump(ctx)
	}
}

// openFiles returns the files in dir that this process has open.
func openFiles(t *testing.T, descriptors, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(descriptors)
	require.NoError(t, err)
	var files []string
	for _, e := range entries {
		// A descriptor may be gone by now, as that of the listing itself.
		to, err := os.Readlink(filepath.Join(descriptors, e.Name()))
		if err == nil && strings.HasPrefix(to, dir) {
			files = append(files, to)
		}
	}
	return files
}
