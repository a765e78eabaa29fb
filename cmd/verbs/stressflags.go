package verbs

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"memrace/stress"
	"memrace/stress/workload"
)

// stressFlags is what the command line says about the runs.
type stressFlags struct {
	stores, commands []string
	files            []string
	instances        int
	profiles         []string
	properties       []string
	config           stress.Config
	mix              string
	faults           faultFlags
	runs             int
	out              string
	json             bool
	page             page
}

func (f *stressFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.stores, "store", nil,
		"a `store` to test, with its settings; may be repeated (default all right variants)")
	flags.StringArrayVar(&f.commands, "cmd", nil,
		"a `command` whose process keeps a store to test (docs/protocol.md); may be repeated")
	flags.StringArrayVar(&f.files, "sql", nil,
		"a `file` of SQL statements that are a store to test (docs/sqlfiles.md); may be repeated")
	flags.IntVar(&f.instances, "instances", 1,
		"`number` of processes or handles of each store, which share a directory and the clients")
	flags.StringArrayVar(&f.profiles, "profile", nil,
		"a `workload` to run, or all; may be repeated (default uniform, or what suits a mutant)")
	flags.StringArrayVar(&f.properties, "property", nil, propertyFlag)
	flags.IntVar(&f.config.Clients, "clients", 0, "`number` of clients that call at once")
	flags.IntVar(&f.config.Sessions, "sessions", 0, "`number` of sessions")
	flags.IntVar(&f.config.Keys, "keys", 0, "`number` of keys in a session")
	flags.IntVar(&f.config.Ops, "ops", 0, "end a run after this `number` of operations")
	flags.DurationVar(&f.config.For, "for", 0,
		"end a run after this `time` (default 1s without --ops)")
	flags.StringVar(&f.mix, "mix", "",
		"`weights` of what clients do, as upsert=50,get=30,update=20 (memrace list names all)")
	flags.DurationVar(&f.config.Think, "think", 0,
		"`time` that one in four updates thinks before it writes (default what the profile says)")
	flags.Uint64Var(&f.config.Seed, "seed", 0, "where choices start; drawn and shown if not given")
	flags.IntVar(&f.runs, "runs", 1, "`number` of runs of each store and profile, seed by seed")
	flags.IntVar(&f.config.ValueSize, "value-size", 0, "length of a value in `bytes`")
	flags.DurationVar(&f.config.CallTimeout, "call-timeout", 0, "deadline of a call (default none)")
	flags.DurationVar(&f.config.Stall, "stall", 0,
		"give a run up when no client gets on for this `time` (default 10s)")
	flags.IntVar(&f.config.Bound, "bound", 0,
		"`number` of items that a session keeps by design (default what the store says, or all)")
	flags.StringVar(&f.out, "out", "",
		"`directory` to keep every run in (default results/runs, and only runs that are not green)")
	flags.BoolVar(&f.json, "json", false, "print the results as JSON instead of a table")
	f.faults.register(flags)
	f.page.register(cmd)
}

// checkFlags refuses what was given on the command line and makes no sense, by the flag's name.
func (f *stressFlags) checkFlags(cmd *cobra.Command) error {
	if err := f.page.check(cmd); err != nil {
		return err
	}
	for _, name := range []string{"clients", "sessions", "keys", "ops", "runs", "value-size",
		"instances", "bound"} {
		value, err := cmd.Flags().GetInt(name)
		if err != nil {
			return err
		}
		if cmd.Flags().Changed(name) && value < 1 {
			return fmt.Errorf("--%s %d: it has to be at least 1", name, value)
		}
	}
	if cmd.Flags().Changed("seed") && f.config.Seed == 0 {
		return errors.New("--seed 0: it has to be at least 1; without --seed one is drawn")
	}
	for _, name := range []string{"think", "for", "stall", "call-timeout"} {
		value, err := cmd.Flags().GetDuration(name)
		if err != nil {
			return err
		}
		if cmd.Flags().Changed(name) && value <= 0 {
			return fmt.Errorf("--%s %v: it has to be more than nothing", name, value)
		}
	}
	var err error
	if f.config.Faults, err = f.faults.parse(); err != nil {
		return err
	}
	if f.mix == "" && !cmd.Flags().Changed("mix") {
		return nil
	}
	mix, err := workload.ParseMix(f.mix)
	if err != nil {
		return fmt.Errorf("--mix: %w", err)
	}
	f.config.Mix = mix
	return nil
}
