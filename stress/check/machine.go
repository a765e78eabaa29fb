package check

import (
	"memrace/stress/history"
	"memrace/stress/search"
)

// machine is a slot for a search: its states are values, by their numbers, and behind them the
// texts that appends make.
type machine struct {
	h       *history.History
	actions []history.Op
	numbers map[history.Op]int32
	// made are the texts of states that no operation names, stateOf the state of each text; both
	// are empty until something is appended.
	made    []string
	stateOf map[string]search.State
}

func newMachine(h *history.History) *machine {
	return &machine{h: h, numbers: map[history.Op]int32{}}
}

// action returns the number of what an operation does, whoever does it and when.
func (m *machine) action(op *history.Op) int32 {
	what := history.Op{
		Kind: op.Kind, Value: op.Value, Seen: op.Seen, Outcome: op.Outcome, Class: op.Class,
	}
	number, known := m.numbers[what]
	if !known {
		number = int32(len(m.actions))
		m.actions = append(m.actions, what)
		m.numbers[what] = number
	}
	return number
}

// Changes implements search.Machine.
func (m *machine) Changes(action int32) bool {
	op := &m.actions[action]
	switch op.Kind {
	case history.Get:
		return false
	case history.Update:
		return !refuted(op) && op.Seen != op.Value
	case history.Take:
		return op.Outcome != history.OK || op.Value != history.None
	}
	return true
}

// Step implements search.Machine.
func (m *machine) Step(s search.State, action int32) (search.State, bool) {
	op := &m.actions[action]
	value, seen := search.State(op.Value), search.State(op.Seen)
	known := op.Outcome == history.OK
	switch op.Kind {
	case history.Upsert:
		return value, true
	case history.Delete:
		return 0, true
	case history.Get:
		return s, s == value
	case history.Update:
		if refuted(op) {
			return s, s != seen
		}
		return value, s == seen || !known && seen == 0
	case history.Take:
		return 0, s == value || !known
	}
	return m.append(s, op.Value), true
}

// append returns the state with a text added to its end.
func (m *machine) append(s search.State, value history.ValueID) search.State {
	if m.stateOf == nil {
		m.stateOf = map[string]search.State{"": 0}
		for id := range m.h.Values[1:] {
			m.stateOf[m.text(search.State(id+1))] = search.State(id + 1)
		}
	}
	text := m.text(s) + m.text(search.State(value))
	state, known := m.stateOf[text]
	if !known {
		state = search.State(len(m.h.Values) + len(m.made))
		m.made = append(m.made, text)
		m.stateOf[text] = state
	}
	return state
}

func (m *machine) text(s search.State) string {
	switch n := int(s) - len(m.h.Values); {
	case s == 0:
		return ""
	case n >= 0:
		return m.made[n]
	}
	if i, foreign := m.h.Values[s].Foreign(); foreign {
		return m.h.Foreign[i]
	}
	return m.h.Text(history.ValueID(s))
}
