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

// content writes what is to be in a file.
type content func(io.Writer) error

// write writes both files, or after an error neither.
func (n *newFile) write(file, log content) (err error) {
	if !n.given() {
		return nil
	}
	var left []string // what there is, if anything goes wrong
	defer func() {
		for _, path := range left {
			if err != nil {
				err = errors.Join(err, os.Remove(path))
			}
		}
	}()
	outLog, outFile := n.files()
	logPart, err := outLog.part(log)
	if err != nil {
		return err
	}
	left = []string{logPart}
	filePart, err := outFile.part(file)
	if err != nil {
		return err
	}
	left = []string{logPart, filePart}
	if err := outLog.rename(logPart); err != nil {
		return err
	}
	left = []string{outLog.file, filePart}
	return outFile.rename(filePart)
}
