package stress

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"memrace/stress/check"
	"memrace/stress/history"
)

// Names of the files in the directory of a run.
const (
	HistoryFile  = "history.txt"
	RowsFile     = "rows.txt"
	CommitsFile  = "commits.txt"
	VerdictsFile = "verdicts.txt"
	StoryFile    = "story.txt"
)

// save writes the evidence into the directory of the run, unless there is nothing in it that
// anybody would look for.
func (r *Result) save() error {
	if !r.Config.Keep && r.State() == check.Holds {
		return nil
	}
	files := []struct {
		name  string
		write func(io.Writer) error
	}{
		{HistoryFile, func(w io.Writer) error { return history.Write(w, r.Evidence.History) }},
		{VerdictsFile, func(w io.Writer) error { return WriteVerdicts(w, r.Verdicts) }},
		{RowsFile, func(w io.Writer) error { return history.WriteRows(w, r.Evidence.Rows) }},
		{CommitsFile, func(w io.Writer) error {
			return history.WriteCommits(w, r.Evidence.Commits)
		}},
		{StoryFile, r.writeStories},
		{"goroutines.txt", func(w io.Writer) error {
			_, err := io.WriteString(w, r.Goroutines)
			return err
		}},
	}
	for _, f := range files {
		if f.name == RowsFile && !r.Evidence.Dumped ||
			f.name == CommitsFile && !r.Evidence.Journaled ||
			f.name == StoryFile && len(r.Stories) == 0 ||
			f.name == "goroutines.txt" && r.Goroutines == "" {
			continue
		}
		write := func(out *os.File) error { return buffered(out, f.write) }
		if err := writeFile(filepath.Join(r.Dir, f.name), write); err != nil {
			return fmt.Errorf("keep the evidence: %w", err)
		}
	}
	return nil
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// writeFile writes a file under a temporary name and renames it, so that under its own name
// there is never half of it.
func writeFile(path string, write func(*os.File) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func (r *Result) writeStories(w io.Writer) error {
	for _, s := range r.Stories {
		if _, err := fmt.Fprintln(w, s); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, r.footer())
	return err
}

// footer says where the evidence is and how to repeat the run.
func (r *Result) footer() string {
	var b strings.Builder
	fmt.Fprintf(&b, "history: %s\n", filepath.Join(r.Dir, HistoryFile))
	fmt.Fprintf(&b, "repeat:  %s\n", r.Config.Command())
	return b.String()
}

// meta returns the header lines of the history.
func (x *experiment) meta() []history.Meta {
	c := x.config
	meta := append([]history.Meta{{Name: "store", Value: c.Store}}, x.plan.Spec().Meta()...)
	meta = append(meta,
		history.Meta{Name: "started", Value: x.started.UTC().Format("2006-01-02T15:04:05Z")},
		history.Meta{Name: "elapsed", Value: x.run.Elapsed.String()},
		history.Meta{Name: "repeat", Value: c.Command()})
	if x.volatile() {
		meta = append(meta, history.Meta{Name: "volatile", Value: "true"})
	}
	if x.run.Stalled != "" {
		meta = append(meta, history.Meta{Name: "hang", Value: firstLine(x.run.Stalled)})
	}
	if x.damage != nil && !x.hung {
		meta = append(meta, history.Meta{Name: "damage", Value: x.damage.Error()})
	}
	if x.about.Lossy {
		meta = append(meta, history.Meta{Name: "lossy", Value: "true"})
	}
	if !c.Faults.None() {
		meta = append(meta, history.Meta{Name: "faults", Value: c.Faults.String()})
	}
	for _, e := range x.events {
		meta = append(meta, x.eventMeta(e))
	}
	for _, s := range x.about.Settings {
		meta = append(meta, history.Meta{Name: "setting", Value: s.Name + "=" + s.Value})
	}
	return meta
}

// count is the header line that tells a whole file from one that was cut off at the end of a line.
func count(name string, n int) history.Meta {
	return history.Meta{Name: name, Value: strconv.Itoa(n)}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
