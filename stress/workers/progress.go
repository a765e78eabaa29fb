package workers

import "sync"

// Progress says how far a run is. The zero Progress is ready to be put into a Config; it serves
// one run at a time. To ask costs the clients nothing but a cache line each.
type Progress struct {
	mu       sync.Mutex
	journals []journal
}

// Count returns how many calls have returned so far. Any goroutine may ask at any time.
func (p *Progress) Count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := 0
	for _, j := range p.journals {
		sum += j.Count()
	}
	return sum
}

func (p *Progress) watch(journals []journal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.journals = journals
}
