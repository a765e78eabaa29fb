package verbs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	html "memrace/report"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/history"
)

// page is the HTML page that --html asks for.
type page struct {
	html.Page
	file      string // empty if none is asked for
	overwrite bool
}

func (p *page) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.file, "html", "", "write one HTML page with drawings into this `file`")
	cmd.Flags().BoolVar(&p.overwrite, "overwrite", false, "let --html replace a file that exists")
}

// check refuses what was given on the command line, before anything is run: a file that the page
// cannot be written to.
func (p *page) check(cmd *cobra.Command) error {
	switch given := cmd.Flags().Changed("html"); {
	case given && p.file == "":
		return errors.New(`--html "": name a file`)
	case !given && p.overwrite:
		return errors.New("--overwrite: there is nothing to replace without --html")
	case !given:
		return nil
	}
	info, err := os.Stat(filepath.Dir(p.file))
	if err != nil {
		return fmt.Errorf("--html %s: %w; name a file in a directory that exists", p.file, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("--html %s: %s is no directory", p.file, filepath.Dir(p.file))
	}
	info, err = os.Lstat(p.file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--html %s: %w", p.file, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("--html %s: it is no file; name another", p.file)
	case !p.overwrite:
		return p.exists()
	}
	return nil
}

// isOneOf reports whether the page would be written over one of the files.
func (p *page) isOneOf(files []string) bool {
	page, err := os.Stat(p.file)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(files, func(file string) bool {
		info, err := os.Stat(file)
		return err == nil && os.SameFile(page, info)
	})
}

func (p *page) exists() error {
	return fmt.Errorf("--html %s: the file exists; name another, or add --overwrite", p.file)
}

// write writes the page, if one is asked for, and says where it is: on standard output, unless
// that is for a program to read.
func (p *page) write(out, errOut io.Writer, asJSON bool) error {
	if p.file == "" {
		return nil
	}
	if err := p.save(); err != nil {
		return err
	}
	if asJSON {
		out = errOut
	}
	_, err := fmt.Fprintf(out, "page: %s\n", p.file)
	return err
}

// save writes the page under a temporary name and renames it, so that under its own name there is
// never half of it. What came to be there since check is not replaced either.
func (p *page) save() (err error) {
	temporary := fmt.Sprintf(".%s.%d", filepath.Base(p.file), os.Getpid())
	f, err := os.OpenFile(filepath.Join(filepath.Dir(p.file), temporary),
		os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("--html %s: %w; name a file that can be written", p.file, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(p.Write(f), f.Close()); err != nil {
		return runError{fmt.Errorf("--html %s: %w", p.file, err)}
	}
	return p.rename(f.Name())
}

func (p *page) rename(from string) error {
	if p.overwrite {
		return os.Rename(from, p.file)
	}
	claim, err := os.OpenFile(p.file, os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return p.exists()
	} else if err != nil {
		return fmt.Errorf("--html %s: %w", p.file, err)
	}
	if err := errors.Join(claim.Close(), os.Rename(from, p.file)); err != nil {
		return errors.Join(err, os.Remove(p.file))
	}
	return nil
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
