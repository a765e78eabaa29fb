package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"memrace/store"
	"memrace/stress/workers"
)

// Run makes the turns of all rounds: in each round every load has its turn on every store, one
// store after the other, so that what changes on the machine changes for all of them. Each turn
// has a directory of its own below dir, which is removed after it. Before each turn next is told
// what comes, unless it is nil.
//
// An error, that of ctx included, ends it; the turns of the rounds that were finished by then are
// returned with it.
func Run(ctx context.Context, dir string, subjects []Subject, loads []Load, c Config,
	next func(Subject, Load),
) ([]*Turn, error) {
	if err := validate(subjects, loads, c); err != nil {
		return nil, fmt.Errorf("run benchmarks: %w", err)
	}
	var finished []*Turn
	for round := range c.Rounds {
		var turns []*Turn
		for _, l := range loads {
			for _, s := range subjects {
				if next != nil {
					next(s, l)
				}
				t, err := turnIn(ctx, dir, round, s, l, c)
				if err != nil {
					return finished, fmt.Errorf("%s: %w", s.Store, err)
				}
				turns = append(turns, t)
			}
		}
		finished = append(finished, turns...)
	}
	return finished, nil
}

func validate(subjects []Subject, loads []Load, c Config) error {
	if len(subjects) == 0 || len(loads) == 0 {
		return errors.New("there is no store or no load")
	}
	if err := c.Validate(); err != nil {
		return err
	}
	for _, l := range loads {
		if err := l.Validate(c); err != nil {
			return err
		}
	}
	return nil
}

// turnIn makes a turn in a directory of its own.
func turnIn(
	ctx context.Context, dir string, round int, s Subject, l Load, c Config,
) (t *Turn, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	own, err := os.MkdirTemp(dir, fmt.Sprintf("round-%d-", round))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(own)) }()
	if s.Play != nil {
		t, err = s.Play(ctx, own, l, c)
	} else {
		t, err = turn(ctx, own, s, l, c)
	}
	if err != nil {
		return nil, err
	}
	t.Subject, t.Round = s, round
	return t, nil
}

// Describe opens each store once below dir, so that what is wrong with one is known before anything
// is measured, and returns what each says of itself. A store that lacks what a load needs is an
// error. One that cannot describe itself, or be opened, has an empty description.
func Describe(
	ctx context.Context, dir string, subjects []Subject, loads []Load,
) ([]store.Description, error) {
	var all []store.Description
	for i, s := range subjects {
		own := filepath.Join(dir, fmt.Sprintf("describe-%d", i))
		if err := os.Mkdir(own, 0o777); err != nil {
			return nil, err
		}
		d, err := describe(ctx, own, s, loads)
		if err := errors.Join(err, os.RemoveAll(own)); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Store, err)
		}
		all = append(all, d)
	}
	return all, nil
}

func describe(
	ctx context.Context, dir string, s Subject, loads []Load,
) (d store.Description, err error) {
	if s.Open == nil {
		return d, nil
	}
	opened, err := s.Open(ctx, dir)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	for _, l := range loads {
		if lack := workers.Lacks(opened, l.Mix); lack != "" {
			return d, fmt.Errorf("the store has %s, which the mix %s needs", lack, l.Mix)
		}
	}
	if can, ok := opened.(store.Describer); ok {
		return can.Describe(ctx)
	}
	return d, nil
}
