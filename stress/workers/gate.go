package workers

import (
	"runtime"
	"sync/atomic"
	"time"
)

// gate holds the workers until all may begin. They wait awake rather than in a channel: to wake
// a sleeping processor takes longer than a short run on a fast store, which would then be over
// before a second worker got to run. Whatever the gate orders comes before the first call, so it
// hides no race of the store.
type gate struct {
	open  atomic.Bool
	turns atomic.Int64 // made by all who wait
}

const (
	// waitTurns is how many turns a worker makes at the gate before it lets others have theirs.
	waitTurns = 100
	// gatherTime bounds how long gather looks, and gatherLooks how often, since the clock of a
	// test may stand still.
	gatherTime  = 10 * time.Millisecond
	gatherLooks = 200_000
	// lookTime is far more than a look takes and far less than for how long the system takes a
	// processor away.
	lookTime = 20 * time.Microsecond
)

// wait returns when the gate is open.
func (g *gate) wait() {
	for !g.open.Load() {
		for i := 0; i < waitTurns && !g.open.Load(); i++ {
			g.turns.Add(1)
		}
		runtime.Gosched()
	}
}

// gather returns when one of n workers makes turns on another processor while this one looks on.
// It gives up where that cannot be: there is one processor only, or all others are taken.
func (g *gate) gather(n int) {
	if n == 1 || runtime.GOMAXPROCS(0) == 1 {
		return
	}
	begin := time.Now()
	seen, last := g.turns.Load(), begin
	for range gatherLooks {
		turns, now := g.turns.Load(), time.Now()
		atOnce := turns != seen && now.Sub(last) < lookTime
		if atOnce || now.Sub(begin) > gatherTime {
			return
		}
		seen, last = turns, now
	}
}
