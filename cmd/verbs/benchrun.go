package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memrace/bench"
	"memrace/store/disk"
)

// run measures, writes the files, and shows the table.
func (f *benchFlags) run(cmd *cobra.Command, out, errOut io.Writer) error {
	if err := f.checkFlags(cmd); err != nil {
		return err
	}
	subjects, err := f.subjects()
	if err != nil {
		return err
	}
	loads, err := f.loads()
	if err != nil {
		return err
	}
	dir, err := f.makeDir()
	if err != nil {
		return err
	}
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintf(errOut, "memrace: %v\n", err)
		}
	}()
	m, err := f.prepare(cmd.Context(), dir, subjects, loads, errOut)
	if err != nil {
		return runError{err}
	}
	failed := f.measure(cmd.Context(), dir, &m, errOut)
	if m.rounds == 0 {
		return f.ended(cmd.Context(), failed, 0, errOut)
	}
	if err := f.write(m, out, errOut); err != nil {
		return runError{errors.Join(failed, err)}
	}
	if err := f.ended(cmd.Context(), failed, m.rounds, errOut); err != nil {
		return err
	}
	return allFailed(m.turns)
}

// allFailed is an error where no call to a store went well.
func allFailed(turns []*bench.Turn) error {
	for _, c := range bench.Cells(turns) {
		if all := c.All(); all.Failed() > 0 && all.OK+all.Done == 0 {
			return runError{fmt.Errorf("%s: every call failed", who(c))}
		}
	}
	return nil
}

// measurement is what is measured, on what, and what came of it.
type measurement struct {
	subjects []bench.Subject
	loads    []bench.Load
	header   []bench.Setting
	disk     bench.Disk
	turns    []*bench.Turn
	rounds   int // that were finished
}

// prepare finds out what there is to be known before anything is measured.
func (f *benchFlags) prepare(ctx context.Context, dir string, subjects []bench.Subject,
	loads []bench.Load, errOut io.Writer,
) (measurement, error) {
	m := measurement{subjects: subjects, loads: loads}
	waits := f.sayWaiting(errOut)
	about, err := bench.Describe(ctx, dir, subjects, loads)
	waits.Stop()
	if err != nil {
		return m, fmt.Errorf("open a store to be measured: %w", err)
	}
	if m.disk, err = bench.MeasureDisk(dir); err != nil {
		return m, err
	}
	m.header = bench.Header(subjects, about, m.disk, f.config)
	if err := disk.CountAll(); err != nil {
		m.header = append(m.header, bench.Setting{Name: "fsyncs", Value: err.Error()})
	}
	return m, nil
}

// quiet is for how long nobody wonders why nothing happens.
const quiet = 2 * time.Second

// sayWaiting says after a while, unless it is stopped, what the measurement waits for.
func (f *benchFlags) sayWaiting(errOut io.Writer) *time.Timer {
	return time.AfterFunc(quiet, func() {
		what := "the stores to open"
		if len(f.commands) > 0 {
			what = "the answer of " + strings.Join(f.commands, ", ")
		}
		fmt.Fprintf(errOut, "memrace: waiting for %s\n", visible(what))
	})
}

// measure has all stores take their turns.
func (f *benchFlags) measure(
	ctx context.Context, dir string, m *measurement, errOut io.Writer,
) (err error) {
	watch := newProgress(errOut, f.config.Rounds*len(m.loads)*len(m.subjects))
	defer watch.done()
	m.turns, err = bench.Run(ctx, dir, m.subjects, m.loads, f.config,
		func(s bench.Subject, l bench.Load) {
			watch.next(called(s) + ", " + plural(l.Clients, "client"))
		})
	m.rounds = len(m.turns) / len(m.loads) / len(m.subjects)
	return err
}

// write writes the files and shows the table, which there is whatever becomes of the files. They
// come first, since who reads the table may be gone.
func (f *benchFlags) write(m measurement, out, errOut io.Writer) error {
	file := f.file
	if kept := file.replaced(); m.rounds < f.config.Rounds && len(kept) > 0 {
		file = file.asPart()
		fmt.Fprintf(errOut, "memrace: %s: kept, since %d of %d rounds are less; they go into %s\n",
			strings.Join(kept, ", "), m.rounds, f.config.Rounds, file.path)
	}
	err := file.write(
		func(w io.Writer) error { return bench.Write(w, m.header, m.turns) },
		func(w io.Writer) error { return bench.WriteLatencies(w, m.turns) })
	writeBench(out, m.turns, m.disk, m.rounds)
	writeFaults(out, m.turns, f.config.Faults)
	if err == nil && file.given() {
		fmt.Fprintf(out, "file: %s\nlatencies over time: %s\n", file.path, file.log())
	}
	return err
}

// ended says why a measurement ended before its last round, if it did.
func (f *benchFlags) ended(ctx context.Context, err error, rounds int, errOut io.Writer) error {
	if err == nil {
		return nil
	}
	kept := fmt.Sprintf("%d of %d rounds were finished, and only these count", rounds,
		f.config.Rounds)
	if rounds == 0 {
		kept = "no round was finished, so that there is nothing to show"
	}
	if ctx.Err() != nil {
		fmt.Fprintf(errOut, "memrace: interrupted; %s\n", kept)
		return exit(statusUndecided)
	}
	return runError{fmt.Errorf("%w; %s", err, kept)}
}

// makeDir makes the directory for the databases.
func (f *benchFlags) makeDir() (string, error) {
	base := f.dir
	switch {
	case base != "":
	case f.file.given():
		base = filepath.Dir(f.file.path)
	default:
		base = "."
	}
	dir, err := os.MkdirTemp(base, ".memrace-bench-")
	if err != nil {
		return "", fmt.Errorf("directory of the databases: %w; name one that can be written by "+
			"--dir", err)
	}
	return filepath.Abs(dir)
}
