package history

import (
	"runtime"
	"sync/atomic"
)

// Recorder is the log of one client at a time: what it called, and what came back. One goroutine
// writes it (Call, Return, Found, Done); others may at any time ask for Count, or give the
// client up with Seal.
//
// Recorders share nothing with each other: no mutex, no counter, no clock. Whatever all clients
// touched at each call would put their calls in an order, and the race detector would then take
// the unsynchronised accesses of a store for ordered ones and stay silent about them.
//
// The one word that another goroutine looks at belongs to this recorder alone. It says how many
// calls were made, and in which of these phases the client is:
//
//	own     the client is between two calls, or is writing an entry
//	flight  the client is inside the store; its entries are left alone until it comes back
//	sealed  the client was given up while in flight; it must not touch its entries any more
//	done    the client is finished
//
// The client goes from own to flight when it calls the store and takes its entries back with a
// compare-and-swap when it returns; Seal goes from flight to sealed, so only one of the two can
// have the entries. A client writes no word but its own, and acquires from it only what it
// released there itself. Only whoever polls the words is ordered behind clients, and it releases
// nothing to them before the seal, which a client sees only when it must stop.
type Recorder struct {
	// Two recorders that lie side by side would slow each other down without the room between.
	_    [128]byte
	word atomic.Uint64

	// All that follows belongs to the client, and to others once it is sealed or done.
	run     uint32
	client  Client
	n       int // entries
	calls   int
	width   int // entries of the call in flight
	chunk   *chunk
	chunks  []*chunk
	spans   []span
	foreign []string
	// strays are slots that a listing had and the workload has not.
	strays []Slot
	known  map[string]Value
	// seen has for each Update that is OK what it saw, in their order; 0 for nothing.
	seen    []Value
	amended Value // what the call in flight writes after all; 0 if it is what was noted
	began   int64 // when it began after all; 0 if that is when it was noted
	_       [128]byte
}

const (
	own = iota
	flight
	sealed
	done

	phaseBits = 2
	phaseMask = 1<<phaseBits - 1
)

// chunkLen is how many entries are allocated at once: 32 KiB of them.
const chunkLen = 1024

type chunk [chunkLen]entry

// entry is an Op without its client, which changes seldom and is kept in spans.
type entry struct {
	call, ret int64
	value     Value
	slot      uint32
	kind      Kind
	outcome   Outcome
	class     Class
	whole     bool
}

// span says which client the entries from index first on belong to.
type span struct {
	first  int
	client Client
}

// NewRecorder returns the recorder of a client that writes tags of the given run. The capacity
// is how many operations are expected, if that is known; any number may follow.
func NewRecorder(run uint32, capacity int) *Recorder {
	r := &Recorder{run: run, spans: make([]span, 0, 8)}
	r.chunks = make([]*chunk, 0, max(capacity, 0)/chunkLen+1)
	r.grow()
	// The first operations are to be as fast as the others, so the memory is touched now.
	for i := range r.chunk {
		r.chunk[i].slot = 1
	}
	return r
}

func (r *Recorder) grow() {
	r.chunk = new(chunk)
	r.chunks = append(r.chunks, r.chunk)
}

// Call notes that client is about to call the store; at is the time in nanoseconds since the
// start of the run. The operation is Unknown until Return or Found says more. The value is what
// an Upsert or Update writes and zero otherwise.
func (r *Recorder) Call(client Client, kind Kind, slot uint32, value Value, at int64) {
	if !r.begin(client) {
		return
	}
	r.add(entry{call: at, value: value, slot: slot, kind: kind})
	r.width = 1
	r.calls++
	r.word.Store(uint64(r.calls)<<phaseBits | flight)
}

// begin makes sure that the entries are the client's own. It reports false if it was given up.
func (r *Recorder) begin(client Client) bool {
	if r.word.Load()&phaseMask != own && !r.take() {
		return false
	}
	if client != r.client || r.n == 0 {
		r.client = client
		r.spans = append(r.spans, span{r.n, client})
	}
	return true
}

func (r *Recorder) add(e entry) {
	i := r.n % chunkLen
	if i == 0 && r.n > 0 {
		r.grow()
	}
	r.chunk[i] = e
	r.n++
}

