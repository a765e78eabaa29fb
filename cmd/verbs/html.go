package verbs

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	html "memrace/report"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/history"
)

// page is the HTML page that --html, or memrace report, asks for.
type page struct {
	html.Page
	outFile // without a file if no page is asked for
}

func (p *page) register(cmd *cobra.Command) {
	p.flag = "html"
	cmd.Flags().StringVar(&p.file, p.flag, "", "write one HTML page with drawings into this `file`")
	cmd.Flags().BoolVar(&p.force, "force", false, "let --html replace a file that exists")
}

// check refuses what was given on the command line, before anything is run.
func (p *page) check(cmd *cobra.Command) error {
	switch given := cmd.Flags().Changed(p.flag); {
	case given && p.file == "":
		return fmt.Errorf(`--%s "": name a file`, p.flag)
	case p.file == "" && p.force:
		return errors.New("--force: there is nothing to replace without --html")
	case p.file == "":
		return nil
	}
	return p.outFile.check()
}

// write writes the page, if one is asked for, and says where it is: on standard output, unless
// that is for a program to read.
func (p *page) write(out, errOut io.Writer, asJSON bool) error {
	if p.file == "" {
		return nil
	}
	if err := p.save(p.Page.Write); err != nil {
		return err
	}
	if asJSON {
		out = errOut
	}
	_, err := fmt.Fprintf(out, "page: %s\n", p.file)
	return err
}

// addRun takes in a run as the report has it, with its result if there is one.
func (p *page) addRun(out runReport, r *stress.Result) {
	if p.file == "" {
		return
	}
	run := html.Run{State: out.state, Repeat: out.Command, Trouble: out.Error,
		Name: fmt.Sprintf("%s, profile %s, seed %d", out.Store, out.Profile, out.Seed)}
	switch {
	case out.skipped != "":
		run.Trouble = out.skipped
	case out.Error != "" || out.state == check.Skipped:
		run.State = max(run.State, check.Undecided)
	}
	if r != nil && out.skipped == "" {
		run.History, run.Verdicts, run.Stories = r.Evidence.History, r.Verdicts, r.Stories
	}
	if out.Dir != "" {
		run.Evidence = filepath.Join(out.Dir, stress.HistoryFile)
	}
	p.Add(run)
}

// addJudged takes in a history that was judged.
func (p *page) addJudged(j judged, h *history.History, stories []stress.Story) {
	if p.file == "" {
		return
	}
	state := j.state
	if state == check.Skipped {
		state = check.Undecided
	}
	p.Add(html.Run{Name: j.Path, State: state, History: h, Verdicts: j.Verdicts,
		Stories: stories, Evidence: historyFile(j.Path)})
}

// historyFile is the file of the history that stands in a directory, or is the path itself.
func historyFile(path string) string {
	if file, err := stress.HistoryIn(path); err == nil {
		return file
	}
	return path
}
