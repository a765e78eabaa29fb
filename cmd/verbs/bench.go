package verbs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memrace/bench"
	"memrace/stress/workload"
)

// benchFlags is what the command line says about the measurement.
type benchFlags struct {
	stores, commands, files []string
	syncs, drivers          []string
	mixes                   []string
	clients, rates          []int
	config                  bench.Config
	faults                  faultFlags
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
docs/benchmarks.md says how to read the numbers.

Exit status: 0 everything was measured; 2 wrong usage; 3 a measurement that ended early, a store
on which every call failed, or a file that could not be written.`,
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
	f.faults.set = flags
	flags.StringArrayVar(&f.stores, "store", nil,
		"a `store` to measure, with its settings; may be repeated (default all right variants)")
	flags.StringArrayVar(&f.commands, "cmd", nil,
		"a `command` whose process keeps a store to measure (docs/protocol.md); may be repeated")
	flags.StringArrayVar(&f.files, "sql", nil,
		"a `file` of SQL that is a store to measure (docs/sqlfiles.md); may be repeated")
	flags.StringSliceVar(&f.syncs, "sync", nil,
		"`levels` of synchronous for each --store, as full,normal (default its own)")
	flags.StringSliceVar(&f.drivers, "driver", nil,
		"`names` of drivers for each --store, as mattn,modernc (default its own)")
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
	flags.StringArrayVar(&f.faults.texts, "fault", nil,
		"`what` is done to the stores meanwhile, as 'hold write lock 50ms every 1s'; may be "+
			"repeated (docs/faults.md)")
	flags.StringVar(&f.faults.disk, "disk-faults", "",
		"`what` is wrong with the disk of stores with disk=on, as slow-sync=50ms,p=0.002")
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
	err := errors.Join(checkNames(cmd, "driver", f.drivers), checkNames(cmd, "sync", f.syncs))
	if err != nil {
		return err
	}
	if f.config.Faults, err = f.faults.parse(); err != nil {
		return err
	}
	return f.checkFile(cmd)
}

// checkNames refuses a list of names that is empty, has an empty name, or one twice.
func checkNames(cmd *cobra.Command, flag string, names []string) error {
	if cmd.Flags().Changed(flag) && (len(names) == 0 || slices.Contains(names, "")) {
		return fmt.Errorf("--%s: a name is empty; leave the flag out for the store's own", flag)
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("--%s: %s is named twice; name it once", flag, name)
		}
	}
	return nil
}

// checkFile refuses files that cannot be written, and that are measured.
func (f *benchFlags) checkFile(cmd *cobra.Command) error {
	if err := f.file.check(cmd); err != nil || !f.file.given() {
		return err
	}
	log, file := f.file.files()
	for _, t := range []outFile{file, log} {
		if t.isOneOf(f.files) {
			return fmt.Errorf("--out %s: that is what is to be measured; name another file", t.file)
		}
	}
	return nil
}

// mixed is the mix that everybody asks for first.
const mixed = "mixed"

// kinds are those that a mix can have: add and items go with a profile, and there is none here.
var kinds = []string{"upsert", "get", "delete", "update", "take", "list", "clear"}

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
				if slices.Contains(loads, l) {
					return nil, fmt.Errorf("%s with %s and a rate of %d is asked for "+
						"twice; --rounds makes more values of one", mix,
						plural(clients, "client"), rate)
				}
				loads = append(loads, l)
			}
		}
	}
	return loads, nil
}

// parseMix reads a mix, or the name of one, or that of the only kind in it, whose weight says
// nothing.
func parseMix(text string) (workload.Mix, error) {
	if text == mixed {
		return workload.Mix{Upsert: 45, Get: 50, Delete: 5}, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		kind, _, _ := strings.Cut(part, "=")
		if !slices.Contains(kinds, strings.TrimSpace(kind)) {
			return workload.Mix{}, fmt.Errorf("unknown kind %q; there are %s, and mixed", kind,
				strings.Join(kinds, ", "))
		}
	}
	kind, _, weighted := strings.Cut(text, "=")
	switch {
	case strings.Contains(text, ","):
		return workload.ParseMix(text)
	case weighted:
		if _, err := workload.ParseMix(text); err != nil {
			return workload.Mix{}, err
		}
	}
	return workload.ParseMix(kind + "=1")
}
