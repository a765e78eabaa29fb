package notation

import (
	"math"
	"regexp"
	"strconv"

	"memrace/stress/history"
)

// calls makes operations of the calls and returns of a file.
type calls struct {
	format Format
	h      *history.History
	*names
	*clients
	// open holds the call of each process that has not returned.
	open map[uint64]openCall
	// wholes holds for calls on whole sessions, by operation, what they become in the end.
	wholes map[int][]part
	// stamps and tuples are what the first event says of all others.
	stamps, tuples choice
	// events is how many events of clients were read; last is the stamp of the last one.
	events, last int64
}

// choice is something that the first event of a file decides for all others.
type choice struct {
	line int // of the first event; 0 if nothing is decided yet
	yes  bool
}

// same decides, or reports whether what was decided is what is so here.
func (c *choice) same(line int, yes bool) bool {
	if c.line == 0 {
		*c = choice{line, yes}
	}
	return c.yes == yes
}

// openCall is a call that has not returned.
type openCall struct {
	op, line int
	f        string
	// key is that of a tuple; tuple is true if there is one.
	key   string
	tuple bool
	// session and mapKey are those of the map, if it has them.
	session, mapKey node
	// emptyIsNothing is true where an empty text stands for no value.
	emptyIsNothing bool
}

func newCalls(format Format) *calls {
	h := &history.History{Values: make([]history.Value, 1)}
	return &calls{format: format, h: h, names: newNames(h), clients: newClients(h),
		open: make(map[uint64]openCall), wholes: make(map[int][]part)}
}

var acts = map[string]history.Act{
	"read": {Kind: history.Get}, "get": {Kind: history.Get},
	"write": {Kind: history.Upsert}, "put": {Kind: history.Upsert},
	"upsert": {Kind: history.Upsert},
	"cas":    {Kind: history.Update}, "update": {Kind: history.Update},
	"delete": {Kind: history.Delete}, "take": {Kind: history.Take},
	"append": {Kind: history.Append}, "add": {Kind: history.Add},
	"list":  {Kind: history.Get, Whole: true},
	"clear": {Kind: history.Delete, Whole: true},
	"items": {Kind: history.Items, Whole: true},
}

// add takes the next event of the file.
func (c *calls) add(e event) error {
	if e.process.form == keyword || e.process.form == text && e.process.text == "nemesis" {
		return c.bystander(e)
	}
	process, err := strconv.ParseUint(e.process.text, 10, 31)
	if e.process.form != number || err != nil {
		return faultf(e.line, "the process is %s; want a number from 0 to 2147483647, or a "+
			"keyword such as :nemesis", e.process.shown())
	}
	if _, known := acts[e.f.name()]; !known {
		return faultf(e.line, "unknown :f %s; want read, write, cas, get, put, upsert, update, "+
			"append, take, delete, list, clear, add or items", e.f.shown())
	}
	at, err := c.time(e)
	if err != nil {
		return err
	}
	switch e.typ.name() {
	case "invoke":
		return c.call(e, process, at)
	case "ok", "fail", "info":
		return c.comeBack(e, process, at)
	}
	return faultf(e.line, "unknown :type %s; want invoke, ok, fail or info", e.typ.shown())
}

var headerName = regexp.MustCompile(`^[a-z][a-z0-9_.-]*$`)

// bystander takes an event of a process that is no client: a header line of memrace, or a fault.
func (c *calls) bystander(e event) error {
	if e.process.text != headerProcess || e.f.name() != headerF {
		return nil
	}
	if !e.value.pair() || !headerName.MatchString(e.value.items[0].text) ||
		e.value.items[0].text == "memrace-history" {
		return faultf(e.line, "the header %s; want [name value], the name of a-z, 0-9, '-', '_' "+
			"and '.'", e.value.shown())
	}
	c.h.Meta = append(c.h.Meta, history.Meta{
		Name: e.value.items[0].text, Value: e.value.items[1].plain(),
	})
	return nil
}

// apart is how many nanoseconds events without stamps stand apart.
const apart = 1000

