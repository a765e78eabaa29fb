package mutant_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/mutant"
	"memrace/stress/workload"
)

const (
	matrixFile = "../../results/mutants.txt"
	remake     = "go test ./stress/mutant -run TestMatrix -update"
)

var update = flag.Bool("update", false,
	"write "+matrixFile+" from at least 20 seeds for each mutant")

// seeds returns how many seeds each test takes: those of MEMRACE_SEEDS, or few.
func seeds(t *testing.T, few int) int {
	t.Helper()
	text := os.Getenv("MEMRACE_SEEDS")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "MEMRACE_SEEDS")
	require.Positive(t, n, "MEMRACE_SEEDS")
	return n
}

// run takes a store through the front door and requires that the run itself went well.
func run(t *testing.T, open store.Opener, c stress.Config) *stress.Result {
	t.Helper()
	r, err := stress.Check(t.Context(), open, filepath.Join(t.TempDir(), "run"), c)
	require.NoError(t, err)
	require.Empty(t, r.Goroutines, "a store hangs")
	return r
}

// tally is what all properties said of one mutant over several seeds.
type tally struct {
	mutant.Mutant
	seeds int
	said  map[check.Property]int // in how many runs the property was violated
	first map[check.Property]int // in how many it was the first to be
}

func count(t *testing.T, m mutant.Mutant, seeds int) tally {
	t.Helper()
	c := tally{m, seeds, map[check.Property]int{}, map[check.Property]int{}}
	for seed := range seeds {
		r := run(t, m.Open, stress.Config{
			Store: "mutant/" + m.Name, Profile: m.Profile, Ops: m.Ops, Seed: uint64(seed) + 1,
		})
		earlier := false
		for _, v := range r.Verdicts {
			if v.State != check.Violated {
				continue
			}
			c.said[v.Property]++
			if !earlier {
				c.first[v.Property]++
			}
			earlier = true
		}
	}
	return c
}

// required is how many of the seeds have to be caught, which is at least one.
func (c tally) required() int { return max(1, c.seeds*c.Caught/c.Of) }

func TestMatrix(t *testing.T) {
	n := seeds(t, 3)
	if *update {
		n = max(n, 20)
	}
	var all []tally
	for _, m := range mutant.Mutants() {
		t.Run(m.Name, func(t *testing.T) {
			c := count(t, m, n)
			assert.GreaterOrEqual(t, c.said[m.CaughtBy], c.required(),
				"%s caught it in so few of %d runs; all properties: %v", m.CaughtBy, n, c.said)
			all = append(all, c)
		})
	}
	t.Run("each property is needed", func(t *testing.T) { eachIsNeeded(t, all) })
	t.Run("table", func(t *testing.T) { compareTable(t, all) })
}

// eachIsNeeded requires that each property is the first to catch some mutant in every run.
func eachIsNeeded(t *testing.T, all []tally) {
	if len(all) < len(mutant.Mutants()) {
		t.Skip("only some mutants were run")
	}
	for _, p := range check.Properties() {
		assert.True(t, slices.ContainsFunc(all, func(c tally) bool {
			return c.CaughtBy == p && c.first[p] == c.seeds
		}), "no mutant is caught by %s before all other properties", p)
	}
}

func compareTable(t *testing.T, all []tally) {
	if len(all) < len(mutant.Mutants()) {
		t.Skip("only some mutants were run")
	}
	if *update {
		require.NoError(t, os.WriteFile(matrixFile, matrix(t, all), 0o666))
	}
	kept, err := os.ReadFile(matrixFile)
	require.NoError(t, err, "make it with: %s", remake)
	want := promised(string(matrix(t, all)))
	if diff := gocmp.Diff(want, promised(string(kept))); diff != "" {
		t.Errorf("%s is not what the mutants say (-mutants +file):\n%s\nmake it anew with: %s",
			matrixFile, diff, remake)
	}
}

// measuredColumn is the first column of the table that differs from run to run.
const measuredColumn = 6

func matrix(t *testing.T, all []tally) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Stores that are wrong on purpose, and what catches them. Made by\n"+
		"#   %s\n"+
		"# required and measured: in how many of how many runs, each with its own seed, the\n"+
		"# property reported the mutant; also: what the other properties reported.\n\n", remake)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "mutant\tkind\tprofile\tops\tcaught-by\trequired\tmeasured\talso")
	for _, c := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%d/%d\t%d/%d\t%s\n", c.Name, c.Kind, c.Profile, c.Ops,
			c.CaughtBy, c.Caught, c.Of, c.said[c.CaughtBy], c.seeds, c.others())
	}
	require.NoError(t, w.Flush())
	return b.Bytes()
}

// others says how often the other properties were violated.
func (c tally) others() string {
	var said []string
	for _, p := range check.Properties() {
		if p != c.CaughtBy && c.said[p] > 0 {
			said = append(said, fmt.Sprintf("%s %d", p, c.said[p]))
		}
	}
	return cmp.Or(strings.Join(said, ", "), "-")
}

// promised returns the lines of a table without what was measured.
func promised(table string) []string {
	var lines []string
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		lines = append(lines, strings.Join(fields[:min(len(fields), measuredColumn)], " "))
	}
	return lines
}

// TestNoRightVariantIsAccused is the other half of the matrix.
func TestNoRightVariantIsAccused(t *testing.T) {
	for _, v := range sqlite.Variants() {
		for _, p := range workload.Profiles() {
			t.Run(v.Name+"/"+p.Name, func(t *testing.T) {
				for seed := range seeds(t, 2) {
					r := run(t, v.Opener(), stress.Config{
						Profile: p.Name, Seed: uint64(seed) + 1, Ops: rightOps(v), Clients: 16,
					})
					assert.NotEqual(t, check.Violated, r.State(), "seed %d: %v", seed+1, r.Stories)
				}
			})
		}
	}
}

// rightOps is how many operations a variant gets: few where each commit waits for the disk.
func rightOps(v sqlite.Variant) int {
	if v.Synchronous == "full" {
		return 150
	}
	return 1500
}
