package stress

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memrace/store"
	"memrace/stress/check"
)

// Run runs one workload on a store inside a Go test, with a subtest for each property:
//
//	func TestMyStore(t *testing.T) {
//		stress.Run(t, openMyStore, stress.Config{})
//	}
//
// A property that is violated or undecided fails its subtest; one that was skipped, for instance
// because the store cannot list its rows, skips it. Where the store lacks a method that the
// workload needs, the whole test is skipped. The failure has the story, the file of the history and
// the command that repeats the run; the files are kept in the test's artifacts if go test runs with
// -artifacts, else among the temporary files. With -short a run that has no limit of its own is a
// quarter as long. The variables of FromEnvironment override c.
//
// There are no false alarms: what is reported as violated did happen. A fault may be missed in
// any one run, so run it often, with different seeds and with -race.
func Run(t *testing.T, open store.Opener, c Config) {
	t.Helper()
	c, err := forTest(t, c)
	if err != nil {
		t.Fatal(err)
	}
	dir := runDirForTest(t)
	r, err := Check(t.Context(), open, dir, c)
	if r == nil {
		// What is empty tells nothing.
		_, _ = os.Remove(filepath.Join(dir, dataDir)), os.Remove(dir)
		t.Fatal(err)
	}
	t.Cleanup(func() { r.afterTest(t) })
	if r.Skipped != "" {
		t.Skip(r.Skipped)
	}
	t.Log(r.headline())
	for _, class := range slices.Sorted(maps.Keys(r.FirstErrors)) {
		t.Logf("the first error of class %s: %s", class, r.FirstErrors[class])
	}
	if err != nil {
		t.Errorf("%v\n%s", err, r.footer())
	}
	for _, v := range r.Verdicts {
		t.Run(string(v.Property), func(t *testing.T) { r.report(t, v) })
	}
}

// forTest fills in a configuration from the environment, -short and the name of the test.
func forTest(t *testing.T, c Config) (Config, error) {
	c, err := FromEnvironment(c)
	if err != nil {
		return c, err
	}
	if testing.Short() && c.Ops == 0 && c.For == 0 {
		c.For = defaultFor / 4
	}
	if c, err = c.WithDefaults(); err != nil {
		return c, err
	}
	if c.Repeat == "" {
		c.Repeat = repeatInTest(t.Name(), c)
	}
	return c, nil
}

// repeatInTest is the command that runs the test again with the same seed.
func repeatInTest(test string, c Config) string {
	var b strings.Builder
	fmt.Fprintf(&b, "MEMRACE_SEED=%d MEMRACE_PROFILE=%s MEMRACE_CLIENTS=%d ",
		c.Seed, c.Profile, c.Clients)
	if c.Ops > 0 {
		fmt.Fprintf(&b, "MEMRACE_OPS=%d ", c.Ops)
	}
	if c.For > 0 {
		fmt.Fprintf(&b, "MEMRACE_FOR=%s ", c.For)
	}
	name := "^" + strings.Join(strings.Split(test, "/"), "$/^") + "$"
	b.WriteString("go test")
	if dir, err := os.Getwd(); err == nil {
		fmt.Fprintf(&b, " -C %s", ShellWord(dir))
	}
	if raceDetector {
		b.WriteString(" -race")
	}
	fmt.Fprintf(&b, " -count=1 -run %s .", ShellWord(name))
	return b.String()
}

// afterTest sees to it that a test which failed for another reason than a verdict, such as a data
// race, has the evidence and the command as well.
func (r *Result) afterTest(t *testing.T) {
	if !t.Failed() || r.State() != check.Holds {
		return
	}
	r.Config.Keep = true
	if err := r.save(); err != nil {
		t.Error(err)
	}
	t.Log("failed, although every property holds\n" + r.footer())
}

// runDirForTest makes a directory that outlives the test if the test fails.
func runDirForTest(t *testing.T) string {
	t.Helper()
	if f := flag.Lookup("test.artifacts"); f != nil && f.Value.String() == "true" {
		return t.ArtifactDir()
	}
	dir, err := os.MkdirTemp("", "memrace-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			return
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func (r *Result) headline() string {
	ops := 0
	for i, op := range r.Evidence.History.Ops {
		if op.Client.Numbered() && !r.Evidence.History.Continues(i) {
			ops++
		}
	}
	return fmt.Sprintf("%s, profile %s, seed %d: %d operations by %d clients in %v",
		r.Config.Store, r.Config.Profile, r.Config.Seed, ops,
		r.Config.Clients, r.Elapsed.Round(time.Millisecond))
}

func (r *Result) report(t *testing.T, v check.Verdict) {
	t.Helper()
	for _, note := range v.Notes {
		t.Log(note)
	}
	switch v.State {
	case check.Skipped:
		t.Skip(v.Reason)
	case check.Undecided:
		t.Errorf("undecided: %s\n%s", v.Reason, r.footer())
	case check.Violated:
		t.Errorf("%s\n%s", r.story(v.Property), r.footer())
	}
}

func (r *Result) story(p check.Property) string {
	var b strings.Builder
	for _, s := range r.Stories {
		if s.Property == p {
			b.WriteString(s.String())
		}
	}
	return b.String()
}
