package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"memrace/stress"
	"memrace/stress/check"
)

// judged is what came out of one history, as --json prints it.
type judged struct {
	Path     string          `json:"path"`
	State    string          `json:"state"`
	Ops      int             `json:"operations"`
	Slots    int             `json:"slots"`
	Verdicts []check.Verdict `json:"verdicts"`
	Stories  []string        `json:"stories,omitempty"`

	state check.State
}

func newCheck() *cobra.Command {
	var properties []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check FILE|DIR...",
		Short: "judge histories that were kept",
		Long: `check judges the history in a file, or the history and the rows in the
directory of a run, or each run in a directory of runs, and prints a verdict for
each property. Nothing is run.`,
		Example: `  memrace check results/runs
  memrace check --property linearizability history.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			wanted, err := wantedProperties(properties)
			if err != nil {
				return err
			}
			paths, err := findRuns(args)
			if err != nil {
				return err
			}
			return judgeAll(c.Context(), paths, wanted, c.OutOrStdout(), asJSON)
		},
	}
	cmd.Flags().StringArrayVar(&properties, "property", nil,
		propertyFlag)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the verdicts as JSON")
	return cmd
}

// findRuns replaces a directory that is no run's, but has directories of runs in it, by those.
func findRuns(paths []string) ([]string, error) {
	var found []string
	for _, path := range paths {
		runs, err := filepath.Glob(filepath.Join(path, "*", stress.HistoryFile))
		if err != nil {
			return nil, err
		}
		_, err = os.Stat(filepath.Join(path, stress.HistoryFile))
		if err == nil || len(runs) == 0 {
			found = append(found, path)
			continue
		}
		for _, run := range runs {
			found = append(found, filepath.Dir(run))
		}
	}
	return found, nil
}

func judgeAll(ctx context.Context, paths []string, wanted []check.Property,
	out io.Writer, asJSON bool) error {
	worst := check.Holds
	var all []judged
	for _, path := range paths {
		j, err := judge(ctx, path, wanted)
		if err != nil {
			return err
		}
		if worst = max(worst, j.state); j.state == check.Skipped {
			worst = max(worst, check.Undecided)
		}
		all = append(all, j)
		if !asJSON {
			if err := j.write(out); err != nil {
				return runError{err}
			}
		}
	}
	if asJSON {
		if err := writeJSON(out, all); err != nil {
			return err
		}
	}
	return statusOfState(worst)
}

func judge(ctx context.Context, path string, wanted []check.Property) (judged, error) {
	evidence, err := stress.Load(path)
	if err != nil {
		return judged{}, err
	}
	verdicts, stories := stress.Judge(ctx, evidence)
	verdicts, stories = stress.Only(wanted, verdicts, stories)
	j := judged{Path: path, Ops: len(evidence.History.Ops), Slots: len(evidence.History.Slots),
		Verdicts: verdicts}
	for _, s := range stories {
		j.Stories = append(j.Stories, s.String())
	}
	j.state = stress.Worst(j.Verdicts)
	j.State = j.state.String()
	return j, nil
}

func (j judged) write(out io.Writer) error {
	fmt.Fprintf(out, "%s: %d operations on %d slots\n", j.Path, j.Ops, j.Slots)
	if err := stress.WriteVerdicts(out, j.Verdicts); err != nil {
		return err
	}
	for _, s := range j.Stories {
		fmt.Fprintf(out, "\n%s", s)
	}
	_, err := fmt.Fprintln(out)
	return err
}
