// Package stress is the front door: it runs a workload on a store, judges the history, and tells
// what is wrong.
//
// The way through the house, with what is handed on at each step:
//
//	workload  a seed        -> what each client does next
//	workers   steps, store  -> calls with the times of call and return
//	history   calls         -> one history, a text file
//	check     history, rows -> a verdict for each property
//	witness   a violation   -> the few operations that matter, drawn
//
// Check does all of it for one run and returns a Result; Run does it inside a Go test. A store
// needs the four methods of store.Store and a function that opens it, nothing else; only profiles
// that read and write at one instant need a store.Updater or a store.Taker.
package stress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"memrace/store"
	"memrace/store/ability"
	"memrace/store/disk"
	"memrace/stress/fault"
	"memrace/stress/history"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

// Check runs one workload on the store that open opens in a directory below dir, judges what
// happened, and tells what is wrong. The directory dir is made if need be; it must not hold an
// earlier run. The store's own files, and the evidence of a run in which not everything holds,
// are left in it.
//
// A violated property is no error: it is in the Result. An error means that the run could not be
// made or not be finished: dir or the configuration is no good (ErrUsage), or the store did not
// open, did not close, or hung in doing so. The Result is nil only if there is nothing to judge.
// Cancelling ctx ends the workload early; what there is by then is judged. Where the store lacks
// an optional method that the workload needs, no run is made, and Result.Skipped says so.
func Check(ctx context.Context, open store.Opener, dir string, c Config) (*Result, error) {
	c, err := c.WithDefaults()
	if err != nil {
		return nil, usage(err)
	}
	plan, err := workload.New(c.spec())
	if err != nil {
		return nil, usage(err)
	}
	data, err := makeRunDir(dir)
	if err != nil {
		return nil, usage(err)
	}
	if c.Faults.Mortal() {
		open = fault.Opener(open)
	}
	x := experiment{open: open, dir: dir, data: data, config: c, plan: plan}
	if err := x.perform(ctx); err != nil && x.run == nil {
		return nil, err
	} else if err != nil {
		x.trouble = err
	}
	if x.skip != "" {
		return x.skipped(x.skip), nil
	}
	result := x.judge(context.WithoutCancel(ctx))
	return result, errors.Join(x.trouble, result.save())
}

// ErrUsage is wrapped by an error that the caller can mend: a configuration out of range, a
// directory that cannot be used.
var ErrUsage = errors.New("wrong usage")

type usageError struct{ error }

func (e usageError) Is(target error) bool { return target == ErrUsage }
func (e usageError) Unwrap() error        { return e.error }

func usage(err error) error { return usageError{err} }

// dataDir is the store's own directory in that of a run.
const dataDir = "data"

// makeRunDir makes the directory of the run and in it that of the store's data.
func makeRunDir(dir string) (data string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("directory of the run: %w; name one that can be written", err)
	}
	data = filepath.Join(dir, dataDir)
	if err := os.Mkdir(data, 0o777); errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("%s holds an earlier run; name another directory", dir)
	} else if err != nil {
		return "", fmt.Errorf("directory of the store: %w; name one that can be written", err)
	}
	return data, nil
}

// experiment is one run on its way through the house.
type experiment struct {
	open      store.Opener
	dir, data string
	config    Config
	plan      *workload.Plan

	about store.Description
	run   *workers.Run // nil until the workload has begun
	skip  string       // why it never will; empty if it does
	// evidence is what the store itself said in the end.
	evidence history.Evidence
	events   []fault.Event
	struck   int64 // how often faults of the disk did
	// damage is what the store that was opened again says is not whole; nil if it is.
	damage  error
	hung    bool  // a goroutine is still inside the store and may write what it was lent
	trouble error // the store did not close or open again
	started time.Time
}

// perform opens the store, plays the workload and reads back. It sets x.run as soon as there is
// something to judge.
func (x *experiment) perform(ctx context.Context) error {
	x.started = time.Now()
	var s store.Store
	err := x.guard("open the store", func() (err error) {
		s, err = x.open(ctx, x.data)
		return err
	})
	if err != nil {
		return err
	}
	if s == nil {
		return errors.New("open the store: the opener returned neither a store nor an error")
	}
	x.describe(ctx, s)
	if err := x.bound(); err != nil {
		return errors.Join(err, x.guard("close the store", s.Close))
	}
	if x.skip = x.unfit(s); x.skip != "" {
		return x.guard("close the store", s.Close)
	}
	before := disk.Counts().Struck.All()
	if err := x.config.Faults.Begin(ctx, s); err != nil {
		return errors.Join(err, x.guard("close the store", s.Close))
	}
	run, err := x.play(ctx, s)
	x.struck = disk.Counts().Struck.All() - before
	if run == nil {
		return errors.Join(err, x.guard("close the store", s.Close))
	}
	x.run = run
	if run.Stalled != "" {
		return err
	}
	return errors.Join(err, x.lookAgain(context.WithoutCancel(ctx), s))
}

