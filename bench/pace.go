package bench

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// pacer says when operations are due: one every interval, whether or not the store keeps up. The
// queue has room for all of them, so that nothing ever waits for it.
type pacer struct {
	*turnClock
	queue chan int64 // when each operation was due
	rate  int
	put   atomic.Int64            // into the queue
	late  *hdrhistogram.Histogram // by how much the pacer itself came too late
}

func newPacer(t *turnClock, rate int) *pacer {
	p := &pacer{turnClock: t, rate: rate, late: newHistogram()}
	p.queue = make(chan int64, p.count())
	return p
}

// longestPause is how long an interrupt waits for the pacer.
const longestPause = 100 * time.Millisecond

// count is how many operations are due before the end of the measured time.
func (p *pacer) count() int64 {
	return (p.end*int64(p.rate) + int64(time.Second) - 1) / int64(time.Second)
}

// waiting is how many operations are due and not begun.
func (p *pacer) waiting() int {
	due := min(p.count(), int64(float64(p.rate)*time.Duration(p.now()).Seconds()))
	return len(p.queue) + int(max(0, due-p.put.Load()))
}

// run puts every operation into the queue once it is due. It ends its thread, whose timer it makes
// as exact as it can be.
func (p *pacer) run() {
	defer close(p.queue)
	runtime.LockOSThread()
	exactTimer()
	for i := range p.count() {
		due := i * int64(time.Second) / int64(p.rate)
		for wait := due - p.now(); wait > 0 && !p.stop.Load(); wait = due - p.now() {
			pause(min(time.Duration(wait), longestPause))
		}
		if p.stop.Load() {
			return
		}
		record(p.late, p.now()-due)
		p.queue <- due
		p.put.Add(1)
	}
}
