package verbs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// newFile is the file that --out names. It replaces no other unless --force is given.
type newFile struct {
	path  string
	force bool
}

func (n *newFile) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&n.path, "out", "", "write the results into this `file` too; - is none")
	cmd.Flags().BoolVar(&n.force, "force", false, "let --out replace a file that exists")
}

func (n *newFile) given() bool { return n.path != "" && n.path != "-" }

// check refuses a file that cannot be written, before anything is measured.
func (n *newFile) check(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("out") && n.path == "":
		return errors.New(`--out "": name a file`)
	case !n.given() && n.force:
		return errors.New("--force: there is nothing to replace without --out")
	case !n.given():
		return nil
	}
	if _, err := os.ReadDir(filepath.Dir(n.path)); err != nil {
		return fmt.Errorf("--out %s: %w; name a file in a directory that exists", n.path, err)
	}
	return n.free()
}

// free returns an error if there is something that would be replaced and may not be.
func (n *newFile) free() error {
	info, err := os.Lstat(n.path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--out %s: %w", n.path, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("--out %s: it is no file; name another", n.path)
	case !n.force:
		return fmt.Errorf("--out %s: the file exists; name another, or add --force", n.path)
	}
	return nil
}

// write writes the file under a temporary name and renames it, so that under its own name there is
// never half of it.
func (n *newFile) write(content func(io.Writer) error) (err error) {
	if !n.given() {
		return nil
	}
	f, err := os.OpenFile(fmt.Sprintf("%s.%d.part", n.path, os.Getpid()),
		os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return runError{fmt.Errorf("--out: %w", err)}
	}
	if err = errors.Join(content(f), f.Close(), n.free()); err == nil {
		err = os.Rename(f.Name(), n.path)
	}
	if err != nil {
		return runError{errors.Join(fmt.Errorf("--out %s: %w", n.path, err), os.Remove(f.Name()))}
	}
	return nil
}
