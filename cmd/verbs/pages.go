package verbs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"memrace/bench"
	html "memrace/report"
	"memrace/stress/check"
)

// reportFlags is what the command line says about a page of measurements and runs.
type reportFlags struct {
	check    checkFlags
	pictures string   // the directory of pictures; empty if a page is asked for
	paths    []string // those that were read
}

func newReport() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report FILE|DIR...",
		Short: "draw what was measured and judged as one HTML page",
		Long: `report makes one HTML page of files that memrace bench wrote, with the latencies over
time that stand beside them (new.hlog beside new.txt), of histories and directories of runs that
memrace stress kept, and of tables of mutants such as results/mutants.txt. The page needs nothing
else: no script, no font, no network. docs/benchmarks.md says how to read it.

With --svg it writes throughput.svg, latency.svg and figures.md instead, a table of what the
pictures show: the first mix in the files.

Exit status: 0 the page is written, whatever it shows; 2 wrong usage, or a file that is no good,
and then nothing is written.`,
		Example: `  memrace report new.txt -o report.html
  memrace report new.txt results/runs results/mutants.txt --force
  memrace report --svg results new.txt`,
		Args: paths("a file of benchmarks, the directory of a run, or a directory of runs"),
		RunE: f.run,
	}
	page, flags := &f.check.page, cmd.Flags()
	page.flag = "out"
	flags.StringVarP(&page.file, page.flag, "o", "report.html", "write the page into this `file`")
	flags.BoolVar(&page.force, "force", false, "replace files that exist")
	flags.StringVar(&f.pictures, "svg", "",
		"write pictures for a document into this `directory`, and no page")
	return cmd
}

func (f *reportFlags) run(c *cobra.Command, args []string) error {
	page := &f.check.page
	targets, err := f.targets(c)
	if err != nil {
		return err
	}
	for _, t := range targets {
		if err := t.check(); err != nil {
			return err
		}
	}
	paths := findRuns(args, c.ErrOrStderr())
	for _, t := range targets {
		if err := t.spare(paths); err != nil {
			return err
		}
	}
	if err := f.readAll(c, paths); err != nil {
		return err
	}
	for _, w := range page.Warnings() {
		fmt.Fprintf(c.ErrOrStderr(), "memrace: warning: %s\n", visibleLines(w))
	}
	if f.pictures == "" {
		return page.write(c.OutOrStdout(), c.ErrOrStderr(), false)
	}
	return f.draw(targets, c.OutOrStdout())
}

// targets are the files that will be written.
func (f *reportFlags) targets(c *cobra.Command) ([]*outFile, error) {
	page := &f.check.page
	switch {
	case page.file == "":
		return nil, errors.New(`--out "": name a file`)
	case !c.Flags().Changed("svg"):
		return []*outFile{&page.outFile}, nil
	case f.pictures == "":
		return nil, errors.New(`--svg "": name a directory`)
	case c.Flags().Changed(page.flag):
		return nil, errors.New("--svg and --out: with pictures there is no page; leave one out")
	}
	var targets []*outFile
	for _, name := range append(html.PictureNames(), html.FiguresName) {
		targets = append(targets, &outFile{flag: "svg", file: filepath.Join(f.pictures, name),
			force: page.force})
	}
	return targets, nil
}

// spare refuses a file that would be written over what is to be shown: a file, the log of latencies
// beside it, and whatever there is in the directory of a run.
func (t *outFile) spare(shown []string) error {
	files := slices.Clone(shown)
	for _, path := range shown {
		files = append(files, (&newFile{path: path}).log())
	}
	inside, err := t.isInside(shown)
	if err == nil && (inside || t.isOneOf(files)) {
		err = fmt.Errorf("--%s %s: that is what is to be shown; name another file", t.flag, t.file)
	}
	return err
}

// isInside reports whether the file exists, and is somewhere in one of the directories.
func (t *outFile) isInside(dirs []string) (bool, error) {
	path, err := filepath.EvalSymlinks(t.file)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		path, err = filepath.Abs(path)
	}
	for parent := filepath.Dir(path); err == nil && path != parent; parent = filepath.Dir(path) {
		if path = parent; (&outFile{file: path}).isOneOf(dirs) {
			return true, nil
		}
	}
	return false, err
}

// readAll takes in what the paths have. What is wrong with each is said in a line of its own, and
// is an error that has been said.
func (f *reportFlags) readAll(c *cobra.Command, paths []string) error {
	var failed error
	for _, path := range paths {
		err := unlessInterrupted(c.Context(), "reading "+path, func() error {
			return f.read(c.Context(), path)
		})
		if c.Context().Err() != nil {
			return err
		}
		if err != nil {
			fmt.Fprintln(c.ErrOrStderr(), "memrace: "+visible(oneLine(err)))
			failed = cmp.Or(failed, err)
		}
	}
	if failed != nil {
		return exit(statusOf(failed))
	}
	return nil
}

// read takes in a path: what it is, it says itself.
func (f *reportFlags) read(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("read what is to be shown: %w", err)
	case (&outFile{file: path}).isOneOf(f.paths):
		return fmt.Errorf("read what is to be shown: %s is named twice", path)
	}
	f.paths = append(f.paths, path)
	switch {
	case info.IsDir() && !isRun(path):
		return fmt.Errorf("%s is no directory of a run, nor one that has some", path)
	case info.IsDir():
		_, err := f.check.judge(ctx, path, check.Properties())
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read what is to be shown: %w", err)
	}
	page := &f.check.page
	switch {
	case bytes.HasPrefix(text, []byte("memrace-history")):
		_, err := f.check.judge(ctx, path, check.Properties())
		return err
	case html.IsMutants(string(text)):
		return page.AddMutants(string(text), path)
	}
	if err := page.AddBenchmarks(text, path); err != nil {
		return err
	}
	return readLatencies(page, path)
}

// readLatencies takes in the log of latencies beside a file of benchmarks, if there is one.
func readLatencies(page *page, path string) error {
	log := (&newFile{path: path}).log()
	in, err := os.Open(log)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("read latencies: %w", err)
	}
	all, err := bench.ReadLatencies(in, log)
	if err := errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("%w; move the log away to go without it", err)
	}
	if err := page.AddLatencies(all, path); err != nil {
		return fmt.Errorf("read latencies: %s: %w; move the log away to go without it", log, err)
	}
	return nil
}

// draw writes the pictures, and says where they are.
func (f *reportFlags) draw(targets []*outFile, out io.Writer) error {
	pictures, err := f.check.page.Pictures()
	if err != nil {
		return err
	}
	figures, err := f.check.page.Figures()
	if err != nil {
		return err
	}
	pictures = append(pictures, html.Picture{Name: html.FiguresName, SVG: []byte(figures)})
	for i, picture := range pictures {
		err := targets[i].save(func(w io.Writer) error {
			_, err := w.Write(picture.SVG)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "picture: %s\n", targets[i].file)
	}
	return nil
}
