package proc

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"memrace/store"
	"memrace/store/ability"
)

var _ ability.Full = (*Store)(nil)

// Upsert sets the slot to value and returns the time that the child noted for it, if it says one.
func (s *Store) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	a, err := s.do(ctx, call{op: opUpsert, session: session, key: key, value: value})
	if err != nil || a.UpdatedAt == 0 {
		return time.Time{}, err
	}
	return time.Unix(0, a.UpdatedAt), nil
}

// Get returns the slot's value.
func (s *Store) Get(ctx context.Context, session, key string) (string, bool, error) {
	a, err := s.do(ctx, call{op: opGet, session: session, key: key})
	if err != nil {
		return "", false, err
	}
	return a.value(opGet)
}

// Delete removes the slot's value.
func (s *Store) Delete(ctx context.Context, session, key string) error {
	_, err := s.do(ctx, call{op: opDelete, session: session, key: key})
	return err
}

// take hands an answer to its call. An update that nobody waits for any more is told to stop.
func (s *Store) take(a answer) error {
	late, err := s.calls.deliver(a)
	if late && a.Type == typeSeen {
		s.cancel(a.ID)
	}
	return err
}

// do makes a call.
func (s *Store) do(ctx context.Context, c call) (answer, error) {
	w, err := s.begin(ctx, c)
	if err != nil {
		return answer{}, err
	}
	return s.finish(ctx, c.op, w)
}

// begin sends a call. An error means that it was not sent.
func (s *Store) begin(ctx context.Context, c call) (*waiting, error) {
	unsent := func(class, text string) (*waiting, error) {
		return nil, &Error{What: c.op.name, Text: text, class: class, certain: true}
	}
	if !s.offers(c.op) {
		return unsent(classProtocol, "the child does not have it; it has "+s.ops())
	}
	if ctx.Err() != nil {
		why := stopped(ctx)
		return unsent(why.class, why.text)
	}
	w := pool.Get().(*waiting)
	w.id, w.asked = s.calls.newID(), c.op == opUpdate
	var err error
	if w.line, err = appendRequest(w.line[:0], w.id, c); err != nil {
		return unsent(classProtocol, err.Error())
	}
	if why := s.calls.add(w); why != nil {
		return unsent(why.class, why.text)
	}
	s.out.add(w.line)
	return w, nil
}

// finish waits for the last answer to a call.
func (s *Store) finish(ctx context.Context, o op, w *waiting) (answer, error) {
	r := s.calls.wait(ctx, w)
	if r.cause != nil {
		return answer{}, &Error{What: o.name, Text: r.cause.text, class: r.cause.class}
	}
	if r.Type != typeSeen {
		pool.Put(w)
	}
	s.clock.note(ctx, r.answer)
	return r.answer, r.failure(o)
}

// failure is what an answer says went wrong.
func (a answer) failure(o op) error {
	if a.Type == typeOK || a.Type == typeSeen {
		return nil
	}
	e := &Error{What: o.name, Text: a.Error, class: a.Class, certain: a.Type == typeFail}
	if e.Text == "" {
		e.Text = "the child gave no reason"
	}
	if e.class == "" {
		e.class = classOther
	}
	return e
}

// value is what an answer says that was found.
func (a answer) value(o op) (string, bool, error) {
	switch {
	case a.Found == nil:
		return "", false, lacking(o, `"found"`)
	case !*a.Found:
		return "", false, nil
	case a.Value == nil:
		return "", false, lacking(o, `"value"`)
	}
	return *a.Value, true, nil
}

// lacking is the error of an answer that says less than it has to. The call may have been applied.
func lacking(o op, what string) error {
	return &Error{What: o.name, Text: "the child's answer has no " + what, class: classProtocol}
}

// rest reads what only answers to this operation have.
func (a answer) rest(o op, into any) error {
	if a.line == nil {
		return lacking(o, "more than that it is ok")
	}
	if err := json.Unmarshal(a.line, into); err != nil {
		return &Error{What: o.name, Text: fmt.Sprintf("the child's answer: %v", shape(err)),
			class: classProtocol}
	}
	return nil
}

func (s *Store) ops() string { return strings.Join(s.hello.Ops, ", ") }

// PipeSetting is the name of the setting of a Description that says how long a round trip to the
// child takes that does nothing.
const PipeSetting = "pipe"

// pings is how many round trips are measured.
const pings = 51

// Describe says what the child says of itself, how it is run, and what a round trip to it takes
// that does nothing, which is the cost of the pipe, if it can tell.
func (s *Store) Describe(ctx context.Context) (store.Description, error) {
	d := store.Description{
		Name: s.hello.Name, Volatile: s.hello.Volatile, Bounded: s.hello.Bounded,
		Lossy: s.hello.Lossy,
	}
	for _, one := range s.hello.Settings {
		d.Settings = append(d.Settings, store.Setting(one))
	}
	add := func(name, value string) {
		d.Settings = append(d.Settings, store.Setting{Name: name, Value: value})
	}
	add("command", s.command.String())
	add("threads", strconv.Itoa(s.command.threads()))
	add("ops", s.ops())
	if !s.offers(opPing) {
		return d, nil
	}
	var took []time.Duration
	for range pings {
		from := time.Now()
		if _, err := s.do(ctx, call{op: opPing}); err != nil {
			return d, err
		}
		took = append(took, time.Since(from))
	}
	slices.Sort(took)
	add(PipeSetting, took[pings/2].Round(time.Microsecond).String())
	return d, nil
}
