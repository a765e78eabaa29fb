// Package proc keeps a store in a child process, which may be written in any language: Open and
// Command are the near end, Serve is the far end round any store in Go. Between them are lines of
// JSON, which docs/protocol.md explains.
//
// It belongs here if it is about the protocol or about processes. What a store does with its data
// is the child's business.
package proc

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"memrace/store/disk"
)

// Store is a store that a child process keeps. Open makes one; the zero Store is of no use.
// It has every optional method of a store; those that the child does not have end with an error
// that wraps store.ErrNotApplied. Limited takes them off. Its errors are *Error.
type Store struct {
	command Command
	dir     string
	child   *child
	out     *outbox
	clock   clock // zero if the child sends no times
	hello   greeting
	close   func() error

	calls  calls
	work   sync.WaitGroup // the goroutines of this store
	gone   chan struct{}  // closed when the child has ended and all calls have failed
	wrong  error          // from then on: what it said that is no answer
	left   bool           // and whether something of its group was left behind
	killed atomic.Bool
}

// file is the name of the database that a child is told to use.
const file = "memories.db"

// Open starts the child and has it open its store in the directory dir. The error says what the
// child said last if it ends, does not answer in time, or answers what is no greeting. When ctx
// ends later on, a child that leaves a call without an answer for a second is killed.
func Open(ctx context.Context, dir string, c Command) (*Store, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("start a child: %w", err)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("start a child: %w", err)
	}
	child, err := start(c)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	s := &Store{command: c, dir: dir, child: child, out: newOutbox(), gone: make(chan struct{})}
	s.calls.timeout = c.timeout()
	s.close = sync.OnceValue(s.end)
	s.work.Go(s.write)
	s.work.Go(s.listen)
	s.work.Go(func() { s.watch(ctx) })
	if err := s.greet(ctx); err != nil {
		s.killed.Store(true) // how it ends is of no interest any more
		s.Kill()
		return nil, fmt.Errorf("start %s: %w", c, errors.Join(err, s.close()))
	}
	return s, nil
}

// greet sends init and takes in what the child says of itself.
func (s *Store) greet(ctx context.Context) error {
	a, err := s.do(ctx, call{op: opInit, hello: &hello{
		DB: filepath.Join(s.dir, file), Instance: s.command.Instance,
		Threads: s.command.threads(), Options: s.command.options(),
	}})
	if err != nil {
		return err
	}
	if err := a.rest(opInit, &s.hello); err != nil {
		return err
	}
	if s.hello.Proto == 0 {
		return fmt.Errorf(`init: the child's answer has no "proto"; it has to be %d`, Proto)
	}
	if s.hello.Proto != Proto {
		return fmt.Errorf("init: the child speaks version %d of the protocol; this is version %d",
			s.hello.Proto, Proto)
	}
	if s.hello.Bounded < 0 {
		return fmt.Errorf(`init: "bounded" is %d; it cannot be negative`, s.hello.Bounded)
	}
	if missing := s.missing(); missing != "" {
		return fmt.Errorf(`init: the child's answer names no %s in "ops"; upsert, get and delete `+
			"are what every store has, but for one that has append and items instead", missing)
	}
	if s.hello.Clock == monotonicName {
		s.clock = newClock()
	}
	return nil
}

// write hands lines to the child until there are no more, and then ends its input.
func (s *Store) write() {
	_ = s.out.run(s.child.in) // a child that does not read any more is found out by listen
	_ = s.child.in.Close()
}

