package verbs

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memrace/stress"
	"memrace/stress/workload"
)

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
  memrace stress --store wal --clients 64 --sessions 1 --keys 1 --ops 100000
  memrace stress --store wal --instances 2
  memrace stress --sql my_memory.sql
  memrace stress --cmd 'python3 my_memory.py'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.run(c, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f.register(cmd)
	return cmd
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
	report := report{ctx: cmd.Context(), again: again(cmd, plan[0].config.Seed)}
	total := len(plan) * f.runs
	watch := newProgress(errOut, total)
	for i := range total {
		p := plan[i/f.runs]
		p.config.Seed += uint64(i % f.runs)
		p.config.Repeat = p.target.repeat(p.config)
		watch.next(p.config.Store + " " + p.config.Profile)
		r, err := base.perform(cmd.Context(), p)
		if r != nil {
			r.Verdicts, r.Stories = stress.Only(wanted, r.Verdicts, r.Stories)
		}
		report.add(p, r, err)
		f.page.addRun(report.runs[len(report.runs)-1], r)
		if errors.Is(err, stress.ErrUsage) {
			watch.done()
			return fmt.Errorf("%s: %w; --out names another directory", p.target.name, err)
		}
		if cmd.Context().Err() != nil {
			break
		}
	}
	watch.done()
	report.missing = total - len(report.runs)
	f.page.Missing = report.missing
	status := report.write(out, errOut, f.json)
	if err := f.page.write(out, errOut, f.json); err != nil {
		return err
	}
	return status
}

// again returns the arguments of a command that makes the same runs, with the seed that was drawn.
func again(cmd *cobra.Command, seed uint64) string {
	words := []string{cmd.Name()}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if flag.Name == "html" || flag.Name == "force" {
			return // where the page is written has nothing to do with the runs
		}
		values := []string{flag.Value.String()}
		if many, ok := flag.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		for _, value := range values {
			words = append(words, "--"+flag.Name+"="+stress.ShellWord(value))
		}
	})
	if !cmd.Flags().Changed("seed") {
		words = append(words, fmt.Sprintf("--seed=%d", seed))
	}
	return strings.Join(words, " ")
}

// planned is one run that is to be made, or the first of --runs.
type planned struct {
	target target
	config stress.Config
}

// maxRuns is how many runs of a store and profile one command makes: all of them are reported.
const maxRuns = 100_000

// plan lists what is to be run, from its first seed on: each store with each profile.
func (f *stressFlags) plan() ([]planned, error) {
	targets, err := f.targets()
	if err != nil {
		return nil, err
	}
	first, err := f.config.WithDefaults()
	if err != nil {
		return nil, err
	}
	if f.runs > maxRuns {
		return nil, fmt.Errorf("--runs %d: it can be %d at most", f.runs, maxRuns)
	}
	if last := first.Seed + uint64(f.runs) - 1; last < first.Seed {
		return nil, fmt.Errorf("--seed %d: %d runs from that seed on would go beyond the largest",
			first.Seed, f.runs)
	}
	var plan []planned
	for _, t := range targets {
		profiles, err := f.profilesFor(t)
		if err != nil {
			return nil, err
		}
		for _, profile := range profiles {
			c := f.config
			c.Store, c.Profile, c.Seed = t.name, profile, first.Seed
			if c, err = c.WithDefaults(); err != nil {
				return nil, err
			}
			if c.Bound > 0 && c.Mix.Add == 0 {
				return nil, fmt.Errorf("--bound %d: clients of the profile %s append no items, so "+
					"that there is nothing to bound; take --profile chat, or a --mix with add",
					c.Bound, profile)
			}
			plan = append(plan, planned{target: t, config: c})
		}
	}
	return plan, nil
}

// targets returns the stores that are named; every right variant if none is.
func (f *stressFlags) targets() ([]target, error) {
	if f.instances > maxInstances {
		return nil, fmt.Errorf("--instances %d: it can be %d at most", f.instances, maxInstances)
	}
	names := f.stores
	if len(f.stores)+len(f.commands)+len(f.files) == 0 {
		names = []string{"all"}
	}
	targets, err := findTargets(names, f.instances)
	if err != nil {
		return nil, err
	}
	commands, err := findCommands(f.commands)
	if err != nil {
		return nil, err
	}
	files, err := findFiles(f.files)
	if err != nil {
		return nil, err
	}
	targets, err = f.hurtable(append(append(targets, commands...), files...))
	if err != nil {
		return nil, err
	}
	for i, t := range targets {
		if t.volatile && f.instances > 1 {
			return nil, fmt.Errorf("--instances %d: %s keeps nothing on disk, so that several of "+
				"it have nothing to share", f.instances, t.name)
		}
		targets[i] = t.times(f.instances)
	}
	return targets, nil
}

// maxInstances is far more than a machine has a use for.
const maxInstances = 256

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
