package sqlite_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"go.uber.org/goleak"

	"memrace/store/sqlite"
)

// stormDir names the environment variable that makes this test binary one of many processes that
// open a store in the directory it holds.
const stormDir = "MEMRACE_TEST_STORM_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(stormDir); dir != "" {
		if err := storm(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// storm waits until its input ends, and then opens a store and writes one row into it.
func storm(dir string) error {
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	v, err := sqlite.ParseVariant(os.Getenv(stormDir + "_VARIANT"))
	if err != nil {
		return err
	}
	s, err := sqlite.Open(context.Background(), dir, v)
	if err != nil {
		return err
	}
	if _, err := s.Upsert(context.Background(), "storm", fmt.Sprint(os.Getpid()), "v"); err != nil {
		return err
	}
	return s.Close()
}
