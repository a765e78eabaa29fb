package workers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"memrace/store"
	"memrace/store/proc"
	"memrace/store/shared"
	"memrace/stress/history"
	"memrace/stress/workload"
)

// Lacks says what a store does not have that the mix needs: "no Update", for a store that is no
// store.Updater, "no Take" and so on; "" if it has all.
func Lacks(s store.Store, mix workload.Mix) string {
	can := abilitiesOf(s)
	var lacks []string
	for _, need := range []struct {
		lacking bool
		weight  int
		method  string
	}{
		{can.updater == nil, mix.Update, "Update"},
		{can.taker == nil, mix.Take, "Take"},
		{can.lister == nil, mix.List, "List"},
		{can.clearer == nil, mix.Clear, "Clear"},
		{can.appender == nil, mix.Add + mix.Items, "Append and Items"},
	} {
		if need.lacking && need.weight > 0 {
			lacks = append(lacks, "no "+need.method)
		}
	}
	return strings.Join(lacks, " and ")
}

// Play lets all clients of the plan call the store at once and returns when they are done. What
// the store does wrong is no error: it is in the Run. An error means that nothing was played,
// since cfg is out of range or something is missing, for instance what Lacks says.
//
// When ctx is cancelled, the clients finish the call they are in and stop; what they did until
// then is kept. A store that hangs is given up after cfg.Stall: Play returns although clients
// are still inside it. Their goroutines are the only ones that may outlive Play; they end when
// the store lets them, and touch nothing of the Run any more.
func Play(
	ctx context.Context, s store.Store, plan *workload.Plan, cfg Config,
) (*Run, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("play the workload: %w", err)
	}
	if s == nil || plan == nil {
		return nil, errors.New("play the workload: there is no store or no plan")
	}
	if lack := Lacks(s, plan.Spec().Mix); lack != "" {
		return nil, fmt.Errorf("play the workload: the store has %s, which the mix needs", lack)
	}
	r := newRun(ctx, s, plan, cfg)
	var group errgroup.Group
	var ready sync.WaitGroup
	ready.Add(len(r.workers))
	for _, w := range r.workers {
		group.Go(func() error {
			ready.Done()
			w.play()
			return nil
		})
	}
	ready.Wait()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = group.Wait()
	}()
	r.gate.gather(len(r.workers))
	r.base = time.Now()
	r.gate.open.Store(true)
	r.supervise(ctx, done, cfg)
	r.collect()
	return r, nil
}

func newRun(ctx context.Context, s store.Store, plan *workload.Plan, cfg Config) *Run {
	spec := plan.Spec()
	n := spec.Clients
	r := &Run{scene: &scene{
		plan: plan, spec: spec, meeting: newBarrier(n), discard: cfg.Discard,
	}}
	// A context with a Done would not only cost: its children meet in a lock of their parent.
	c := newCaller(context.WithoutCancel(ctx), s, cfg.CallTimeout)
	base := c.ctx
	var journals []journal
	for i := range n {
		w := &worker{
			scene: r.scene, steps: plan.Client(i),
			client: history.Client(i), rest: cfg.share(i, n),
		}
		c.ctx = proc.WithSpan(shared.WithClient(base, i), &w.span)
		w.store = c
		if cfg.Discard {
			w.log = &sink{}
		} else {
			w.recorder = history.NewRecorder(plan.Run(), w.rest)
			w.log = w.recorder
		}
		r.workers = append(r.workers, w)
		journals = append(journals, w.log)
	}
	if cfg.Progress != nil {
		cfg.Progress.watch(journals)
	}
	return r
}
