package proc_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"memrace/store/proc"
)

// childVariable names the environment variable that makes this test binary a child: it holds the
// name of one of children.
const childVariable = "MEMRACE_TEST_CHILD"

func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv(childVariable); ok {
		if err := children[name](context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// child returns the command that runs this test binary as the child of that name.
func child(name string) proc.Command {
	return proc.Command{
		Argv: []string{os.Args[0]}, Env: []string{childVariable + "=" + name},
	}
}