// listen takes answers until there are no more, sees the child to its end, and tells all calls.
func (s *Store) listen() {
	defer close(s.gone)
	lines := newLines(s.child.out)
	for s.wrong == nil && lines.next() {
		a, err := parseAnswer(lines.line)
		if err == nil {
			err = s.take(a)
		}
		if err != nil {
			s.wrong = fmt.Errorf("the child's standard output: %w; what is no answer belongs "+
				"on standard error", lines.wrong("answer", err))
		}
	}
	err := lines.failure()
	s.left = overdue(err)
	if err != nil && !s.left && s.wrong == nil {
		s.wrong = fmt.Errorf("the child's standard output: %w", err)
	}
	if s.wrong != nil {
		s.calls.fail(classProtocol, s.wrong.Error())
		s.child.kill()
	}
	s.child.bury(s.command.timeout())
	s.out.close()
	s.calls.fail(classExit, s.obituary())
}

// grace is how long a child may still take for a call when whoever opened it is interrupted.
const grace = time.Second

// watch ends calls that have waited too long. Once ctx has ended, it ends the child with them.
func (s *Store) watch(ctx context.Context) {
	tick := func(patience time.Duration) time.Duration {
		return max(patience/ticks, time.Millisecond)
	}
	ticker := time.NewTicker(tick(s.command.timeout()))
	defer ticker.Stop()
	interrupted := false
	for done := ctx.Done(); ; {
		select {
		case <-ticker.C:
			if s.calls.tick() > 0 && interrupted {
				s.Kill()
			}
		case <-done:
			done, interrupted = nil, true
			ticker.Reset(tick(s.calls.hurry(grace)))
		case <-s.gone:
			return
		}
	}
}

// Kill ends the child and whatever it has started at once, by SIGKILL, and returns when they are
// gone. Nobody knows what became of the calls that it was in; later ones are not applied.
func (s *Store) Kill() {
	select {
	case <-s.gone: // the number of the group may belong to another by now
	default:
		s.killed.Store(true)
		s.child.kill()
		<-s.gone
	}
}

// CutPower has the child lose power, and returns when it is gone. The error says that it did not:
// it cannot, or it ended in another way.
func (s *Store) CutPower(ctx context.Context, seed uint64) error {
	s.killed.Store(true)
	_, err := s.do(ctx, call{op: opCut, value: strconv.FormatUint(seed, 10)})
	var said *Error
	if errors.As(err, &said) && said.class != classExit {
		s.Kill()
		return fmt.Errorf("cut the power: %w", err)
	}
	<-s.gone
	if status := s.child.status(); status != powerless {
		return fmt.Errorf("cut the power: %s", s.obituary())
	}
	return nil
}

// SetDisk has the child put faults in the place of those that its disk has. The error wraps
// store.ErrNotApplied for a child whose files do not go through package disk.
func (s *Store) SetDisk(ctx context.Context, f disk.Faults) error {
	_, err := s.do(ctx, call{op: opDisk, value: f.String()})
	return err
}

// Dir is the directory in which the child keeps its files, as an absolute path.
func (s *Store) Dir() string { return s.dir }

// powerless is how a child ends that lost power.
const powerless = "exit status 137"

// Check asks the child whether all that it keeps is whole. A child that cannot say is taken for
// whole.
func (s *Store) Check(ctx context.Context) error {
	if !s.offers(opCheck) {
		return nil
	}
	_, err := s.do(ctx, call{op: opCheck})
	return err
}

// Stderr returns what the child has written to its standard error so far, the last 16 KiB of it.
func (s *Store) Stderr() []byte { return s.child.stderr.text() }

// missing is an operation that no store can do without, and the child does not name: the slots are
// all there or, for a store of nothing but lists, none of them; "" if nothing is missing.
func (s *Store) missing() string {
	lacks := func(o op) bool { return !s.offers(o) }
	slots := []op{opUpsert, opGet, opDelete}
	first := slices.IndexFunc(slots, lacks)
	lists := s.offers(opAppend) && s.offers(opItems)
	if first < 0 || lists && !slices.ContainsFunc(slots, s.offers) {
		return ""
	}
	return slots[first].name
}

// offers is true for an operation that the child has.
func (s *Store) offers(o op) bool {
	return o == opInit || slices.Contains(s.hello.Ops, o.name)
}
