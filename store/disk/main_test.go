package disk_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/sync/errgroup"

	"memrace/store"
	"memrace/store/disk"
	"memrace/store/sqlite"
)

// childVariable names the environment variable that makes this test binary a child which writes
// until it loses power: it holds its orders.
const childVariable = "MEMRACE_TEST_DISK"

// orders are what a child is to do.
type orders struct {
	Dir, Variant, Faults string
	Clients              int
}

func TestMain(m *testing.M) {
	if text, ok := os.LookupEnv(childVariable); ok {
		fmt.Fprintln(os.Stderr, obey(context.Background(), text))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// obey writes rows, one after the other for each client, and tells on standard output what became
// of each. At "cut" and a seed on standard input the power goes, so it returns only what went
// wrong.
func obey(ctx context.Context, text string) error {
	var o orders
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	wrong := make(chan error, 2)
	go func() { wrong <- cutWhenTold() }() // the process ends at the first answer
	go func() { wrong <- o.write(ctx) }()
	return <-wrong
}

func cutWhenTold() error {
	var seed uint64
	if _, err := fmt.Fscanf(bufio.NewReader(os.Stdin), "cut %d\n", &seed); err != nil {
		return fmt.Errorf("hear when to cut: %w", err)
	}
	return disk.Cut(seed)
}

func (o orders) write(ctx context.Context) error {
	v, err := sqlite.ParseVariant(o.Variant + ",disk=on")
	if err != nil {
		return err
	}
	f, err := disk.ParseFaults(o.Faults)
	if err != nil {
		return err
	}
	if err := disk.Set(f); err != nil {
		return err
	}
	s, err := sqlite.Open(ctx, o.Dir, v)
	for tries := 0; err != nil && o.Faults != "" && tries < 100; tries++ {
		s, err = sqlite.Open(ctx, o.Dir, v)
	}
	if err != nil {
		return err
	}
	var g errgroup.Group
	for client := range o.Clients {
		g.Go(func() error { return writeRows(ctx, s, client, os.Stdout) })
	}
	return g.Wait()
}

// maxRows ends a child whose parent has forgotten it.
const maxRows = 1_000_000

func writeRows(ctx context.Context, s *sqlite.Store, client int, acks io.Writer) error {
	for n := 1; n <= maxRows; n++ {
		session, key, value := fmt.Sprint(client), fmt.Sprint(n), valueOf(n)
		_, err := s.Upsert(ctx, session, key, value)
		if _, err := fmt.Fprintln(acks, client, n, outcome(err)); err != nil {
			return err
		}
	}
	return fmt.Errorf("nobody cut the power in %d rows", maxRows)
}

// outcome returns what the error of a call says about it.
func outcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, store.ErrNotApplied):
		return "no"
	}
	return "unknown"
}

// valueOf returns values of all lengths up to some pages.
func valueOf(n int) string { return strings.Repeat(fmt.Sprintf("%d ", n), 1+n*331%3000) }
