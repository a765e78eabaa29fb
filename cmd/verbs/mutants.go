package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"memrace/store/sqlite"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/mutant"
)

// mutantFlags is what the command line says about the hunt.
type mutantFlags struct {
	seed uint64
	runs int
	json bool
}

// hunted is what came out of one mutant, as --json prints it.
type hunted struct {
	Mutant     string        `json:"mutant"`
	Kind       string        `json:"kind"`
	Fault      string        `json:"fault"`
	Expected   string        `json:"expected"`
	Caught     bool          `json:"caught"`
	Runs       int           `json:"runs"`
	Operations int           `json:"operations"`
	Took       time.Duration `json:"took_ns"`
	Also       []string      `json:"also_violated,omitempty"`
	Command    string        `json:"command"`
}

func newMutants() *cobra.Command {
	var f mutantFlags
	cmd := &cobra.Command{
		Use:   "mutants [NAME...]",
		Short: "see that stores which are wrong on purpose are caught",
		Long: `mutants turns the suite on stores that are wrong on purpose. Each is run until the
property that is meant to catch it does, at most --runs times with different seeds.

Exit status: 0 all are caught; 1 one got away; 2 wrong usage; 3 interrupted.`,
		Example: `  memrace mutants
  memrace mutants glued-key stale-cache --seed 7
  memrace stress --store mutant/glued-key      the story of one of them`,
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c, args, c.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", 1, "the first seed")
	flags.IntVar(&f.runs, "runs", 10, "`number` of seeds to try before a mutant has got away")
	flags.BoolVar(&f.json, "json", false, "print the results as JSON instead of a table")
	return cmd
}

func (f *mutantFlags) run(c *cobra.Command, names []string, out io.Writer) error {
	if f.runs < 1 {
		return fmt.Errorf("--runs %d: it has to be at least 1", f.runs)
	}
	mutants, err := findMutants(names)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "memrace-mutants-")
	if err != nil {
		return fmt.Errorf("directory for the runs: %w; name one that can be written in TMPDIR", err)
	}
	defer os.RemoveAll(dir)
	var all []hunted
	watch := newProgress(c.ErrOrStderr(), len(mutants))
	for _, m := range mutants {
		watch.next(m.Name)
		h, err := f.hunt(c.Context(), m, filepath.Join(dir, m.Name))
		if c.Context().Err() != nil {
			break
		}
		if err != nil {
			watch.done()
			return runError{fmt.Errorf("mutant %s: %w", m.Name, err)}
		}
		all = append(all, h)
	}
	watch.done()
	// What comes next is written, and whoever reads it may stop reading.
	if err := os.RemoveAll(dir); err != nil {
		return runError{err}
	}
	if missing := len(mutants) - len(all); missing > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "memrace: interrupted; %d of %d mutants were not run\n",
			missing, len(mutants))
	}
	return f.report(out, all, len(mutants)-len(all))
}

func findMutants(names []string) ([]mutant.Mutant, error) {
	if err := sqlite.Ready(); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return mutant.Mutants(), nil
	}
	var found []mutant.Mutant
	for _, name := range names {
		m, ok := mutant.Find(strings.TrimPrefix(name, mutantPrefix))
		if !ok {
			return nil, fmt.Errorf("%q: no such mutant; there are %s",
				name, strings.Join(mutantNames(), ", "))
		}
		if slices.ContainsFunc(found, func(o mutant.Mutant) bool { return o.Name == m.Name }) {
			return nil, fmt.Errorf("%q: the mutant is named twice; once is enough", name)
		}
		found = append(found, m)
	}
	return found, nil
}

// hunt runs a mutant until it is caught.
func (f *mutantFlags) hunt(ctx context.Context, m mutant.Mutant, dir string) (hunted, error) {
	h := hunted{Mutant: m.Name, Kind: m.Kind, Fault: m.Fault, Expected: string(m.CaughtBy)}
	began := time.Now()
	for h.Runs < f.runs && !h.Caught && ctx.Err() == nil {
		c := stress.Config{Store: mutantPrefix + m.Name, Profile: m.Profile, Ops: m.Ops,
			Seed: f.seed + uint64(h.Runs)}
		h.Runs++
		r, err := stress.Check(ctx, m.Open, filepath.Join(dir, fmt.Sprint(h.Runs)), c)
		if r == nil || errors.Is(err, stress.ErrUsage) {
			return h, err
		}
		h.Operations += r.Evidence.History.Calls()
		h.Command = command(r.Config)
		h.Caught = r.Verdict(m.CaughtBy).State == check.Violated
		h.Also = h.Also[:0]
		for _, v := range r.Verdicts {
			if v.State == check.Violated && v.Property != m.CaughtBy {
				h.Also = append(h.Also, string(v.Property))
			}
		}
	}
	h.Took = time.Since(began)
	return h, nil
}

func (f *mutantFlags) report(out io.Writer, all []hunted, missing int) error {
	caught := 0
	t := newTable(table.Row{"mutant", "kind", "caught by", "also by", "runs", "ops", "time"},
		"runs", "ops", "time")
	for _, h := range all {
		by := "NOT CAUGHT, " + h.Expected + " should"
		if h.Caught {
			by = h.Expected
			caught++
		}
		t.AppendRow(table.Row{h.Mutant, h.Kind, by, strings.Join(h.Also, " "), h.Runs,
			h.Operations, latencyCell(h.Took)})
	}
	if f.json {
		if err := writeJSON(out, all); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(out, "%s\n%d of %d mutants caught\n", t.Render(), caught, len(all)+missing)
	}
	switch {
	case caught < len(all):
		return exit(statusViolated)
	case missing > 0:
		return exit(statusUndecided)
	}
	return nil
}

func writeJSON(out io.Writer, what any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(what); err != nil {
		return runError{err}
	}
	return nil
}
