package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"memrace/store"
)

// Serve is the far end: it opens the store in the directory that the first line of in names, makes
// the calls that the lines after it ask for, and writes the answers to out. As many calls as
// init says run at once. At the end of in it waits for the calls that are under way, closes the
// store and returns. The store is the only thing that gets ctx.
//
// An error means that a line makes no sense, out takes none, or the store did not open or close. It
// does not return before in ends, unless a line makes no sense.
func Serve(ctx context.Context, in io.Reader, out io.Writer, open store.Opener) error {
	f := &far{ctx: ctx, out: newOutbox(), updates: map[int64]chan request{}, clock: newClock()}
	written := make(chan error, 1)
	go func() { written <- f.out.run(out) }()
	requests := newLines(in)
	err := f.open(requests, open)
	if err == nil {
		err = errors.Join(f.serve(requests), f.store.Close())
	}
	f.out.close()
	return errors.Join(err, <-written)
}

// far is the far end of one store.
type far struct {
	ctx   context.Context
	store store.Store
	ops   []offer
	clock clock
	out   *outbox
	slots chan struct{} // has an element for each call that runs

	mu      sync.Mutex
	updates map[int64]chan request // updates that run, and where to tell them what to write
	ended   bool                   // nobody will tell them any more
}

// open takes the first line.
func (f *far) open(in *lines, open store.Opener) error {
	if !in.next() {
		return errors.Join(errors.New("the input ended before an init"), in.failure())
	}
	r, err := parseRequest(in.line)
	if err == nil {
		err = r.hello.validate()
	}
	if err != nil {
		if r.ID >= 0 {
			f.answer(refusal(r.ID, err))
		}
		return fmt.Errorf("input: %w", in.wrong("request", err))
	}
	if len(r.Options) > 0 {
		err = fmt.Errorf("there are no options, but init has %v", r.Options)
	} else {
		f.store, err = open(f.ctx, filepath.Dir(r.DB))
	}
	if err != nil {
		f.answer(refusal(r.ID, err))
		return fmt.Errorf("open the store: %w", err)
	}
	f.slots = make(chan struct{}, r.Threads)
	f.ops = offers(f.store)
	return f.greet(r.ID)
}

// greet answers init.
func (f *far) greet(id int64) error {
	hi := greeting{Proto: Proto, Clock: f.clock.name()}
	for _, o := range f.ops {
		hi.Ops = append(hi.Ops, o.name)
	}
	if d, ok := f.store.(store.Describer); ok {
		about, err := d.Describe(f.ctx)
		if err != nil {
			f.answer(refusal(id, err))
			return errors.Join(fmt.Errorf("describe the store: %w", err), f.store.Close())
		}
		hi.Name, hi.Volatile, hi.Bounded = about.Name, about.Volatile, about.Bounded
		hi.Lossy = about.Lossy
		for _, one := range about.Settings {
			hi.Settings = append(hi.Settings, setting(one))
		}
	}
	f.reply(answer{ID: id, Type: typeOK}, hi)
	return nil
}

// serve makes calls until the input ends.
func (f *far) serve(in *lines) error {
	var calls sync.WaitGroup
	defer calls.Wait()
	defer f.endUpdates()
	for in.next() {
		r, err := parseRequest(in.line)
		if err != nil {
			return fmt.Errorf("input: %w", in.wrong("request", err))
		}
		if r.Op == opChange.name || r.Op == opCancel.name {
			f.tell(r)
			continue
		}
		if r.Op == opCut.name {
			calls.Go(func() { f.call(r) }) // however many calls wait
			continue
		}
		calls.Go(func() {
			f.slots <- struct{}{}
			defer func() { <-f.slots }()
			f.call(r)
		})
	}
	return in.failure()
}

// call makes one call and answers it, even if the store ends the goroutine.
func (f *far) call(r request) {
	a := answer{Type: typeInfo, Error: "the call ended without a result"}
	var more any
	defer func() {
		a.ID = r.ID
		f.reply(a, more)
	}()
	r.ended = &a.Error
	for _, o := range f.ops {
		if o.name == r.Op {
			if err := r.lacks(o.op); err != nil {
				a = refusal(r.ID, err)
				return
			}
			began := f.clock.begin()
			done, rest, err := o.call(f, r)
			done.T0, done.T1 = began, f.clock.end()
			a, more = outcome(done, err), rest
			return
		}
	}
	a = refusal(r.ID, fmt.Errorf("there is no operation %q", r.Op))
}

// outcome adds to an answer what an error says.
func outcome(a answer, err error) answer {
	var c store.Classer
	switch {
	case err == nil:
		a.Type = typeOK
		return a
	case errors.Is(err, store.ErrNotApplied):
		a.Type = typeFail
	default:
		a.Type = typeInfo
	}
	a.Error = err.Error()
	if errors.As(err, &c) {
		a.Class = c.Class()
	}
	return a
}

// refusal is the answer to what was not done.
func refusal(id int64, err error) answer {
	return answer{ID: id, Type: typeFail, Error: err.Error()}
}
