package verbs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// newFile is the file that --out names, and the log of latencies beside it. They replace no others
// unless --force is given.
type newFile struct {
	path  string
	force bool
}

func (n *newFile) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&n.path, "out", "", "write the results into this `file` too, and the "+
		"latencies over time into one beside it with the ending .hlog; - is none")
	cmd.Flags().BoolVar(&n.force, "force", false, "let --out replace files that exist")
}

func (n *newFile) given() bool { return n.path != "" && n.path != "-" }

// log is where the log goes: new.hlog beside new.txt.
func (n *newFile) log() string {
	return strings.TrimSuffix(n.path, filepath.Ext(n.path)) + ".hlog"
}

// files are the log and the file.
func (n *newFile) files() (log, file outFile) {
	log = outFile{flag: "out", file: n.log(), force: n.force}
	file = log
	file.file = n.path
	return log, file
}

// check refuses files that cannot be written, before anything is measured.
func (n *newFile) check(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("out") && n.path == "":
		return errors.New(`--out "": name a file`)
	case !n.given() && n.force:
		return errors.New("--force: there is nothing to replace without --out")
	case !n.given():
		return nil
	case n.log() == n.path:
		return fmt.Errorf("--out %s: the log of latencies will have this name; take one that ends "+
			"in .txt", n.path)
	}
	log, file := n.files()
	if err := file.check(); err != nil {
		return err
	}
	return log.check()
}

// replaced are those of the files that writing them would replace.
func (n *newFile) replaced() (paths []string) {
	for _, path := range []string{n.path, n.log()} {
		if _, err := os.Lstat(path); n.given() && err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// asPart is the file beside n for a part of what was to be in it: new.partial.txt.
func (n *newFile) asPart() newFile {
	ext := filepath.Ext(n.path)
	return newFile{path: strings.TrimSuffix(n.path, ext) + ".partial" + ext, force: n.force}
}

// content writes what is to be in a file.
type content func(io.Writer) error

// write writes the file, and then the log: without a log the file is worth as much. A log that was
// there before is that of another file then, and goes with it.
func (n *newFile) write(file, log content) error {
	if !n.given() {
		return nil
	}
	outLog, outFile := n.files()
	if err := outFile.save(file); err != nil {
		return err
	}
	err := outLog.save(log)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%w; %s is written all the same", err, n.path)
	if !n.force {
		return err
	}
	if stale := os.Remove(n.log()); !errors.Is(stale, os.ErrNotExist) {
		err = errors.Join(err, stale)
	}
	return err
}
