package verbs

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/notation"
)

// judged is what came out of one history, as --json prints it.
type judged struct {
	Path     string          `json:"path"`
	State    string          `json:"state"`
	Ops      int             `json:"operations"`
	Slots    int             `json:"slots"`
	Verdicts []check.Verdict `json:"verdicts"`
	// Changed is what the run itself had found otherwise.
	Changed []stress.Change `json:"changed,omitempty"`
	Stories []string        `json:"stories,omitempty"`

	state check.State
}

// checkFlags is what the command line says about the judging.
type checkFlags struct {
	properties []string
	json       bool
	format     notation.Format
	page       page
}

func newCheck() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check FILE|DIR...",
		Short: "judge histories that were kept",
		Long: `check judges the history in a file, or the history and the rows in the
directory of a run, or each run in a directory of runs, and prints a verdict for
each property. Nothing is run. Where the run itself had found otherwise, a line
beneath the verdicts says what. Histories of Jepsen are read as well.`,
		Example: `  memrace check results/runs
  memrace check --property linearizability history.txt
  memrace check --html page.html results/runs`,
		Args: paths("a history, the directory of a run, or a directory of runs"),
		RunE: f.run,
	}
	cmd.Flags().StringArrayVar(&f.properties, "property", nil,
		propertyFlag)
	cmd.Flags().BoolVar(&f.json, "json", false, "print the verdicts as JSON")
	cmd.Flags().TextVar(&f.format, "format", notation.Auto, formatFlag)
	f.page.register(cmd)
	return cmd
}

func (f *checkFlags) run(c *cobra.Command, args []string) error {
	wanted, err := wantedProperties(f.properties)
	if err != nil {
		return err
	}
	if err := f.page.check(c); err != nil {
		return err
	}
	runs := findRuns(args, c.ErrOrStderr())
	if f.page.file != "" {
		if err := f.page.spare(runs); err != nil {
			return err
		}
	}
	return f.judgeAll(c, runs, wanted)
}

// findRuns replaces a directory that is no run's, but has directories of runs in it, by those, and
// says on errOut how many others it passes over.
func findRuns(paths []string, errOut io.Writer) (found []string) {
	for _, path := range paths {
		runs, others := runsIn(path)
		if len(runs) == 0 || isRun(path) {
			runs, others = []string{path}, 0
		}
		if others > 0 {
			fmt.Fprintf(errOut, "memrace: %s: directories that have no history, left by runs "+
				"that were killed or did not open: %d; they are not judged\n", visible(path),
				others)
		}
		found = append(found, runs...)
	}
	return found
}

// runsIn returns the directories of runs in a directory, and counts the others. There are none in
// what is no directory or cannot be read: whoever reads the path will say why.
func runsIn(path string) (runs []string, others int) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, 0
	}
	for _, entry := range entries {
		if dir := filepath.Join(path, entry.Name()); isRun(dir) {
			runs = append(runs, dir)
		} else if entry.IsDir() {
			others++
		}
	}
	return runs, others
}

func isRun(dir string) bool {
	_, err := stress.HistoryIn(dir)
	return err == nil
}

// judgeAll judges each path. One that cannot be judged is said to be so, and the others are judged
// all the same.
func (f *checkFlags) judgeAll(c *cobra.Command, paths []string, wanted []check.Property) error {
	worst, out := check.Holds, c.OutOrStdout()
	var all []judged
	var failed error
	for _, path := range paths {
		var j judged
		err := unlessInterrupted(c.Context(), "judging "+path, func() (err error) {
			j, err = f.judge(c.Context(), path, wanted)
			return err
		})
		if c.Context().Err() != nil {
			return err
		}
		if err != nil {
			fmt.Fprintln(c.ErrOrStderr(), "memrace: "+visible(oneLine(err)))
			failed = cmp.Or(failed, err)
			continue
		}
		if worst = max(worst, j.state); j.state == check.Skipped {
			worst = max(worst, check.Undecided)
		}
		all = append(all, j)
		if !f.json {
			if err := j.write(out); err != nil {
				return runError{err}
			}
		}
	}
	if failed != nil && len(all) == 0 {
		return exit(statusOf(failed))
	}
	if f.json {
		if err := writeJSON(out, all); err != nil {
			return err
		}
	}
	if err := f.page.write(out, c.ErrOrStderr(), f.json); err != nil {
		return err
	}
	if failed != nil {
		return exit(statusOf(failed))
	}
	return statusOfState(worst)
}

func (f *checkFlags) judge(ctx context.Context, path string, wanted []check.Property) (
	judged, error) {
	evidence, err := stress.LoadAs(path, f.format)
	if err != nil {
		return judged{}, err
	}
	kept, err := stress.LoadVerdicts(path)
	if err != nil {
		return judged{}, err
	}
	verdicts, stories := stress.Judge(ctx, evidence)
	verdicts, stories = stress.Only(wanted, verdicts, stories)
	j := judged{Path: path, Ops: evidence.History.Calls(), Slots: len(evidence.History.Slots),
		Verdicts: verdicts}
	if kept != nil {
		j.Changed = stress.Changes(kept, verdicts)
	}
	for _, s := range stories {
		j.Stories = append(j.Stories, s.String())
	}
	j.state = stress.Worst(j.Verdicts)
	j.State = j.state.String()
	f.page.addJudged(j, evidence.History, stories)
	return j, nil
}

func (j judged) write(out io.Writer) error {
	fmt.Fprintf(out, "%s: %d operations on %d slots\n", visible(j.Path), j.Ops, j.Slots)
	if err := stress.WriteVerdicts(out, j.Verdicts); err != nil {
		return err
	}
	for _, change := range j.Changed {
		fmt.Fprintln(out, change)
	}
	for _, s := range j.Stories {
		fmt.Fprintf(out, "\n%s", s)
	}
	_, err := fmt.Fprintln(out)
	return err
}