// play plays the workload and does meanwhile to the store what the configuration says. The run is
// nil if nothing was played.
func (x *experiment) play(ctx context.Context, s store.Store) (*workers.Run, error) {
	hurting, stop := context.WithCancel(ctx)
	defer stop()
	pace, over := x.config.pace(), make(chan struct{})
	pace.Over = over
	faults := x.config.Faults
	faults.Seed = cmp.Or(faults.Seed, x.config.Seed)
	var harm errgroup.Group
	harm.Go(func() (err error) {
		x.events, err = faults.Do(hurting, s, func() { close(over) })
		return err
	})
	run, err := workers.Play(ctx, s, x.plan, pace)
	stop()
	return run, errors.Join(err, harm.Wait())
}

// describe asks the store what it is. A store that cannot say is taken as it was named.
func (x *experiment) describe(ctx context.Context, s store.Store) {
	if d, ok := s.(store.Describer); ok {
		about, err := d.Describe(ctx)
		if err != nil {
			failed := store.Setting{Name: "error", Value: err.Error()}
			about.Settings = append(about.Settings, failed)
		}
		x.about = about
	}
	if x.config.Store == "" {
		x.config.Store = x.about.Name
	}
	if x.config.Store == "" {
		x.config.Store = "unnamed"
	}
}

// lookAgain reads every slot once more, lists the rows, and does so again through a fresh handle
// if the store keeps anything once it is closed.
func (x *experiment) lookAgain(ctx context.Context, s store.Store) error {
	var err error
	if x.config.Faults.CutAt == 0 {
		err = x.guard("read back", func() error { return x.readBack(ctx, s, history.Final) })
	}
	if err = errors.Join(err, x.guard("close the store", s.Close)); err != nil {
		return err
	}
	if x.volatile() {
		return nil
	}
	return x.guard("open the store again", func() error {
		opening := ctx
		if x.run.Interrupted { // nobody wants to wait for one that hangs again
			var cancel context.CancelFunc
			opening, cancel = context.WithTimeout(ctx, time.Second)
			defer cancel()
		}
		again, err := x.open(opening, x.data)
		if err != nil && x.config.Faults.CutAt != 0 {
			x.damage = err // what cannot even be opened did not survive
			return nil
		} else if err != nil {
			return err
		}
		err = x.run.ReadBack(ctx, again, history.Reopened)
		if d, ok := again.(store.Dumper); ok && x.config.Faults.CutAt != 0 {
			// Nobody could ask before the power failed. As reads these rows would be nothing new.
			rows, dumpErr := d.Dump(ctx)
			x.evidence.Rows, x.evidence.Dumped = rows, dumpErr == nil
			err = errors.Join(err, dumpErr)
		}
		if c, ok := ability.Find[store.Checker](again); ok {
			x.damage = c.Check(ctx)
		}
		return errors.Join(err, again.Close())
	})
}

func (x *experiment) readBack(ctx context.Context, s store.Store, as history.Client) error {
	if err := x.run.ReadBack(ctx, s, as); err != nil {
		return err
	}
	if d, ok := s.(store.Dumper); ok {
		rows, err := x.run.Dump(ctx, d)
		if err != nil {
			return fmt.Errorf("list the rows: %w", err)
		}
		x.evidence.Rows, x.evidence.Dumped = rows, true
	}
	if j, ok := s.(store.Journaler); ok {
		commits, kept, err := j.Commits(ctx)
		if err != nil {
			return fmt.Errorf("list the commits: %w", err)
		}
		x.evidence.Commits, x.evidence.Journaled = commits, kept
	}
	return nil
}

func (x *experiment) volatile() bool { return x.config.Volatile || x.about.Volatile }

// judge turns what happened into verdicts and stories.
func (x *experiment) judge(ctx context.Context) *Result {
	h := x.run.History(x.meta())
	if x.config.Faults.CutAt != 0 {
		h.Ops = slices.DeleteFunc(h.Ops, fault.WithoutPower)
	}
	evidence := history.Evidence{}
	if !x.hung {
		evidence = x.evidence
	}
	evidence.History = h
	h.Meta = append(h.Meta, count("operations", len(h.Ops)))
	if evidence.Dumped {
		h.Meta = append(h.Meta, count("rows", len(evidence.Rows)))
	}
	if evidence.Journaled {
		h.Meta = append(h.Meta, count("commits", len(evidence.Commits)))
	}
	verdicts, stories := Judge(ctx, evidence)
	return &Result{
		Config: x.config, About: x.about, Dir: x.dir, Started: x.started,
		Evidence: evidence, Verdicts: verdicts, Stories: stories,
		Interrupted: x.run.Interrupted, Elapsed: x.run.Elapsed, Goroutines: x.run.Stalled,
		FirstErrors: x.run.FirstErrors, Trouble: x.trouble, Events: x.events, Struck: x.struck,
	}
}
