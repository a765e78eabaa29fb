package verbs

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

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
	m, err := f.prepare(cmd.Context(), dir, subjects, loads)
	if err != nil {
		return runError{err}
	}
	failed := f.measure(cmd.Context(), dir, &m, errOut)
	if m.rounds == 0 {
		return f.ended(cmd.Context(), failed, 0, errOut)
	}
	if err := f.write(m, out); err != nil {
		return err
	}
	return f.ended(cmd.Context(), failed, m.rounds, errOut)
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
	loads []bench.Load,
) (measurement, error) {
	m := measurement{subjects: subjects, loads: loads}
	about, err := bench.Describe(ctx, dir, subjects, loads)
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

// measure has all stores take their turns.
func (f *benchFlags) measure(
	ctx context.Context, dir string, m *measurement, errOut io.Writer,
) (err error) {
	watch := newProgress(errOut, f.config.Rounds*len(m.loads)*len(m.subjects))
	defer watch.done()
	m.turns, err = bench.Run(ctx, dir, m.subjects, m.loads, f.config,
		func(s bench.Subject, l bench.Load) {
			watch.next(fmt.Sprintf("%s, %d clients", s.Store, l.Clients))
		})
	m.rounds = len(m.turns) / len(m.loads) / len(m.subjects)
	return err
}

// write writes the files and shows the table.
func (f *benchFlags) write(m measurement, out io.Writer) error {
	err := f.file.write(
		func(w io.Writer) error { return bench.Write(w, m.header, m.turns) },
		func(w io.Writer) error { return bench.WriteLatencies(w, m.turns) })
	if err != nil {
		return err
	}
	writeBench(out, m.turns, m.disk, m.rounds)
	writeFaults(out, m.turns, f.config.Faults)
	if f.file.given() {
		fmt.Fprintf(out, "file: %s\nlatencies over time: %s\n", f.file.path, f.file.log())
	}
	return nil
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
