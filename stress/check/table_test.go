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
	rounds = 7
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
		h := rightHistory(c.ops, c.clients, c.slots)
		took, bytes := measure(t, h, c.cores)
		double := "-"
		if c.ops <= 1_000_000 {
			more, _ := measure(t, rightHistory(2*c.ops, c.clients, c.slots), c.cores)
			double = fmt.Sprintf("x %.2f", more.Seconds()/took.Seconds())
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%.1f\t%.1f\t%.0f\t%s\t\n", c.ops, c.clients, c.slots,
			c.cores, float64(took.Microseconds())/1000, float64(c.ops)/took.Seconds()/1e6,
			float64(bytes)/float64(c.ops), double)
	}
	require.NoError(t, w.Flush())
}

// measure returns the median time that a history takes to be judged, and what that allocates.
func measure(t *testing.T, h *history.History, cores int) (time.Duration, uint64) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	var took []time.Duration
	var before, after runtime.MemStats
	for range rounds {
		runtime.GC()
		runtime.ReadMemStats(&before)
		began := time.Now()
		judgeAll(t, h)
		took = append(took, time.Since(began))
		runtime.ReadMemStats(&after)
	}
	slices.Sort(took)
	return took[rounds/2], after.TotalAlloc - before.TotalAlloc
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

func compare(t *testing.T, w *tabwriter.Writer, ops, clients int) {
	h := busyHistory(ops, clients)
	theirs := porcupineOps(h)
	ours, _ := measure(t, h, runtime.GOMAXPROCS(0))
	began := time.Now()
	says := porcupine.CheckOperationsTimeout(model, theirs, porcupineTime)
	took := time.Since(began)
	runtime.GC()
	fmt.Fprintf(w, "%d\t%d\t%.2f\t%.0f\t%.0f\t%s\t\n", ops, clients,
		float64(ours.Microseconds())/1000, float64(took.Microseconds())/1000,
		took.Seconds()/ours.Seconds(), says)
}
