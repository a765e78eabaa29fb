package stress_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/mutant"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, name string) store.Opener {
	t.Helper()
	if m, ok := mutant.Find(strings.TrimPrefix(name, "mutant/")); ok {
		return m.Open
	}
	v, err := sqlite.ParseVariant(name)
	require.NoError(t, err)
	return v.Opener()
}

func TestCheckFindsNothingInARightStore(t *testing.T) {
	dir := t.TempDir()
	r, err := stress.Check(t.Context(), open(t, "wal"), dir,
		stress.Config{Profile: "hot", Ops: 4000, Seed: 5})
	require.NoError(t, err)
	for _, v := range r.Verdicts {
		require.Equal(t, check.Holds, v.State, "%s: %s", v.Property, v.Reason)
	}
	require.Equal(t, check.Holds, r.State())
	require.Empty(t, r.Stories)
	require.Equal(t, "wal", r.Config.Store, "the store says its name")
	require.Equal(t, []string{"data"}, files(t, dir), "nobody looks into a green run")
}

func TestCheckTellsWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	r, err := stress.Check(t.Context(), open(t, "mutant/get-any-session"), dir,
		stress.Config{Store: "mutant/get-any-session", Ops: 2000, Seed: 1})
	require.NoError(t, err)
	require.Equal(t, check.Violated, r.State())
	require.Equal(t, check.Violated, r.Verdict(check.Isolation).State)
	require.NotEmpty(t, r.Stories)
	story := r.Stories[0]
	require.Equal(t, check.CrossSessionLeak, story.Anomaly)
	require.Len(t, story.Lines, 2, "the write and the read of the leak")
	require.Contains(t, story.String(), "|---", "it is drawn")

	want := []string{"data", "history.txt", "rows.txt", "story.txt", "verdicts.txt"}
	require.Empty(t, cmp.Diff(want, files(t, dir)))
	text, err := os.ReadFile(filepath.Join(dir, stress.StoryFile))
	require.NoError(t, err)
	require.Contains(t, string(text), "repeat:  memrace stress --store mutant/get-any-session")
	require.Contains(t, string(text), "--seed 1 ")
}

// What a run left is judged again with the same verdicts, from its files alone.
func TestLoadAndJudgeAgree(t *testing.T) {
	for _, name := range []string{"memory", "mutant/get-any-session", "mutant/append-rows",
		"mutant/batch-lost-at-close"} {
		dir := t.TempDir()
		r, err := stress.Check(t.Context(), open(t, name), dir,
			stress.Config{Profile: "uniform", Ops: 3000, Seed: 2, Keep: true})
		require.NoError(t, err)
		evidence, err := stress.Load(dir)
		require.NoError(t, err)
		again, stories := stress.Judge(t.Context(), evidence)
		// A file numbers slots as they come; sentences and lines name them.
		number := cmpopts.IgnoreFields(check.Violation{}, "Slot")
		require.Empty(t, cmp.Diff(r.Verdicts, again, number), name)
		require.Empty(t, cmp.Diff(told(r.Stories), told(stories)), name)
	}
}

func told(stories []stress.Story) (texts []string) {
	for _, s := range stories {
		texts = append(texts, s.String())
	}
	return texts
}

func TestTheSameSeedGivesTheSameSteps(t *testing.T) {
	steps := func(seed uint64) map[string]int {
		r, err := stress.Check(t.Context(), open(t, "memory"), t.TempDir(),
			stress.Config{Ops: 800, Seed: seed, Profile: "churn"})
		require.NoError(t, err)
		set := map[string]int{}
		h := r.Evidence.History
		for i := range h.Ops {
			fields := strings.Fields(h.Line(i))
			if fields[3] == "get" {
				fields[6] = "" // what was found is the store's business
			}
			set[strings.Join(fields[2:7], " ")]++
		}
		return set
	}
	require.Empty(t, cmp.Diff(steps(11), steps(11)))
	require.NotEmpty(t, cmp.Diff(steps(11), steps(12)))
}

func TestCheckRefuses(t *testing.T) {
	used := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(used, "data"), 0o777))
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	for _, c := range []struct {
		name, dir string
		config    stress.Config
		want      string
	}{
		{name: "negative time", config: stress.Config{For: -1}, want: "for is -1ns"},
		{name: "negative operations", config: stress.Config{Ops: -1}, want: "ops is -1"},
		{name: "no such profile", config: stress.Config{Profile: "all"}, want: `"all"`},
		{name: "too many clients", config: stress.Config{Clients: 1 << 20}, want: "clients"},
		{name: "directory of an earlier run", dir: used, want: "holds an earlier run"},
		{name: "directory below a file", dir: filepath.Join(file, "x"), want: file},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.dir == "" {
				c.dir = t.TempDir()
			}
			r, err := stress.Check(t.Context(), open(t, "memory"), c.dir, c.config)
			require.Nil(t, r)
			require.ErrorIs(t, err, stress.ErrUsage)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestInterruptedRunIsJudged(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	opener := func(ctx context.Context, dir string) (store.Store, error) {
		s, err := open(t, "memory")(ctx, dir)
		return &cancels{Store: s, after: 500, cancel: cancel}, err
	}
	r, err := stress.Check(ctx, opener, t.TempDir(),
		stress.Config{Profile: "hot", Clients: 1, For: time.Hour, Volatile: true})
	require.NoError(t, err)
	require.True(t, r.Interrupted)
	require.Equal(t, check.Undecided, r.State(), "a run that was not finished is not green")
	require.Equal(t, check.Holds, r.Verdict(check.Linearizability).State)
	require.GreaterOrEqual(t, len(r.Evidence.History.Ops), 500)
}

// cancels is a store of one client, in the middle of whose run the run is interrupted.
type cancels struct {
	store.Store
	after  int
	cancel func()
}

func (c *cancels) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	if c.after--; c.after == 0 {
		c.cancel()
	}
	return c.Store.Upsert(ctx, session, key, value)
}

func (c *cancels) Get(ctx context.Context, session, key string) (string, bool, error) {
	if c.after--; c.after == 0 {
		c.cancel()
	}
	return c.Store.Get(ctx, session, key)
}

func (c *cancels) Delete(ctx context.Context, session, key string) error {
	if c.after--; c.after == 0 {
		c.cancel()
	}
	return c.Store.Delete(ctx, session, key)
}

func TestFromEnvironment(t *testing.T) {
	t.Setenv("MEMRACE_SEED", "12")
	t.Setenv("MEMRACE_PROFILE", "hot")
	t.Setenv("MEMRACE_CLIENTS", "3")
	t.Setenv("MEMRACE_OPS", "99")
	t.Setenv("MEMRACE_FOR", "2s")
	got, err := stress.FromEnvironment(stress.Config{Store: "x", Seed: 1, Keys: 5})
	require.NoError(t, err)
	want := stress.Config{Store: "x", Keys: 5, Seed: 12, Profile: "hot", Clients: 3, Ops: 99,
		For: 2 * time.Second}
	require.Empty(t, cmp.Diff(want, got))

	t.Setenv("MEMRACE_OPS", "many")
	_, err = stress.FromEnvironment(stress.Config{})
	require.ErrorContains(t, err, `MEMRACE_OPS="many"`)
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

var errBroken = errors.New("the disk is on fire")
