package verbs

import (
	"fmt"
	"io"
	"time"

	"memrace/bench"
	"memrace/stress/fault"
)

// writeUsedUp says so where a mix takes away and nothing puts back.
func writeUsedUp(out io.Writer, c *bench.Cell) {
	mix := c.Load.Mix
	if mix.Upsert+mix.Update == 0 && mix.Delete+mix.Take+mix.Clear > 0 {
		fmt.Fprintf(out, "%s writes nothing: once every key has had its turn, as in the warm-up, "+
			"there is nothing left to take away\n", mix)
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
	fmt.Fprintf(out, "faults: %v; they struck %s in %s\n", f, plural(struck, "time"),
		plural(len(turns), "turn"))
}

// who names a cell.
func who(c *bench.Cell) string {
	name := called(c.Subject)
	if c.Subject.Sync != "" {
		name += ", " + c.Subject.Sync
	}
	return name + ", " + plural(c.Load.Clients, "client")
}

// plural is a number of things.
func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// writeCellNotes says what went wrong in a cell: operations that failed, and a rate that the store
// could not keep up with.
func writeCellNotes(out io.Writer, c *bench.Cell) {
	who := who(c)
	if all := c.All(); all.Failed() > 0 {
		fmt.Fprintf(out, "%s: errors: %s\n", who, counts(all.Errors))
	}
	if late := c.Estimate(lateness); late.Median > 0 {
		fmt.Fprintf(out, "%s: the measurement itself was late by up to %s (99th percentile)\n", who,
			latencyCell(time.Duration(late.Median)))
	}
	if t := c.Outrun(); t != nil {
		writeOutrun(out, who, c, t)
	}
}

// writeOutrun says what became of the operations of a turn in which a rate was not reached.
func writeOutrun(out io.Writer, who string, c *bench.Cell, t *bench.Turn) {
	speed := c.Estimate((*bench.Turn).PerSecond)
	fmt.Fprintf(out, "%s: a rate of %d/s was not reached: %s/s were, and the queue grew to %d "+
		"operations in %v; such latencies grow with the time of a turn\n", who, c.Load.Rate,
		perSecond(speed.Median), t.Queue.End, t.For)
	if t.Queue.Left == 0 {
		return
	}
	due, all := float64(c.Load.Rate)*t.For.Seconds(), t.All()
	fmt.Fprintf(out, "%s: of %.0f that were due in that time %d were made; the others, which are "+
		"in no latency, were given up after %v or more\n", who, due, all.OK+all.Failed(), t.For)
}

func lateness(t *bench.Turn) float64 {
	if t.Queue == nil {
		return 0
	}
	return float64(t.Queue.Late)
}
