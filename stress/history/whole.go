package history

// Finding is what a call on a whole session found in one place.
type Finding struct {
	// Slot is a number of the workload; Stray instead is a slot that the workload does not have,
	// but the store does, or nil.
	Slot  uint32
	Stray *Slot
	Text  string
	// Found is false where there was nothing.
	Found bool
}

// strayBit marks the number of a slot that the workload does not have.
const strayBit = 1 << 31

// stray returns a number for a slot that the workload does not have.
func (r *Recorder) stray(slot Slot) uint32 {
	for i, known := range r.strays {
		if known == slot {
			return strayBit | uint32(i)
		}
	}
	r.strays = append(r.strays, slot)
	return strayBit | uint32(len(r.strays)-1)
}

// CallWhole notes, as Call does, a call on a whole session: a list, clear or items. The slots are
// those of the session, at least one.
func (r *Recorder) CallWhole(client Client, kind Kind, slots []uint32, at int64) {
	if len(slots) == 0 {
		panic("history.CallWhole: a session without slots")
	}
	if !r.begin(client) {
		return
	}
	for _, slot := range slots {
		r.add(entry{call: at, slot: slot, kind: kind, whole: true})
	}
	r.width = len(slots)
	r.calls++
	r.word.Store(uint64(r.calls)<<phaseBits | flight)
}

// FoundWhole notes when the list or items that was noted last came back and what it found: one
// finding for each slot of the call, in their order, and any number of others. Nothing at all means
// that there was nothing anywhere. It reports false if the client was given up, which must then
// stop.
func (r *Recorder) FoundWhole(at int64, found []Finding) bool {
	if !r.take() {
		return false
	}
	r.landed()
	first := r.n - r.width
	for i := range r.width {
		e := r.entry(first + i)
		e.ret, e.outcome = at, OK
	}
	like := *r.entry(first)
	for i, f := range found {
		if i >= r.width {
			r.add(like)
		}
		e := r.entry(first + i)
		e.slot, e.value = f.Slot, 0
		if f.Stray != nil {
			e.slot = r.stray(*f.Stray)
		}
		if f.Found {
			e.value = r.valueOf(f.Text)
		}
	}
	return true
}

func (r *Recorder) entry(i int) *entry { return &r.chunks[i/chunkLen][i%chunkLen] }
