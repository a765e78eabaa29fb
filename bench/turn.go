package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"memrace/store"
	"memrace/stress/workload"
)

// Turn is what came of one load on one store, in a database of its own.
type Turn struct {
	Subject Subject
	Load    Load
	// Round counts from 0.
	Round int
	// For is how long was measured.
	For time.Duration
	// Kinds are the kinds of operation of the mix, in its order.
	Kinds []*Kind
	// Intervals are those of each of Kinds, in the same order, from the beginning to the end of
	// the measured time; nil for a program that measures itself.
	Intervals [][]Interval
	// Fewest and Most are how many operations of a client were Done, of the one that got on worst
	// and of the one that got on best.
	Fewest, Most int
	// CPU is the processor time of the process, Objects and Bytes are what Go allocated; all 0 for
	// a store outside.
	CPU            time.Duration
	Objects, Bytes uint64
	// Fsyncs, Written and Commits are what SQLite did to its files: how often it had one pressed
	// onto the disk, how many bytes it wrote, and how many transactions into a write-ahead log.
	// They are 0 for a store outside, and where disk.CountAll did not or could not count.
	Fsyncs, Written, Commits int64
	// WAL is how large the write-ahead logs are at the end, in bytes; 0 where there are none.
	WAL int64
	// Struck is how often the faults struck, from before the measured time on.
	Struck int
	// Queue is what a rate did; nil in a closed loop.
	Queue *Queue
}

// Queue is what became of the operations that were due.
type Queue struct {
	// Half and End are how many operations were due but not begun in the middle and at the end of
	// the measured time.
	Half, End int
	// Left is how many of those were never made, since the queue did not get shorter soon enough.
	Left int
	// Late is by how much the measurement itself was late to say that an operation was due: a 99th
	// percentile, 0 where they are too few. That much of each latency is none of the store's doing.
	Late time.Duration
}

// All adds up the kinds of operation.
func (t *Turn) All() *Kind {
	all := &Kind{}
	for _, k := range t.Kinds {
		all.Add(k)
	}
	return all
}

// PerSecond is how many operations took effect in a second.
func (t *Turn) PerSecond() float64 { return float64(t.All().Done) / t.For.Seconds() }

// Outrun reports whether the store could not do what was due: the queue grew throughout, or most of
// what was due was still in it at the end, as on a machine so busy that the middle was missed.
func (t *Turn) Outrun() bool {
	if t.Queue == nil || t.Queue.End <= t.Load.Clients {
		return false
	}
	due := float64(t.Load.Rate) * t.For.Seconds()
	grew := t.Queue.End > t.Queue.Half || float64(t.Queue.End) > due/2
	return grew && t.PerSecond() < 0.95*float64(t.Load.Rate)
}

// patience is for how long a store may keep a call after the end of the time before it is said to
// hang; a store that waits for a lock may well take ten seconds.
const patience = time.Minute

// turn opens a store in dir, fills it, and puts the load on it.
func turn(ctx context.Context, dir string, s Subject, l Load, c Config) (t *Turn, err error) {
	plan, err := l.plan(c)
	if err != nil {
		return nil, err
	}
	opened, err := s.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	if err := fill(ctx, opened, plan); err != nil {
		return nil, errors.Join(fmt.Errorf("fill it: %w", err), opened.Close())
	}
	t = &Turn{Subject: s, Load: l, For: c.For, Kinds: newKinds(l.Mix)}
	if err := t.playHurt(ctx, opened, plan, c); err != nil {
		return nil, err // it may hang, and so would Close
	}
	t.WAL, err = logSize(dir)
	if err := errors.Join(err, opened.Close()); err != nil {
		return nil, err
	}
	return t, ctx.Err()
}

