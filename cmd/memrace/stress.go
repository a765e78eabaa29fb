package main

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

	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/workload"
)

// stressFlags is what the command line says about the runs.
type stressFlags struct {
	stores, profiles []string
	properties       []string
	config           stress.Config
	mix              string
	runs             int
	out              string
	json             bool
}

func newStress() *cobra.Command {
	var f stressFlags
	cmd := &cobra.Command{
		Use:   "stress",
		Short: "run workloads on stores and judge what happened",
		Long: `stress runs a workload on each store that --store names, once for each --profile and
each of --runs seeds, judges every history, and shows a table. What is wrong is told as a
story; the history of such a run stays in a directory below --out.`,
		Example: `  memrace stress
  memrace stress --store wal,synchronous=full --store pool --profile all
  memrace stress --store mutant/upsert-any-session
  memrace stress --store wal --clients 64 --sessions 1 --keys 1 --ops 100000`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.run(c, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f.register(cmd)
	return cmd
}

func (f *stressFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.stores, "store", nil,
		"a `store` to test, with its settings; may be repeated (default all right variants)")
	flags.StringArrayVar(&f.profiles, "profile", nil,
		"a `workload` to run, or all; may be repeated (default uniform, or what suits a mutant)")
	flags.StringArrayVar(&f.properties, "property", nil, propertyFlag)
	flags.IntVar(&f.config.Clients, "clients", 0, "`number` of clients that call at once")
	flags.IntVar(&f.config.Sessions, "sessions", 0, "`number` of sessions")
	flags.IntVar(&f.config.Keys, "keys", 0, "`number` of keys in a session")
	flags.IntVar(&f.config.Ops, "ops", 0, "end a run after this `number` of operations")
	flags.DurationVar(&f.config.For, "for", 0,
		"end a run after this `time` (default 1s without --ops)")
	flags.StringVar(&f.mix, "mix", "", "`weights` of the operations, as upsert=50,get=40,delete=10")
	flags.Uint64Var(&f.config.Seed, "seed", 0, "where choices start; drawn and shown if not given")
	flags.IntVar(&f.runs, "runs", 1, "`number` of runs of each store and profile, seed by seed")
	flags.IntVar(&f.config.ValueSize, "value-size", 0, "length of a value in `bytes`")
	flags.DurationVar(&f.config.CallTimeout, "call-timeout", 0, "deadline of a call (default none)")
	flags.DurationVar(&f.config.Stall, "stall", 0,
		"give a run up when no client gets on for this `time` (default 10s)")
	flags.StringVar(&f.out, "out", "",
		"`directory` to keep every run in (default results/runs, and only runs that are not green)")
	flags.BoolVar(&f.json, "json", false, "print the results as JSON instead of a table")
}

// checkFlags refuses what was given on the command line and makes no sense, by the flag's name.
func (f *stressFlags) checkFlags(cmd *cobra.Command) error {
	for _, name := range []string{"clients", "sessions", "keys", "ops", "runs", "value-size"} {
		value, err := cmd.Flags().GetInt(name)
		if err != nil {
			return err
		}
		if cmd.Flags().Changed(name) && value < 1 {
			return fmt.Errorf("--%s %d: it has to be at least 1", name, value)
		}
	}
	for _, name := range []string{"for", "stall", "call-timeout"} {
		value, err := cmd.Flags().GetDuration(name)
		if err != nil {
			return err
		}
		if cmd.Flags().Changed(name) && value <= 0 {
			return fmt.Errorf("--%s %v: it has to be more than nothing", name, value)
		}
	}
	if f.mix == "" && !cmd.Flags().Changed("mix") {
		return nil
	}
	mix, err := workload.ParseMix(f.mix)
	if err != nil {
		return fmt.Errorf("--mix %q: %w", f.mix, err)
	}
	f.config.Mix = mix
	return nil
}

// run makes all runs, one after the other.
func (f *stressFlags) run(cmd *cobra.Command, out, errOut io.Writer) error {
	if err := f.checkFlags(cmd); err != nil {
		return err
	}
	wanted, err := wantedProperties(f.properties)
	if err != nil {
		return err
	}
	plan, err := f.plan()
	if err != nil {
		return err
	}
	base, err := openOut(f.out)
	if err != nil {
		return err
	}
	defer base.tidy()
	var report report
	watch := newProgress(errOut, len(plan))
	for _, p := range plan {
		watch.next(p.config.Store + " " + p.config.Profile)
		r, err := base.perform(cmd.Context(), p)
		if r != nil {
			r.Verdicts, r.Stories = stress.Only(wanted, r.Verdicts, r.Stories)
		}
		report.add(p, r, err)
		if errors.Is(err, stress.ErrUsage) {
			watch.done()
			return fmt.Errorf("%s: %w", p.target.name, err)
		}
		if cmd.Context().Err() != nil {
			break
		}
	}
	watch.done()
	report.missing = len(plan) - len(report.runs)
	return report.write(out, errOut, f.json)
}

// planned is one run that is to be made.
type planned struct {
	target target
	config stress.Config
}

// plan lists the runs: each store with each profile and each seed.
func (f *stressFlags) plan() ([]planned, error) {
	targets, err := findTargets(f.stores)
	if err != nil {
		return nil, err
	}
	first, err := f.config.WithDefaults()
	if err != nil {
		return nil, err
	}
	var plan []planned
	for _, t := range targets {
		profiles, err := f.profilesFor(t)
		if err != nil {
			return nil, err
		}
		for _, profile := range profiles {
			for i := range f.runs {
				c := f.config
				c.Store, c.Profile, c.Seed = t.name, profile, first.Seed+uint64(i)
				if c, err = c.WithDefaults(); err != nil {
					return nil, err
				}
				plan = append(plan, planned{target: t, config: c})
			}
		}
	}
	return plan, nil
}

func (f *stressFlags) profilesFor(t target) ([]string, error) {
	if len(f.profiles) == 0 && t.profile != "" {
		return []string{t.profile}, nil
	}
	var names []string
	for _, name := range f.profiles {
		if name != "all" {
			names = append(names, name)
			continue
		}
		for _, p := range workload.Profiles() {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		names = []string{workload.Profiles()[0].Name}
	}
	return names, nil
}

// outDir is where the directories of runs are made.
type outDir struct {
	path string
	keep bool     // green runs too
	made []string // directories that did not exist before, the outermost first
}

const defaultOut = "results/runs"

func openOut(path string) (*outDir, error) {
	o := &outDir{path: path, keep: path != ""}
	if path == "" {
		o.path = defaultOut
	}
	for dir := filepath.Clean(o.path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			break
		}
		o.made = append([]string{dir}, o.made...)
	}
	if err := os.MkdirAll(o.path, 0o777); err != nil {
		return nil, fmt.Errorf("directory of the runs: %w; name one that can be written by --out",
			err)
	}
	return o, nil
}

// perform makes one run in a directory of its own, and takes that away again if nobody would
// look into it.
func (o *outDir) perform(ctx context.Context, p planned) (*stress.Result, error) {
	name := fmt.Sprintf("%s-%s-%d", time.Now().UTC().Format("20060102T150405.000Z"),
		fileName(p.config.Store+"-"+p.config.Profile), p.config.Seed)
	dir := filepath.Join(o.path, name)
	p.config.Keep = o.keep
	r, err := stress.Check(ctx, p.target.open, dir, p.config)
	if err == nil && !o.keep && r.State() == check.Holds {
		err = os.RemoveAll(dir)
	}
	if err != nil && !errors.Is(err, stress.ErrUsage) {
		err = runError{err}
	}
	return r, err
}

// tidy removes the directories that were made for runs which left nothing behind.
func (o *outDir) tidy() {
	for i := len(o.made) - 1; i >= 0; i-- {
		if os.Remove(o.made[i]) != nil {
			return
		}
	}
}

// fileName replaces what file names had better not have.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_.=,", r) || '0' <= r && r <= '9' ||
			'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
}
