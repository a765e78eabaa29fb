// Command racy plays a workload on a store that has a data race, for a test that requires that
// the race detector sees it through the workers.
//
// Two clients touch the same word without any synchronisation, one of them at its beginning and
// the other one at its end, so the two sides are far apart in time. The detector sees that only
// if nothing that happens in between puts the two clients in an order. With the argument
// "ordered" the store counts all calls, as a recorder or a clock that the clients shared would;
// the counter guards nothing, and yet the race is hardly ever seen any more.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"memrace/stress/workers"
	"memrace/stress/workload"
)

const opsOfEach = 300

// racy keeps nothing but a word that it should have guarded.
type racy struct {
	ordered bool
	last    string // how the value of the late access is known
	calls   atomic.Int64
	word    int
}

// Upsert touches the word when the client that is named in the value is at the right step.
func (r *racy) Upsert(_ context.Context, _, _, value string) (time.Time, error) {
	if r.ordered {
		r.calls.Add(1)
	}
	if strings.Contains(value, ".c0.0.") || strings.Contains(value, r.last) {
		r.word++
	}
	return time.Time{}, nil
}

func (r *racy) Get(context.Context, string, string) (string, bool, error) { return "", false, nil }
func (r *racy) Delete(context.Context, string, string) error              { return nil }
func (r *racy) Close() error                                              { return nil }

func main() {
	plan, err := workload.New(workload.Spec{Clients: 2, Mix: workload.Mix{Upsert: 1}})
	if err == nil {
		s := &racy{
			ordered: len(os.Args) > 1 && os.Args[1] == "ordered",
			last:    fmt.Sprintf(".c1.%d.", opsOfEach-1),
		}
		_, err = workers.Play(context.Background(), s, plan, workers.Config{Ops: 2 * opsOfEach})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
