package workers

import (
	"runtime"
	"sync/atomic"
	"time"

	"memrace/store/proc"
	"memrace/stress/history"
	"memrace/stress/workload"
)

// scene is what all workers of a run look at and none of them changes while it plays, so that
// it puts their calls in no order (see history.Recorder). Meetings are the exception.
type scene struct {
	plan    *workload.Plan
	spec    workload.Spec // of the plan
	gate    gate
	base    time.Time   // set before the gate is opened
	stop    atomic.Bool // set once, when the run is to end
	meeting *barrier
	discard bool
}

// worker plays one client. Whatever is no atomic belongs to its goroutine, until its recorder is
// done or sealed; it is written only between two calls, never while the recorder is in flight,
// but for what the change of an update needs, which nobody else reads.
type worker struct {
	*scene
	store    caller
	log      journal
	recorder *history.Recorder // the log, unless that is a sink
	steps    *workload.Steps
	rest     int // operations that are left
	buf      []byte

	client history.Client
	act    history.Act       // of the call that was made last
	begun  int               // steps of the plan
	called int64             // when
	span   proc.Span         // when the store was inside it, where it says so
	number uint32            // of the present or next call of client
	slots  []uint32          // of the call on a whole session that was made last
	found  []history.Finding // by it
	first  map[history.Class]trouble
	dead   int         // calls in a row that no store was there to take
	left   atomic.Bool // the worker will make no further call
}

// trouble is the first error of its class.
type trouble struct {
	at   int64
	text string
}

// yieldSteps is how many steps a worker makes before it lets others run. Where there are fewer
// processors than clients, a short run would else be one client after the other. To yield is no
// synchronisation to the race detector: it puts no two calls in an order. To do it more often
// costs a store that is quick to read some throughput. The number is odd, so that a worker also
// yields amid the four steps that some profiles stay on a slot.
const yieldSteps = 15

// play makes the steps of the client until they, its share or the time are used up.
func (w *worker) play() {
	defer w.leave()
	w.gate.wait()
	for ; w.rest > 0 && !w.stop.Load(); w.rest-- {
		step, ok := w.steps.Next()
		if !ok {
			return
		}
		if step.Meet {
			w.meeting.meet()
			if w.stop.Load() {
				return
			}
		}
		if !w.perform(step) || w.dead >= enough {
			return
		}
		if w.begun%yieldSteps == 0 {
			runtime.Gosched()
		}
	}
}

// enough is how many calls in a row have to end since there is no store any more, until a client
// gives up. One that is killed and comes back takes a single call of each with it.
const enough = 50

func (w *worker) leave() {
	w.meeting.leave()
	w.left.Store(true)
	w.log.Done()
}

// perform makes one call and notes it. It reports false if the client was given up meanwhile.
func (w *worker) perform(step workload.Step) bool {
	w.act = step.Act
	w.begun++
	if step.Whole {
		return w.performWhole(step)
	}
	a := ask{act: step.Act, slot: w.plan.Slot(step.Slot)}
	var value history.Value
	if step.Kind.Writes() {
		value = history.TagValue(w.client, w.number)
	}
	switch step.Kind {
	case history.Upsert, history.Add:
		a.text = w.compose(step.Slot)
	case history.Update:
		a.edit = w.newEdit(step)
	}
	w.begin()
	w.log.Call(w.client, step.Kind, step.Slot, value, w.called)
	return w.settle(w.store.call(a, func(r reply) { w.settle(r) }))
}

// begin notes that a call is about to be made.
func (w *worker) begin() {
	w.span = proc.Span{}
	w.called = w.now()
}

// end returns when the call was over. Where the store has said how long it really took, and that
// lies within the time between call and return, that is what counts: it is narrower, and orders
// more.
func (w *worker) end() int64 {
	at := w.now()
	if w.span.From.IsZero() || w.discard {
		return at
	}
	from, to := int64(w.span.From.Sub(w.base)), int64(w.span.To.Sub(w.base))
	if from < w.called || to < from || at < to {
		return at
	}
	w.log.Began(from)
	return to
}

// newEdit returns the change of an update. Each attempt after the first has a number of its own.
func (w *worker) newEdit(step workload.Step) *edit {
	return &edit{think: step.Think, compose: func(attempt int) string {
		if attempt > 1 {
			w.number++
			w.log.Amend(history.TagValue(w.client, w.number))
		}
		return w.compose(step.Slot)
	}}
}

// compose makes the text of the next value.
func (w *worker) compose(slot uint32) string {
	tag := history.Tag{Run: w.plan.Run(), Slot: slot, Client: w.client, Step: w.number}
	w.buf = tag.Append(w.buf[:0], w.spec.ValueSize)
	return string(w.buf)
}

// settle notes the reply to the call that was noted last.
func (w *worker) settle(r reply) bool {
	at := w.end()
	if r.err == nil && w.act.Kind.Reads() {
		w.number++
		w.dead = 0
		if w.act.Whole {
			return w.log.FoundWhole(at, w.findings(r))
		}
		return w.log.Found(at, r.text, r.found)
	}
	outcome, class := judge(r.err)
	w.bury(class)
	text := ""
	if _, known := w.first[class]; r.err != nil && !known {
		text = r.err.Error()
	}
	// All code of the store has run by now, so a store cannot hang a worker past this line.
	if !w.log.Return(at, outcome, class) {
		return false
	}
	w.number++
	if text != "" {
		w.remember(class, trouble{at, text})
	}
	if outcome == history.Unknown {
		w.client += history.Client(w.spec.Clients)
		w.number = 0
	}
	return true
}

// bury counts the calls in a row that ended since there was no store.
func (w *worker) bury(class history.Class) {
	switch class {
	case history.ClassClosed, history.ClassExit, history.ClassProtocol:
		w.dead++
	default:
		w.dead = 0
	}
}

func (w *worker) remember(class history.Class, t trouble) {
	if w.first == nil {
		w.first = make(map[history.Class]trouble)
	}
	w.first[class] = t
}

// now returns the nanoseconds since the gate was opened. Without a history nobody wants to know.
func (w *worker) now() int64 {
	if w.discard {
		return 0
	}
	return int64(time.Since(w.base))
}