// fill gives every slot a value, so that reads find one.
func fill(ctx context.Context, s store.Store, plan *workload.Plan) error {
	c := newClient(&turnClock{}, s, plan, 0)
	for i := range uint32(plan.Spec().Sessions * plan.Spec().Keys) {
		slot := plan.Slot(i)
		if _, err := s.Upsert(ctx, slot.Session, slot.Key, c.text); err != nil {
			return err
		}
	}
	return nil
}

// logSize is how large the write-ahead logs in a directory are.
func logSize(dir string) (size int64, err error) {
	logs, err := filepath.Glob(filepath.Join(dir, "*-wal"))
	for _, log := range logs {
		info, failed := os.Stat(log)
		if err = errors.Join(err, failed); failed == nil {
			size += info.Size()
		}
	}
	return size, err
}

// play has all clients call the store, and measures.
func (t *Turn) play(ctx context.Context, s store.Store, plan *workload.Plan, c Config) error {
	clock := newTurnClock(c)
	var pace *pacer
	if t.Load.Rate > 0 {
		pace = newPacer(clock, t.Load.Rate)
	}
	var clients []*client
	for i := range t.Load.Clients {
		clients = append(clients, newClient(clock, s, plan, i))
	}
	var group errgroup.Group
	begin := make(chan struct{})
	for _, c := range clients {
		group.Go(func() error {
			<-begin
			if pace == nil {
				c.closed()
			} else {
				c.open(pace.queue)
			}
			return nil
		})
	}
	runtime.GC() // what others have left behind is not cleared away in this turn
	clock.base = time.Now()
	close(begin)
	if pace != nil {
		group.Go(func() error { pace.run(); return nil })
	}
	t.watch(ctx, clock, pace)
	if err := wait(&group, patience+c.For); err != nil {
		return err
	}
	t.collect(clients, pace)
	return nil
}

// watch lets the time pass, and notes at its turns what the process has used, and how long the
// queue is. It ends the turn early when ctx is cancelled.
func (t *Turn) watch(ctx context.Context, clock *turnClock, pace *pacer) {
	until := func(at int64) {
		select {
		case <-time.After(time.Duration(at - clock.now())):
		case <-ctx.Done():
			clock.stop.Store(true)
		}
	}
	if pace != nil {
		t.Queue = &Queue{}
	}
	until(clock.start)
	clock.pass(clock.start)
	until((clock.start + clock.end) / 2)
	if pace != nil {
		t.Queue.Half = pace.waiting()
	}
	until(clock.end)
	if pace != nil {
		t.Queue.End = pace.waiting()
	}
	clock.pass(clock.end)
	if !t.Subject.Outside {
		t.used(clock.bounds[1].spent.since(clock.bounds[0].spent))
	}
}

// used notes what the process has used.
func (t *Turn) used(s spent) {
	t.CPU, t.Objects, t.Bytes = s.cpu, s.objects, s.bytes
	t.Fsyncs, t.Written, t.Commits = s.fsyncs, s.written, s.commits
}

// collect takes in what the clients have counted, once they are done.
func (t *Turn) collect(clients []*client, pace *pacer) {
	for range t.Kinds {
		t.Intervals = append(t.Intervals, newIntervals(t.For))
	}
	for i, c := range clients {
		done := 0
		for j, k := range c.kinds {
			t.Kinds[j].Add(&k.Kind)
			k.samples.addTo(t.Intervals[j])
			done += k.Done
		}
		if t.Most = max(t.Most, done); i == 0 || done < t.Fewest {
			t.Fewest = done
		}
	}
	for j, k := range t.Kinds {
		for _, i := range t.Intervals[j] {
			i.Took.MergeInto(k.took)
		}
	}
	if pace != nil {
		t.Queue.Left = len(pace.queue)
		t.Queue.Late = latency(pace.late, 99)
	}
}

// wait returns when all clients are done, or an error once they hang.
func wait(group *errgroup.Group, longest time.Duration) error {
	done := make(chan error, 1)
	go func() { done <- group.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(longest):
		return fmt.Errorf("the store hangs: calls have not returned %v after the end", longest)
	}
}