// time returns when an event was: its stamp, or its place in the file.
func (c *calls) time(e event) (int64, error) {
	place := c.events
	c.events++
	stamped := e.time.form != nothing
	if !c.stamps.same(e.line, stamped) {
		return 0, faultf(e.line, "a map %s :time, other than in line %d; want a stamp everywhere "+
			"or nowhere", withOrWithout(stamped), c.stamps.line)
	}
	if !stamped {
		return place * apart, nil
	}
	at, err := strconv.ParseInt(e.time.text, 10, 64)
	if e.time.form != number || err != nil || at < 0 || at == math.MaxInt64 {
		return 0, faultf(e.line, "the time is %s; want nanoseconds, 0 to 9223372036854775806",
			e.time.shown())
	}
	if at < c.last {
		return 0, faultf(e.line, "the time is %d, before the %d of the event before; want events "+
			"in the order of time: sorted, if one clock gave all stamps, or without :time, if "+
			"they stand in the order in which they were", at, c.last)
	}
	c.last = at
	return at, nil
}

func withOrWithout(with bool) string {
	if with {
		return "with"
	}
	return "without"
}

func (c *calls) call(e event, process uint64, at int64) error {
	if before, calling := c.open[process]; calling {
		return faultf(e.line, "process %d calls %s, although its %s of line %d has not returned; "+
			"want one call after the other", process, e.f.name(), before.f, before.line)
	}
	o := openCall{op: len(c.h.Ops), line: e.line, f: e.f.name(), session: e.session, mapKey: e.key}
	act := acts[o.f]
	op := history.Op{Call: at, Kind: act.Kind, Whole: act.Whole}
	if err := c.asked(e, &o, &op); err != nil {
		return err
	}
	var err error
	if op.Client, err = c.caller(e, process, &op); err != nil {
		return err
	}
	c.open[process] = o
	c.h.Ops = append(c.h.Ops, op)
	c.h.Lines = append(c.h.Lines, uint32(e.line))
	return nil
}

// asked fills in what a call is about and what it writes.
func (c *calls) asked(e event, o *openCall, op *history.Op) error {
	if op.Whole {
		return c.askedWhole(e, o, op)
	}
	value, err := c.place(e, o, op)
	if err != nil {
		return err
	}
	return c.wrote(*o, op, value)
}

// comeBack takes a return.
func (c *calls) comeBack(e event, process uint64, at int64) error {
	o, calling := c.open[process]
	if !calling {
		return faultf(e.line, "process %d returns from %s without a call; want :type :invoke "+
			"before", process, e.f.name())
	}
	if o.f != e.f.name() {
		return faultf(e.line, "process %d returns from %s, but called %s in line %d; want the "+
			"same", process, e.f.name(), o.f, o.line)
	}
	for _, part := range []struct{ now, then node }{{e.session, o.session}, {e.key, o.mapKey}} {
		if part.now.form != nothing && part.now.plain() != part.then.plain() {
			return faultf(e.line, "process %d returns for %s, but called %s for %s in line %d; "+
				"want the same session and key",
				process, part.now.shown(), o.f, part.then.shown(), o.line)
		}
	}
	delete(c.open, process)
	value, err := c.returned(e, o)
	if err != nil {
		return err
	}
	op := &c.h.Ops[o.op]
	switch e.typ.name() {
	case "ok":
		op.Return, op.Outcome = at, history.OK
		if op.Whole {
			return c.foundWhole(e, o, op)
		}
		return c.found(e, o, op, value)
	case "fail":
		op.Return, op.Outcome = at, history.NotApplied
	case "info":
		c.crashed(process)
	}
	op.Class = c.class(e, o, op, value)
	return nil
}

// class tells why an operation is not ok. A compare-and-set that fails for no other reason has
// found something else than it wanted.
func (c *calls) class(e event, o openCall, op *history.Op, value node) history.Class {
	reason := e.failure
	if reason.form == nothing && value.form == keyword {
		reason = value
	}
	switch {
	case e.class.form != nothing:
		return history.ClassNamed(e.class.name())
	case reason.form != nothing:
		return history.ClassNamed(reason.name())
	case o.f == "cas" && op.Outcome == history.NotApplied &&
		(value.form == nothing || c.repeats(op, value)):
		return history.ClassMismatch
	}
	return history.ClassNone
}