// Amend notes, while a call is in flight, that it writes another value than was noted. The entry
// follows when the call comes back.
func (r *Recorder) Amend(value Value) { r.amended = value }

// Began notes, while a call is in flight, that the store began it at a later time than was noted.
// The entry follows when the call comes back.
func (r *Recorder) Began(at int64) { r.began = at }

// take gets the entries back from flight. It reports false if the client was given up.
func (r *Recorder) take() bool {
	word := uint64(r.calls) << phaseBits // with the phase own, which is 0
	return r.word.CompareAndSwap(word|flight, word)
}

// Return notes when and how the call that was noted last came back: one that returns no value,
// or that failed. It reports false if the client was given up, which must then stop.
func (r *Recorder) Return(at int64, outcome Outcome, class Class) bool {
	if !r.take() {
		return false
	}
	for i := r.n - r.width; i < r.n-1; i++ {
		e := r.entry(i)
		e.ret, e.outcome, e.class = at, outcome, class
	}
	e := r.landed()
	e.ret, e.outcome, e.class = at, outcome, class
	if e.kind == Update && outcome == OK {
		r.seen = append(r.seen, 0)
	}
	return true
}

// Found notes when the Get, Take or Update that was noted last came back and what it found: a
// text, or nothing if found is false. It reports false if the client was given up, which must then
// stop.
func (r *Recorder) Found(at int64, text string, found bool) bool {
	if !r.take() {
		return false
	}
	e := r.landed()
	e.ret, e.outcome = at, OK
	if e.kind == Update {
		r.seen = append(r.seen, 0)
	}
	switch {
	case found && e.kind == Update:
		r.seen[len(r.seen)-1] = r.valueOf(text)
	case found:
		e.value = r.valueOf(text)
	}
	return true
}

// landed returns the entry of the call that came back.
func (r *Recorder) landed() *entry {
	e := &r.chunk[(r.n-1)%chunkLen]
	if r.amended != 0 {
		e.value, r.amended = r.amended, 0
	}
	if r.began != 0 {
		for i := r.n - r.width; i < r.n; i++ {
			r.entry(i).call = r.began
		}
		r.began = 0
	}
	return e
}

// valueOf returns the value of a text that a store returned. Only texts that no client of this
// run wrote are kept, each once.
func (r *Recorder) valueOf(text string) Value {
	t, ok := ParseTag(text)
	if ok && t.Run == r.run && t.Client <= maxClient && t.Step <= maxStep {
		return TagValue(t.Client, t.Step)
	}
	v, ok := r.known[text]
	if ok {
		return v
	}
	if r.known == nil {
		r.known = make(map[string]Value)
	}
	v = ForeignValue(len(r.foreign))
	r.foreign = append(r.foreign, text)
	r.known[text] = v
	return v
}

// Done notes that the client is finished. A call that did not return stays Unknown.
func (r *Recorder) Done() {
	if phase := r.word.Load() & phaseMask; phase == own || phase == flight && r.take() {
		r.word.Store(uint64(r.calls)<<phaseBits | done)
	}
}

// Count returns how many calls have returned so far. Any goroutine may ask for it.
func (r *Recorder) Count() int {
	w := r.word.Load()
	n := int(w >> phaseBits)
	if phase := w & phaseMask; phase == flight || phase == sealed {
		n--
	}
	return n
}

// Seal gives up a client that is stuck inside the store, so that its entries can be read: the
// one in flight stays Unknown, and should the call ever come back, the client is told to stop.
// It reports whether the entries can be read now, which they also can if the client is done.
// It reports false for a client that is not inside the store: that one runs, and may be asked
// again later.
func (r *Recorder) Seal() bool {
	// A client between two calls is given time for a few of them before it counts as running.
	for range 20 {
		w := r.word.Load()
		switch w & phaseMask {
		case sealed, done:
			return true
		case flight:
			if r.word.CompareAndSwap(w, w&^phaseMask|sealed) {
				return true
			}
		default:
			runtime.Gosched()
		}
	}
	return false
}

func (r *Recorder) readable() bool {
	phase := r.word.Load() & phaseMask
	return phase == sealed || phase == done
}
