package verbs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memrace/store/proc"
	"memrace/stress"
	"memrace/stress/check"
)

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
	r, err := stress.Check(ctx, p.target.open(p.config, 0), dir, p.config)
	if err == nil && (r.Skipped != "" || !o.keep && r.State() == check.Holds) {
		err = os.RemoveAll(dir)
	}
	if err != nil && !errors.Is(err, stress.ErrUsage) {
		if r == nil {
			err = withStderr(err, dir)
		}
		err = runError{withRemedy(err)}
	}
	return r, err
}

// withRemedy adds to an error of a child that was too slow to open what gives it more time.
func withRemedy(err error) error {
	var said *proc.Error
	if errors.As(err, &said) && said.What == "init" && said.Class() == "hang" {
		return fmt.Errorf("%w; a longer --stall gives it more time", err)
	}
	return err
}

// withStderr adds to an error where the standard error of the children of a run is, if they wrote
// any.
func withStderr(err error, dir string) error {
	files, _ := fs.Glob(os.DirFS(dir), "*/stderr-*.txt") // it is a good pattern
	if len(files) == 0 {
		return err
	}
	return fmt.Errorf("%w; its standard error is in %s", err,
		filepath.Join(dir, strings.Join(files, ", ")))
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
