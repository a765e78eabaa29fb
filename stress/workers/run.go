package workers

import (
	"sync"
	"time"

	"memrace/stress/history"
)

// Run is a workload that was played. Its methods are for one goroutine; only History may also
// be called while a ReadBack hangs.
type Run struct {
	// Elapsed is the time from the first call until the last client was done or given up.
	Elapsed time.Duration
	// Ops is how many calls of the workload returned.
	Ops int
	// Interrupted is true if the context ended the run early.
	Interrupted bool
	// Stalled says how many clients were given up inside which call, followed by the stacks of
	// all goroutines; empty if nothing hung.
	Stalled string
	// FirstErrors has the text of the first error of each class, that of a panic with its stack.
	FirstErrors map[history.Class]string

	*scene
	workers []*worker

	mu    sync.Mutex
	extra []*history.Recorder // of reads back and of dumps
}

// collect reads what the workers leave, once they are done or sealed.
func (r *Run) collect() {
	r.Ops = r.count()
	r.FirstErrors = make(map[history.Class]string)
	at := make(map[history.Class]int64)
	for _, w := range r.readable() {
		for class, t := range w.first {
			if earliest, ok := at[class]; !ok || t.at < earliest {
				at[class], r.FirstErrors[class] = t.at, t.text
			}
		}
	}
}

// readable returns the workers whose fields may be read: those that left, and those whose
// recorder was sealed. A worker with a sink that hangs is not among them.
func (r *Run) readable() []*worker {
	var list []*worker
	for _, w := range r.workers {
		if w.recorder != nil || w.left.Load() {
			list = append(list, w)
		}
	}
	return list
}

// History returns what happened, reads back and dumps included, with meta as its header.
// A read back that hangs is given up: what it read so far is kept.
// If the Config said Discard, only reads back and dumps are in it.
func (r *Run) History(meta []history.Meta) *history.History {
	var all []*history.Recorder
	for _, w := range r.workers {
		if w.recorder != nil {
			all = append(all, w.recorder)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.extra {
		seal(e)
		all = append(all, e)
	}
	return history.Merge(meta, r.plan.Slot, all...)
}

// newRecorder returns a recorder that History will read.
func (r *Run) newRecorder(capacity int) *history.Recorder {
	e := history.NewRecorder(r.plan.Run(), capacity)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.extra = append(r.extra, e)
	return e
}

// At returns a time as the history has it: nanoseconds since the start of the run.
func (r *Run) At(t time.Time) int64 { return int64(t.Sub(r.base)) }

func (r *Run) now() int64 { return int64(time.Since(r.base)) }
