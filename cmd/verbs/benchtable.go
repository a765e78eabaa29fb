package verbs

import (
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"memrace/bench"
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
		writeUsedUp(out, cells[0])
		for _, c := range cells[:n] {
			writeCellNotes(out, c)
		}
		cells = cells[n:]
	}
	fs := disk.FS
	if fs == "" {
		fs = "file system not known"
	}
	fmt.Fprintf(out, "%s of %v; %s, fsync %s\n", plural(rounds, "round"), turns[0].For, fs,
		latencyCell(disk.Fsync))
	if turns[0].For < bench.Countable {
		fmt.Fprintf(out, "--for %v: in a turn that short it is not counted what an operation "+
			"costs; that takes %v\n", turns[0].For, bench.Countable)
	}
	if !disk.Durable() {
		fmt.Fprintln(out, "not durable: a flush takes next to no time here; --dir names a "+
			"directory on a disk")
	}
	if !bench.NewEstimate(make([]float64, rounds)).Interval() {
		fmt.Fprintf(out, "%d of the 6 rounds that an interval needs: no interval is possible\n",
			rounds)
	}
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
			if c.All().Failed() > 0 {
				anchor = 0 // nor is any beside it
			}
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
	fair := c.Estimate(func(t *bench.Turn) float64 {
		return float64(t.Fewest) / float64(max(1, t.Most))
	})
	log := c.Estimate(func(t *bench.Turn) float64 { return float64(t.WAL) })
	return append(row, all.Failed(), fmt.Sprintf("%.2f", fair.Median),
		latencyCell(time.Duration(c.PerOp(func(t *bench.Turn) float64 { return float64(t.CPU) }))),
		known("%.1f", c.PerOp(func(t *bench.Turn) float64 { return float64(t.Objects) })),
		known("%.2g", c.PerOp(func(t *bench.Turn) float64 { return float64(t.Fsyncs) })),
		known("%.0fB", c.PerOp(func(t *bench.Turn) float64 { return float64(t.Written) })),
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
