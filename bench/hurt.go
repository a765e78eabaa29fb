package bench

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"memrace/store"
	"memrace/store/disk"
	"memrace/stress/fault"
	"memrace/stress/workload"
)

// playHurt is play with the faults that the store is to have meanwhile.
func (t *Turn) playHurt(ctx context.Context, s store.Store, plan *workload.Plan, c Config) error {
	if c.Faults.None() {
		return t.play(ctx, s, plan, c)
	}
	before := disk.Counts().Struck.All()
	if err := c.Faults.Begin(ctx, s); err != nil {
		return err
	}
	doing, stop := context.WithCancel(ctx)
	defer stop()
	var group errgroup.Group
	group.Go(func() error {
		events, err := c.Faults.Do(doing, s, stop)
		for _, e := range events {
			if e.What == fault.Locked {
				t.Struck++
			}
		}
		return err
	})
	err := t.play(ctx, s, plan, c)
	stop()
	err = errors.Join(err, group.Wait())
	t.Struck += int(disk.Counts().Struck.All() - before)
	return err
}
