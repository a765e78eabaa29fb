package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"memrace/store/proc"
	"memrace/stress"
)

func newServe() *cobra.Command {
	var stores, files []string
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
			t, err := served(stores, files)
			if err != nil {
				return err
			}
			return serve(c.Context(), t, c.InOrStdin(), c.OutOrStdout())
		},
	}
	cmd.Flags().StringArrayVar(&stores, "store", nil, "the `store` to keep, with its settings")
	cmd.Flags().StringArrayVar(&files, "sql", nil, "or the `file` of SQL that describes it")
	return cmd
}

// serve does not wait for the end of an input that never comes when ctx is cancelled.
func serve(ctx context.Context, t target, in io.Reader, out io.Writer) error {
	open := t.open(stress.Config{}, 0)
	return unlessInterrupted(ctx, "standard input", func() error {
		if err := proc.Serve(context.WithoutCancel(ctx), in, out, open); err != nil {
			return runError{err}
		}
		return nil
	})
}

// served returns the one store that is named.
func served(stores, files []string) (target, error) {
	named := len(stores) + len(files)
	switch {
	case named > 1:
		return target{}, fmt.Errorf("--store and --sql: %d stores are named; name one store by "+
			"one of them", named)
	case named == 0 || slices.Contains(stores, "") || slices.Contains(stores, "all"):
		return target{}, errors.New("--store: name one store, as in --store wal")
	}
	found, err := findTargets(stores, 1)
	if err == nil && len(files) > 0 {
		found, err = findFiles(files)
	}
	if err != nil {
		return target{}, err
	}
	return found[0], nil
}
