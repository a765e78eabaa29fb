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
	"memrace/stress/workload"
)

// benchFlags is what the command line says about the measurement.
type benchFlags struct {
	stores, commands, files []string
	syncs                   []string
	mixes                   []string
	clients, rates          []int
	config                  bench.Config
	dir                     string
	file                    newFile
}

func newBench() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "measure how fast stores are, side by side",
		Long: `bench measures throughput and latency of the stores that --store names: one turn of
each, then the next round, so that what changes on the machine changes for all of them. A turn
is one mix of operations by so many clients, in a database of its own. It shows a table, and
writes Go's benchmark format into the file that --out names: memrace compare and benchstat
read it.

Without --rate each client calls the store as soon as its call before has returned (a closed
loop), and latency is service time. With --rate operations are due so many times a second
whether or not the store keeps up, and latency counts from when an operation was due.
docs/benchmarks.md says how to read the numbers.`,
		Example: `  memrace bench
  memrace bench --store wal --store pool --sync full,normal --mix upsert --out new.txt
  memrace bench --store wal --mix upsert=45,get=50,delete=5 --clients 8 --rate 2000
  memrace bench --sql my_memory.sql --store wal --rounds 6 --for 100ms`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.run(c, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f.register(cmd)
	return cmd
}

func (f *benchFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.stores, "store", nil,
		"a `store` to measure, with its settings; may be repeated (default all right variants)")
	flags.StringArrayVar(&f.commands, "cmd", nil,
		"a `command` whose process keeps a store to measure (docs/protocol.md); may be repeated")
	flags.StringArrayVar(&f.files, "sql", nil,
		"a `file` of SQL that is a store to measure (docs/sqlfiles.md); may be repeated")
	flags.StringSliceVar(&f.syncs, "sync", nil,
		"`levels` of synchronous for each --store, as full,normal (default its own)")
	flags.StringArrayVar(&f.mixes, "mix", []string{mixed},
		"what clients do: mixed, one `kind`, or weights as in upsert=50,get=50; may be repeated")
	flags.IntSliceVar(&f.clients, "clients", []int{1, 8, 64}, "`numbers` of clients")
	flags.IntSliceVar(&f.rates, "rate", []int{0},
		"operations that are due in a second, `numbers`; 0 is a closed loop")
	flags.IntVar(&f.config.Rounds, "rounds", 10, "`number` of rounds; an interval needs 6")
	flags.DurationVar(&f.config.For, "for", 300*time.Millisecond, "`time` that a turn is measured")
	flags.DurationVar(&f.config.WarmUp, "warm-up", 100*time.Millisecond,
		"`time` that a turn goes on before it is measured")
	flags.IntVar(&f.config.ValueSize, "value-size", 128, "length of a value in `bytes`")
	flags.IntVar(&f.config.Sessions, "sessions", 16, "`number` of sessions")
	flags.IntVar(&f.config.Keys, "keys", 8, "`number` of keys in a session")
	flags.Uint64Var(&f.config.Seed, "seed", 1, "where the choices of the clients start")
	flags.StringVar(&f.dir, "dir", "",
		"`directory` for the databases, on the disk to be measured (default that of --out, "+
			"or the present one)")
	f.file.register(cmd)
}

// checkFlags refuses what was given on the command line and makes no sense, by the flag's name.
func (f *benchFlags) checkFlags(cmd *cobra.Command) error {
	for _, name := range []string{"rounds", "value-size", "sessions", "keys"} {
		if value, err := cmd.Flags().GetInt(name); err != nil || value < 1 {
			return errors.Join(err, fmt.Errorf("--%s %d: it has to be at least 1", name, value))
		}
	}
	for _, n := range f.clients {
		if n < 1 {
			return fmt.Errorf("--clients %d: it has to be at least 1", n)
		}
	}
	for _, n := range f.rates {
		if n < 0 {
			return fmt.Errorf("--rate %d: it has to be at least 1, or 0 for a closed loop", n)
		}
	}
	if f.config.For <= 0 {
		return fmt.Errorf("--for %v: it has to be more than nothing", f.config.For)
	}
	if len(f.clients) == 0 || len(f.rates) == 0 {
		return errors.New("--clients and --rate: name at least one number")
	}
	return f.file.check(cmd)
}

// run measures, writes the file, and shows the table.
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
	about, err := bench.Describe(cmd.Context(), dir, subjects, loads)
	if err != nil {
		return runError{fmt.Errorf("open a store to be measured: %w", err)}
	}
	disk, err := bench.MeasureDisk(dir)
	if err != nil {
		return runError{err}
	}
	watch := newProgress(errOut, f.config.Rounds*len(loads)*len(subjects))
	turns, failed := bench.Run(cmd.Context(), dir, subjects, loads, f.config,
		func(s bench.Subject, l bench.Load) {
			watch.next(fmt.Sprintf("%s, %d clients", s.Store, l.Clients))
		})
	watch.done()
	rounds := len(turns) / len(loads) / len(subjects)
	if rounds == 0 {
		return f.ended(cmd.Context(), failed, 0, errOut)
	}
	header := bench.Header(subjects, about, disk, f.config)
	err = f.file.write(func(w io.Writer) error { return bench.Write(w, header, turns) })
	if err != nil {
		return err
	}
	writeBench(out, turns, disk, rounds)
	if f.file.given() {
		fmt.Fprintf(out, "file: %s\n", f.file.path)
	}
	return f.ended(cmd.Context(), failed, rounds, errOut)
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

// mixed is the mix that everybody asks for first.
const mixed = "mixed"

// loads are every mix with every number of clients and every rate.
func (f *benchFlags) loads() (loads []bench.Load, err error) {
	for _, text := range f.mixes {
		mix, err := parseMix(text)
		if err != nil {
			return nil, fmt.Errorf("--mix: %w", err)
		}
		for _, rate := range f.rates {
			for _, clients := range f.clients {
				l := bench.Load{Mix: mix, Clients: clients, Rate: rate}
				if err := errors.Join(l.Validate(f.config), f.config.Validate()); err != nil {
					return nil, err
				}
				loads = append(loads, l)
			}
		}
	}
	return loads, nil
}

// parseMix reads a mix, or the name of one, or that of the only kind in it.
func parseMix(text string) (workload.Mix, error) {
	switch {
	case text == mixed:
		return workload.Mix{Upsert: 45, Get: 50, Delete: 5}, nil
	case !strings.ContainsAny(text, "=,"):
		return workload.ParseMix(text + "=1")
	}
	return workload.ParseMix(text)
}
