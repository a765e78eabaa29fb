package verbs

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"memrace/stress"
	"memrace/stress/history"
	"memrace/stress/notation"
)

const formatFlag = "`format` of the history: auto, memrace, edn, log or jsonl"

// conversion is what the command line says about a conversion.
type conversion struct {
	from    notation.Format
	to, out string
}

func newConvert() *cobra.Command {
	var v conversion
	cmd := &cobra.Command{
		Use:   "convert FILE",
		Short: "write a history in another format",
		Long: `convert reads a history, in the format of memrace or one of Jepsen's, and writes it
as EDN, so that other checkers can judge it, or in the format of memrace. No
operation is lost either way. A file that is there already is left as it is.`,
		Example: `  memrace convert --to edn history.txt -o history.edn
  memrace convert --to memrace history.edn`,
		Args: paths("one history, or the directory of a run"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%d paths are given; want one history, or the directory of a run",
					len(args))
			}
			return unlessInterrupted(c.Context(), "converting "+args[0], func() error {
				return v.run(args[0], c.OutOrStdout())
			})
		},
	}
	cmd.Flags().StringVar(&v.to, "to", notation.EDN.String(), "`format` to write: edn or memrace")
	cmd.Flags().TextVar(&v.from, "format", notation.Auto, formatFlag)
	cmd.Flags().StringVarP(&v.out, "out", "o", "", "new `file` to write (default standard output)")
	return cmd
}

func (v conversion) run(path string, out io.Writer) error {
	write := map[string]func(io.Writer, *history.History) error{
		notation.EDN.String(): notation.WriteEDN, notation.Memrace.String(): history.Write,
	}[v.to]
	if write == nil {
		return fmt.Errorf("--to %q: want edn or memrace", v.to)
	}
	evidence, err := stress.LoadAs(path, v.from)
	if err != nil {
		return err
	}
	if v.out == "" {
		return asRunError(write(out, evidence.History))
	}
	f, err := os.OpenFile(v.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("write the conversion: %w; -o names a new file", err)
	}
	err = errors.Join(write(f, evidence.History), f.Close())
	if err != nil {
		err = errors.Join(err, os.Remove(v.out))
	}
	return asRunError(err)
}

// asRunError says of an error that it is not the caller's to mend.
func asRunError(err error) error {
	if err == nil {
		return nil
	}
	return runError{err}
}
