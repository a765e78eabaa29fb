package bench_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/store"
	"memrace/stress/workload"
)

// fake is a store that keeps nothing. An upsert does what it is told.
type fake struct {
	upsert func(value string) error // nil does nothing
	closed func()                   // told that it is closed; may be nil
}

func (f *fake) Upsert(_ context.Context, _, _, value string) (time.Time, error) {
	if f.upsert == nil {
		return time.Time{}, nil
	}
	return time.Time{}, f.upsert(value)
}

func (f *fake) Get(context.Context, string, string) (string, bool, error) { return "", false, nil }

func (f *fake) Delete(context.Context, string, string) error { return nil }

func (f *fake) Close() error {
	if f.closed != nil {
		f.closed()
	}
	return nil
}

// always opens the same fake.
func always(f *fake) store.Opener {
	return func(context.Context, string) (store.Store, error) { return f, nil }
}

// pause waits, as a store does that is slow.
func pause(d time.Duration) { <-time.After(d) }

// quick is a config for stores that are fast.
func quick() bench.Config {
	return bench.Config{Rounds: 1, For: 50 * time.Millisecond, Sessions: 2, Keys: 2, ValueSize: 64}
}

// unhurried is a config for counting what is due: what a busy machine keeps waiting is made yet.
func unhurried() bench.Config {
	c := quick()
	c.For = 200 * time.Millisecond
	return c
}

func upserts(clients, rate int) bench.Load {
	return bench.Load{Mix: workload.Mix{Upsert: 1}, Clients: clients, Rate: rate}
}

// one makes one turn.
func one(t *testing.T, f *fake, l bench.Load, c bench.Config) *bench.Turn {
	t.Helper()
	subjects := []bench.Subject{{Store: "fake", Open: always(f)}}
	turns, err := bench.Run(t.Context(), t.TempDir(), subjects, []bench.Load{l}, c, nil)
	require.NoError(t, err)
	require.Len(t, turns, 1)
	return turns[0]
}

// clientOf returns the number of the client that wrote a value.
func clientOf(value string) (n int) {
	if _, err := fmt.Sscanf(value, "value of client %d ", &n); err != nil {
		return -1
	}
	return n
}
