package workers

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"memrace/stress/history"
)

// idleTicks is how many times in a row the watchdog has to see that nothing got on. It counts
// its own ticks rather than time, since a machine that was suspended has not waited.
const idleTicks = 10

// patience is how many times For a run may last until it has its Least operations.
const patience = 10

// supervise returns when the clients are done, or were given up. It ends the run when ctx is
// cancelled or the time is up.
func (r *Run) supervise(ctx context.Context, done <-chan struct{}, cfg Config) {
	tick := time.NewTicker(max(cfg.stall()/idleTicks, time.Microsecond))
	defer tick.Stop()
	timeUp := time.NewTimer(cfg.For)
	defer timeUp.Stop()
	if cfg.For == 0 {
		timeUp.Stop()
	}
	cancelled, over := ctx.Done(), cfg.Over
	for idle, seen := 0, -1; ; {
		select {
		case <-done:
			r.Elapsed = time.Since(r.base)
			return
		case <-timeUp.C:
			if r.count() < cfg.Least && time.Since(r.base) < patience*cfg.For {
				timeUp.Reset(cfg.For / 8)
				continue
			}
			r.halt()
		case <-over:
			over = nil
			r.halt()
		case <-cancelled:
			r.Interrupted = !r.stop.Load()
			cancelled = nil
			r.halt()
		case <-tick.C:
			idle++
			if n := r.count(); n != seen {
				idle, seen = 0, n
			}
			if idle >= idleTicks {
				r.giveUp(cfg.stall())
				return
			}
		}
	}
}

// halt asks all clients to stop after the call they are in.
func (r *Run) halt() {
	r.stop.Store(true)
	r.meeting.breakUp()
}

func (r *Run) count() int {
	sum := 0
	for _, w := range r.workers {
		sum += w.log.Count()
	}
	return sum
}

// giveUp ends the run although clients are inside the store, and says where they are.
func (r *Run) giveUp(waited time.Duration) {
	stacks := goroutines()
	r.Elapsed = time.Since(r.base)
	r.halt()
	inside := map[string]int{}
	stuck := 0
	for _, w := range r.workers {
		if w.seal(); w.left.Load() {
			continue
		}
		stuck++
		if w.recorder != nil {
			inside[w.act.String()]++
		}
	}
	r.Stalled = fmt.Sprintf("no call returned for %v; "+
		"of %d clients, %d are inside the store%s\n\n%s",
		waited, len(r.workers), stuck, calls(inside), stacks)
}

func calls(inside map[string]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(inside)) {
		parts = append(parts, fmt.Sprintf("%d in %s", inside[kind], kind))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// seal makes the worker's fields safe to read. A worker that is not inside the store has been
// asked to stop and runs nothing but code of this package, so it will not keep anybody waiting.
// A sink has no seal; its worker gets a moment to leave.
func (w *worker) seal() {
	if w.recorder != nil {
		seal(w.recorder)
		return
	}
	for i := 0; i < 1000 && !w.left.Load(); i++ {
		runtime.Gosched()
	}
}

func seal(r *history.Recorder) {
	for !r.Seal() {
		runtime.Gosched()
	}
}

// goroutines returns the stacks of all goroutines, as far as they fit one MiB.
func goroutines() []byte {
	buf := make([]byte, 1<<20)
	return buf[:runtime.Stack(buf, true)]
}
