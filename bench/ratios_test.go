package bench_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/store/disk"
)

const ratiosFile = "../results/ratios.txt"

var ratioRounds = flag.Int("ratios", 0, "measure the ratios in so many rounds, write "+ratiosFile+
	", and fail for each that is below its floor")

// leastRounds is how many rounds are kept; fewer are a quick look.
const leastRounds = 10

// laboratory is where the ratios are measured.
type laboratory struct {
	*testing.T
	rounds int
	dir    string // on a disk
	disk   bench.Disk
	// table is a line for each ratio, speeds one for each store and load.
	table, speeds *tabwriter.Writer
	// errors is how many calls to right stores have failed so far.
	errors int
}

// TestRatios writes results/ratios.txt: what is wanted of the stores and of the measurement itself,
// and what was measured.
func TestRatios(t *testing.T) {
	if *ratioRounds == 0 {
		t.Skip("measures only with -ratios, as make ratios does")
	}
	var rows, speeds bytes.Buffer
	l := &laboratory{T: t, rounds: *ratioRounds, table: columns(&rows), speeds: columns(&speeds)}
	l.makeDir()
	fmt.Fprintln(l.table, "ratio\tgoal\tfloor\tmeasured\tinterval\tn\tverdict")
	fmt.Fprintln(l.speeds, "load\tstore\tops/s\t±\tp50 ms\tp99 ms\tfewest/most\terrors")
	for _, e := range experiments(t) {
		l.conduct(e)
	}
	for _, r := range recorderRows(l) {
		l.judge(r, r.of(nil))
	}
	l.count()
	l.judge(row{Ratio: less("errors of the right variants, all calls", 0, 0)},
		bench.NewEstimate([]float64{float64(l.errors)}))
	require.NoError(t, l.table.Flush())
	require.NoError(t, l.speeds.Flush())
	text := l.header() + rows.String() + "\nWhat they are made of: medians of the rounds.\n\n" +
		speeds.String()
	t.Logf("\n%s", text)
	if l.rounds < leastRounds {
		t.Logf("%s stays as it is: it is written from %d rounds on", ratiosFile, leastRounds)
		return
	}
	require.NoError(t, os.WriteFile(ratiosFile+".part", []byte(text), 0o666))
	require.NoError(t, os.Rename(ratiosFile+".part", ratiosFile))
}

func columns(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// makeDir makes a directory beside the results, where a disk is more likely than elsewhere.
func (l *laboratory) makeDir() {
	require.NoError(l, os.MkdirAll("../results/runs", 0o777))
	dir, err := os.MkdirTemp("../results/runs", "ratios-")
	require.NoError(l, err)
	l.Cleanup(func() { require.NoError(l, os.RemoveAll(dir)) })
	l.dir, err = filepath.Abs(dir)
	require.NoError(l, err)
	l.disk, err = bench.MeasureDisk(dir)
	require.NoError(l, err)
}

func (l *laboratory) header() string {
	var text bytes.Buffer
	fmt.Fprintf(&text, "# What is to be reached, and whether it is. Made by\n#   make ratios\n"+
		"# Each ratio is the median of those of %d rounds, in each of which both sides had their\n"+
		"# turn; the interval has the true median in it in 95 of 100 cases.\n", l.rounds)
	wal := []bench.Subject{variant(l.T, "wal", "wal")}
	about, err := bench.Describe(l.Context(), l.dir, wal, []bench.Load{loadOf(1, upsertOnly)})
	require.NoError(l, err)
	for _, s := range bench.Header(wal, about, l.disk, l.config(experiment{})) {
		switch s.Name {
		case "machine", "go", "commit", "fs", "fsync-p50-ns", "sqlite-version":
			fmt.Fprintf(&text, "%s: %s\n", s.Name, s.Value)
		}
	}
	text.WriteByte('\n')
	return text.String()
}

func (l *laboratory) config(e experiment) bench.Config {
	return bench.Config{Rounds: l.rounds, For: e.lasts, WarmUp: e.lasts / 10, Sessions: 16, Keys: 8,
		ValueSize: 128, Seed: 1}
}

// conduct makes the turns of an experiment and judges its rows. It says so where it cannot.
func (l *laboratory) conduct(e experiment) {
	if e.flushes && !l.disk.Durable() {
		l.skip(e, fmt.Sprintf("a flush takes %v here, which is no disk", l.disk.Fsync))
		return
	}
	turns, err := bench.Run(l.Context(), l.dir, e.subjects, []bench.Load{e.load}, l.config(e), nil)
	require.NoError(l, err, e.name)
	rounds := bench.Rounds(turns)
	for _, r := range e.rows {
		l.judge(r, r.of(rounds))
	}
	for _, c := range bench.Cells(turns) {
		l.describe(e.name, c)
		if c.Subject.Store != reader {
			l.errors += c.All().Failed()
		}
	}
}

// count conducts what needs a layer that counts, which remains for the rest of the process.
func (l *laboratory) count() {
	if err := disk.CountAll(); err != nil {
		l.skip(counted(l.T), err.Error())
		return
	}
	l.conduct(counted(l.T))
}

// describe adds the line of a store.
func (l *laboratory) describe(load string, c *bench.Cell) {
	speed := c.Estimate(perSecond)
	all := c.All()
	fair := "-"
	if c.Turns[0].Most > 0 {
		fair = fmt.Sprintf("%.2f", c.Estimate(fairness).Median)
	}
	fmt.Fprintf(l.speeds, "%s\t%s\t%.0f\t%s\t%s\t%s\t%s\t%d\n", load, c.Subject.Store, speed.Median,
		speed.Spread(), milliseconds(all.Latency(50)), milliseconds(all.Latency(99)), fair,
		all.Failed())
}

func milliseconds(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(d)/float64(time.Millisecond))
}

// judge adds the line of a row. What is below its floor fails the test, but for an absolute time.
func (l *laboratory) judge(r row, e bench.Estimate) {
	verdict := r.Judge(e)
	if verdict == bench.Below && !r.absolute {
		l.Errorf("%s: %.3g, and the floor is %v", r.Name, e.Median, r.Floor)
	}
	interval := "-"
	if e.Interval() {
		interval = fmt.Sprintf("%.3g to %.3g", e.Low, e.High)
	}
	fmt.Fprintf(l.table, "%s\t%v\t%v\t%.3g\t%s\t%d\t%s\n", r.Name, r.Goal, r.Floor, e.Median,
		interval, e.N, verdict)
}

func (l *laboratory) skip(e experiment, why string) {
	for _, r := range e.rows {
		fmt.Fprintf(l.table, "%s\t%v\t%v\t-\t-\t-\tskipped: %s\n", r.Name, r.Goal, r.Floor, why)
	}
}
