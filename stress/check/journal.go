package check

import (
	"math"
	"sort"

	"memrace/store"
	"memrace/stress/history"
)

// journal is the order of the commits of a store, session by session. A position is how many
// transactions of the session had been committed; before the first it is 0.
type journal struct{ sessions map[string]*committed }

// committed is what was committed to a session.
type committed struct {
	positions int
	// keys has what each key held, by its name.
	keys map[string]*held
	last int64 // the transaction that was added last
}

// held is what a key held from a position on, in the order of the positions.
type held struct {
	from   []int32
	values []history.ValueID
	// spans finds the span of a value, which is written once.
	spans map[history.ValueID]int32
	// hidden has the position of each value that its own transaction overwrote, so that it was
	// committed, and never there for anybody to see; nil if there is none.
	hidden map[history.ValueID]int32
	// absent has for each span the next one, or itself, in which there is nothing; see finish.
	absent []int32
}

// unnamed is a value that no operation names.
const unnamed = ^history.ValueID(0)

func newHeld() *held {
	return &held{
		from: []int32{0}, values: []history.ValueID{history.None},
		spans: map[history.ValueID]int32{},
	}
}

func newJournal(h *history.History, commits []store.Commit) *journal {
	j := &journal{sessions: map[string]*committed{}}
	ids := textValues(h, func(yield func(string) bool) {
		for i := range commits {
			if !commits[i].Deleted && !yield(commits[i].Value) {
				return
			}
		}
	})
	for i := range commits {
		c := &commits[i]
		value := history.None
		if !c.Deleted {
			value = unnamed
			if id, named := ids[c.Value]; named {
				value = id
			}
		}
		j.session(c.Session).add(c, value)
	}
	for _, s := range j.sessions {
		for _, k := range s.keys {
			k.finish()
		}
	}
	return j
}

// session returns what was committed to a session.
func (j *journal) session(name string) *committed {
	s := j.sessions[name]
	if s == nil {
		s = &committed{keys: map[string]*held{}}
		j.sessions[name] = s
	}
	return s
}

func (s *committed) add(c *store.Commit, value history.ValueID) {
	if s.positions == 0 || s.last != c.Transaction {
		s.positions++
		s.last = c.Transaction
	}
	k := s.key(c.Key)
	last := len(k.from) - 1
	if k.from[last] == int32(s.positions) {
		k.hide(k.values[last], k.from[last])
		k.from, k.values = k.from[:last], k.values[:last]
	}
	if value != history.None {
		k.spans[value] = int32(len(k.from))
	}
	k.from = append(k.from, int32(s.positions))
	k.values = append(k.values, value)
}

// hide notes that a value was overwritten at the position at which it was written.
func (k *held) hide(value history.ValueID, position int32) {
	if value == history.None {
		return
	}
	if k.hidden == nil {
		k.hidden = map[history.ValueID]int32{}
	}
	k.hidden[value] = position
	delete(k.spans, value)
}

// key returns what a key held.
func (s *committed) key(name string) *held {
	k := s.keys[name]
	if k == nil {
		k = newHeld()
		k.finish()
		s.keys[name] = k
	}
	return k
}

func (k *held) finish() {
	k.absent = make([]int32, len(k.from))
	next := int32(len(k.from))
	for i := len(k.from) - 1; i >= 0; i-- {
		if k.values[i] == history.None {
			next = int32(i)
		}
		k.absent[i] = next
	}
}

// next returns the first position at or after a position at which the key holds the value.
func (k *held) next(value history.ValueID, position int32) (int32, bool) {
	span, written := k.spans[value]
	if value == history.None {
		span, written = k.absent[k.at(position)], true
	}
	if !written || int(span) >= len(k.from) || position > k.last(span) {
		return 0, false
	}
	return max(k.from[span], position), true
}

// at returns the span that a position is in.
func (k *held) at(position int32) int {
	return sort.Search(len(k.from), func(i int) bool { return k.from[i] > position }) - 1
}

// last returns the last position of a span.
func (k *held) last(span int32) int32 {
	if int(span) == len(k.from)-1 {
		return math.MaxInt32
	}
	return k.from[span+1] - 1
}

// written returns the position at which a value was committed, and false if it never was.
func (k *held) written(value history.ValueID) (int32, bool) {
	if span, visible := k.spans[value]; visible {
		return k.from[span], true
	}
	position, written := k.hidden[value]
	return position, written
}
