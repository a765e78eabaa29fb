// Package verbs is the command memrace, for whoever builds it with more drivers than it has: each
// verb is one file. What a verb does is in the packages below stress; here is only what a person
// at a terminal needs: flags, tables, progress and the exit status.
package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/history"
)

// The exit statuses.
const (
	statusHolds     = 0 // everything that was judged holds
	statusViolated  = 1 // something is violated
	statusUsage     = 2 // a flag, a file or a directory is no good
	statusUndecided = 3 // undecided, or the run could not be made
)

// exit is an error that carries nothing but the status: what there was to say has been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Main is the whole program: it does what the command line says, and ends the process.
func Main() {
	ctx, stop := signal.NotifyContext(context.Background(), ends()...)
	// A second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// ends are the signals that ask for the end. That a terminal is gone is one of them, unless nohup
// has the program outlive it.
func ends() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// run is the whole program but for the process round it.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	written := &sink{Writer: out}
	root.SetOut(written)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if written.err != nil {
		fmt.Fprintf(errOut, "memrace: write standard output: %v\n", written.err)
		return statusUndecided
	}
	if err == nil {
		return statusHolds
	}
	var status exit
	if errors.As(err, &status) {
		return int(status)
	}
	fmt.Fprintln(errOut, "memrace: "+visible(oneLine(err)))
	return statusOf(err)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "memrace",
		Short: "is this store of agent memory right under concurrency?",
		Long: `memrace hammers a store of agent memory with concurrent clients, keeps every call in
a history, judges the history, and tells what is wrong as a story of a few operations.

Exit status: 0 everything holds; 1 something is violated; 2 wrong usage;
3 undecided, or the run could not be made.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newStress(), newCheck(), newConvert(), newMutants(), newList(), newServe(),
		newBench(), newCompare(), newReport())
	return root
}

// statusOf tells what the caller can mend from what went wrong in the run. Cobra's own errors,
// on flags and arguments, are of the first sort.
func statusOf(err error) int {
	var made runError
	if errors.As(err, &made) && !errors.Is(err, stress.ErrUsage) {
		return statusUndecided
	}
	return statusUsage
}

// runError is an error of a run that was asked for properly.
type runError struct{ error }

func (e runError) Unwrap() error { return e.error }

// oneLine folds an error into one line.
func oneLine(err error) string {
	var syntax *history.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Error()
	}
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool {
		return r == '\n' || r == '\r'
	}), "; ")
}

// statusOfState turns the worst state of all runs into an exit status.
func statusOfState(s check.State) error {
	switch s {
	case check.Violated:
		return exit(statusViolated)
	case check.Holds:
		return nil
	}
	return exit(statusUndecided)
}
