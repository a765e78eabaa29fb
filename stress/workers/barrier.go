package workers

import "sync"

// barrier lets all clients that still run wait for each other, any number of times.
// Its lock orders the clients for the race detector, but only where they meet.
type barrier struct {
	mu      sync.Mutex
	members int
	waiting int
	broken  bool
	release chan struct{} // closed when the present meeting is complete
}

func newBarrier(members int) *barrier {
	return &barrier{members: members, release: make(chan struct{})}
}

// meet returns when all members are in meet, or once the barrier is broken.
func (b *barrier) meet() {
	b.mu.Lock()
	if b.broken {
		b.mu.Unlock()
		return
	}
	b.waiting++
	release := b.release
	b.turn()
	b.mu.Unlock()
	<-release
}

// leave takes one member away, which may complete a meeting of the others.
func (b *barrier) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.members--
	if b.waiting > 0 {
		b.turn()
	}
}

// breakUp lets everybody go on who waits now or would wait later.
func (b *barrier) breakUp() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.broken {
		b.broken = true
		close(b.release)
	}
}

// turn ends the meeting if nobody is missing, and prepares for the next one.
func (b *barrier) turn() {
	if b.broken || b.waiting < b.members {
		return
	}
	b.waiting = 0
	close(b.release)
	b.release = make(chan struct{})
}
