package stress_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"memrace/store"
	"memrace/stress"
)

// Notes is a store of one's own: a map and a lock.
type Notes struct {
	mu   sync.RWMutex
	kept map[[2]string]string
}

// Upsert implements store.Store.
func (n *Notes) Upsert(_ context.Context, session, key, value string) (time.Time, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.kept[[2]string{session, key}] = value
	return time.Now(), nil
}

// Get implements store.Store.
func (n *Notes) Get(_ context.Context, session, key string) (string, bool, error) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	value, found := n.kept[[2]string{session, key}]
	return value, found, nil
}

// Delete implements store.Store.
func (n *Notes) Delete(_ context.Context, session, key string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.kept, [2]string{session, key})
	return nil
}

// Close implements store.Store.
func (n *Notes) Close() error { return nil }

func openNotes(context.Context, string) (store.Store, error) {
	return &Notes{kept: map[[2]string]string{}}, nil
}

func ExampleCheck() {
	dir, err := os.MkdirTemp("", "notes")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	r, err := stress.Check(context.Background(), openNotes, dir,
		stress.Config{Store: "notes", Seed: 1, For: 250 * time.Millisecond, Volatile: true})
	if err != nil {
		panic(err)
	}
	for _, v := range r.Verdicts {
		fmt.Println(v.Property, v.State)
	}
	// Output:
	// progress holds
	// isolation holds
	// integrity holds
	// uniqueness skipped
	// linearizability holds
	// final holds
}
