package check_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"memrace/stress/history"
)

const tableFile = "../../results/checker.txt"

var update = flag.Bool("update", false, "measure the check and write "+tableFile)

const (
	// rounds is how often each history is judged; the median counts.
	rounds = 11
	// porcupineTime is how long porcupine may take for a history.
	porcupineTime = 10 * time.Second
)

// TestTable writes results/checker.txt: how fast the check is, what it takes of memory, and how it
// compares with porcupine on the same histories.
func TestTable(t *testing.T) {
	if !*update {
		t.Skip("measures only with -update, as make checker does")
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# How fast histories are judged. Made by\n#   make checker\n"+
		"# on %s/%s with %s. Medians of %d rounds.\n\n", runtime.GOOS, runtime.GOARCH,
		runtime.Version(), rounds)
	writeSpeeds(t, &b)
	b.WriteString("\n# The same histories judged by porcupine " + porcupineVersion +
		", linearizability alone, which may take " + porcupineTime.String() + ":\n# one slot, " +
		"half reads, 15% deletes, each client always in a call.\n\n")
	writeComparison(t, &b)
	require.NoError(t, os.WriteFile(tableFile+".part", b.Bytes(), 0o666))
	require.NoError(t, os.Rename(tableFile+".part", tableFile))
	t.Logf("\n%s", b.String())
}

const porcupineVersion = "v1.3.1"

func writeSpeeds(t *testing.T, b *bytes.Buffer) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "operations\tclients\tslots\tcores\tms\tmillion/s\tbytes/operation\t"+
		"time for twice as many\t")
	for _, c := range []struct{ ops, clients, slots, cores int }{
		{100_000, 64, 1, 1}, {1_000_000, 64, 1, 1}, {1_000_000, 64, 1000, 1},
		{10_000_000, 64, 1000, 2},
	} {
		histories := []*history.History{rightHistory(c.ops, c.clients, c.slots)}
		if c.ops <= 1_000_000 {
			histories = append(histories, rightHistory(2*c.ops, c.clients, c.slots))
		}
		times, bytes := measure(t, c.cores, histories...)
		took, double := times[0], "-"
		if len(times) > 1 {
			double = fmt.Sprintf("x %.2f", times[1].Seconds()/took.Seconds())
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%.1f\t%.1f\t%.0f\t%s\t\n", c.ops, c.clients, c.slots,
			c.cores, float64(took.Microseconds())/1000, float64(c.ops)/took.Seconds()/1e6,
			float64(bytes)/float64(c.ops), double)
	}
	require.NoError(t, w.Flush())
}

// measure returns the median times that histories take to be judged, one after the other in each
// round, and what the first of them allocates.
func measure(t *testing.T, cores int, histories ...*history.History) ([]time.Duration, uint64) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	took := make([][]time.Duration, len(histories))
	var before, after runtime.MemStats
	var allocated uint64
	for range rounds {
		for i, h := range histories {
			runtime.GC()
			runtime.ReadMemStats(&before)
			began := time.Now()
			judgeAll(t, h)
			took[i] = append(took[i], time.Since(began))
			if runtime.ReadMemStats(&after); i == 0 {
				allocated = after.TotalAlloc - before.TotalAlloc
			}
		}
	}
	medians := make([]time.Duration, len(histories))
	for i := range took {
		slices.Sort(took[i])
		medians[i] = took[i][rounds/2]
	}
	return medians, allocated
}

func writeComparison(t *testing.T, b *bytes.Buffer) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "operations\tclients\tmemrace ms\tporcupine ms\tratio\tporcupine says\t")
	for _, clients := range []int{4, 8, 16} {
		for _, ops := range []int{1000, 10_000, 100_000} {
			compare(t, w, ops, clients)
		}
	}
	require.NoError(t, w.Flush())
}

// porcupineOn returns the median time that porcupine takes; one time, if that is long.
func porcupineOn(ops []porcupine.Operation) (time.Duration, porcupine.CheckResult) {
	var took []time.Duration
	for {
		runtime.GC()
		began := time.Now()
		says := porcupine.CheckOperationsTimeout(model, ops, porcupineTime)
		took = append(took, time.Since(began))
		if len(took) == rounds || took[0] > time.Second {
			slices.Sort(took)
			return took[len(took)/2], says
		}
	}
}

func compare(t *testing.T, w *tabwriter.Writer, ops, clients int) {
	h := busyHistory(ops, clients)
	theirs := porcupineOps(h)
	times, _ := measure(t, runtime.GOMAXPROCS(0), h)
	ours := times[0]
	took, says := porcupineOn(theirs)
	fmt.Fprintf(w, "%d\t%d\t%.2f\t%.0f\t%.0f\t%s\t\n", ops, clients,
		float64(ours.Microseconds())/1000, float64(took.Microseconds())/1000,
		took.Seconds()/ours.Seconds(), says)
}
