package verbs

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"memrace/store/proc"
	"memrace/stress"
)

func newServe() *cobra.Command {
	var name, file string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "keep a store for another process, over standard input and output",
		Long: `serve opens the store that --store names and does what the lines of its standard
input ask for; each answer is a line on standard output. The lines are those that memrace stress
--cmd exchanges with any child process; docs/protocol.md explains them. The end of the input ends
it.`,
		Example: `  memrace stress --cmd 'memrace serve --store wal'`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return serve(c.Context(), name, file, c.InOrStdin(), c.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&name, "store", "", "the `store` to keep, with its settings")
	cmd.Flags().StringVar(&file, "sql", "", "or the `file` of SQL that describes it")
	return cmd
}

// serve does not wait for the end of an input that never comes when ctx is cancelled.
func serve(ctx context.Context, name, file string, in io.Reader, out io.Writer) error {
	t, err := served(name, file)
	if err != nil {
		return err
	}
	open := t.open(stress.Config{}, 0)
	return unlessInterrupted(ctx, "standard input", func() error {
		if err := proc.Serve(context.WithoutCancel(ctx), in, out, open); err != nil {
			return runError{err}
		}
		return nil
	})
}

// served returns the one store that is named.
func served(name, file string) (target, error) {
	switch {
	case file != "" && name != "":
		return target{}, errors.New("--store and --sql: name one store by one of them")
	case file != "":
		found, err := findFiles([]string{file})
		if err != nil {
			return target{}, err
		}
		return found[0], nil
	case name == "" || name == "all":
		return target{}, errors.New("--store: name one store, as in --store wal")
	}
	found, err := findTargets([]string{name}, 1)
	if err != nil {
		return target{}, err
	}
	return found[0], nil
}
