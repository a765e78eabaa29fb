package verbs

import (
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"memrace/bench"
	"memrace/stress/fault"
)

// writeBench shows a table for each mix and rate, and below it what its cells cannot say.
func writeBench(out io.Writer, turns []*bench.Turn, disk bench.Disk, rounds int) {
	cells := bench.Cells(turns)
	for len(cells) > 0 {
		first, n := cells[0].Load, 1
		for n < len(cells) && cells[n].Load.Mix == first.Mix && cells[n].Load.Rate == first.Rate {
			n++
		}
		fmt.Fprintf(out, "%s\n%s\n\n", loop(first), benchTable(cells[:n]))
		for _, c := range cells[:n] {
			writeCellNotes(out, c)
		}
		cells = cells[n:]
	}
	fs := disk.FS
	if fs == "" {
		fs = "file system not known"
	}
	fmt.Fprintf(out, "%d rounds of %v; %s, fsync %s\n", rounds, turns[0].For, fs,
		latencyCell(disk.Fsync))
	if !disk.Durable() {
		fmt.Fprintln(out, "not durable: a flush takes next to no time here; --dir names a "+
			"directory on a disk")
	}
	if !bench.NewEstimate(make([]float64, rounds)).Interval() {
		fmt.Fprintf(out, "%d of the 6 rounds that an interval needs: no interval is possible\n",
			rounds)
	}
}

// writeFaults says what was done to the stores meanwhile, and whether it was done at all.
func writeFaults(out io.Writer, turns []*bench.Turn, f fault.Faults) {
	if f.None() {
		return
	}
	struck := 0
	for _, t := range turns {
		struck += t.Struck
	}
	fmt.Fprintf(out, "faults: %v; they struck %d times in %d turns\n", f, struck, len(turns))
}

// loop says what the latencies of a table are.
func loop(l bench.Load) string {
	if l.Rate == 0 {
		return fmt.Sprintf("%s, closed loop: latency is service time", l.Mix)
	}
	return fmt.Sprintf("%s, %d due in a second: latency counts from when an operation was due",
		l.Mix, l.Rate)
}

var numbers = []string{"clients", "ops/s", "±", "x", "p50", "p90", "p99", "p99.9", "max", "errors",
	"fewest/most", "cpu/op", "allocs/op", "fsyncs/op", "written/op", "wal"}

func benchTable(cells []*bench.Cell) string {
	t := newTable(table.Row{"clients", "store", "sync", "operation", "ops/s", "±", "x", "p50",
		"p90", "p99", "p99.9", "max", "errors", "fewest/most", "cpu/op", "allocs/op", "fsyncs/op",
		"written/op", "wal"}, numbers...)
	var anchor float64
	for i, c := range cells {
		speed := c.Estimate((*bench.Turn).PerSecond)
		if i == 0 || c.Load.Clients != cells[i-1].Load.Clients {
			anchor = speed.Median
		}
		t.AppendRow(allRow(c, speed, anchor))
		kinds := c.Kinds()
		for j, k := range kinds {
			if len(kinds) > 1 {
				t.AppendRow(kindRow(c, j, k))
			}
		}
	}
	return t.Render()
}

// allRow is the line of all operations of a store. Its speed is the median of the rounds; its
// latencies are those of all rounds together, which has more of them to tell by.
func allRow(c *bench.Cell, speed bench.Estimate, anchor float64) table.Row {
	all := c.All()
	name := "all"
	if len(c.Turns[0].Kinds) == 1 {
		name = c.Turns[0].Kinds[0].Act.String()
	}
	if all.Failed() > 0 {
		anchor = 0 // a store with errors is not ranked
	}
	row := table.Row{c.Load.Clients, called(c.Subject), c.Subject.Sync, name,
		perSecond(speed.Median), speed.Spread(), ratio(speed.Median, anchor)}
	row = append(row, latencyCells(all)...)
	each := func(number func(*bench.Turn) float64) float64 {
		return c.Estimate(func(t *bench.Turn) float64 {
			return number(t) / float64(max(1, t.All().Done))
		}).Median
	}
	fair := c.Estimate(func(t *bench.Turn) float64 {
		return float64(t.Fewest) / float64(max(1, t.Most))
	})
	log := c.Estimate(func(t *bench.Turn) float64 { return float64(t.WAL) })
	return append(row, all.Failed(), fmt.Sprintf("%.2f", fair.Median),
		latencyCell(time.Duration(each(func(t *bench.Turn) float64 { return float64(t.CPU) }))),
		known("%.1f", each(func(t *bench.Turn) float64 { return float64(t.Objects) })),
		known("%.2g", each(func(t *bench.Turn) float64 { return float64(t.Fsyncs) })),
		known("%.0fB", each(func(t *bench.Turn) float64 { return float64(t.Written) })),
		known("%.3gMB", log.Median/1e6))
}

// kindRow is the line of the operations of one kind.
func kindRow(c *bench.Cell, j int, k *bench.Kind) table.Row {
	speed := c.Estimate(func(t *bench.Turn) float64 {
		return float64(t.Kinds[j].Done) / t.For.Seconds()
	})
	row := table.Row{"", "", "", k.Act.String(), perSecond(speed.Median), speed.Spread(), ""}
	return append(append(row, latencyCells(k)...), k.Failed(), "", "", "", "", "", "")
}

func latencyCells(k *bench.Kind) (cells []any) {
	for _, p := range bench.Percentiles() {
		cells = append(cells, latencyCell(k.Latency(p)))
	}
	return cells
}

// ratio is a speed beside that of the first store.
func ratio(speed, anchor float64) string {
	if anchor <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.3g", speed/anchor)
}

// known is a number, or a dash for one that nobody knows.
func known(format string, n float64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf(format, n)
}

// writeCellNotes says what went wrong in a cell: operations that failed, and a rate that the store
// could not keep up with.
func writeCellNotes(out io.Writer, c *bench.Cell) {
	who := fmt.Sprintf("%s, %d clients", c.Subject.Store, c.Load.Clients)
	if c.Subject.Sync != "" {
		who = fmt.Sprintf("%s, %s, %d clients", c.Subject.Store, c.Subject.Sync, c.Load.Clients)
	}
	if all := c.All(); all.Failed() > 0 {
		fmt.Fprintf(out, "%s: errors: %s\n", who, counts(all.Errors))
	}
	if late := c.Estimate(lateness); late.Median > 0 {
		fmt.Fprintf(out, "%s: the measurement itself was late by up to %s (99th percentile)\n", who,
			latencyCell(time.Duration(late.Median)))
	}
	if t := c.Outrun(); t != nil {
		speed := c.Estimate((*bench.Turn).PerSecond)
		fmt.Fprintf(out, "%s: a rate of %d/s was not reached: %s/s were, and the queue grew to %d "+
			"operations in %v; such latencies grow with the time of a turn\n", who, c.Load.Rate,
			perSecond(speed.Median), t.Queue.End, t.For)
	}
}

func lateness(t *bench.Turn) float64 {
	if t.Queue == nil {
		return 0
	}
	return float64(t.Queue.Late)
}
