package proc

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// Types of answers: what each says of its call. See docs/protocol.md.
const (
	typeOK   = "ok"   // it took effect
	typeFail = "fail" // it did not and never will
	typeInfo = "info" // nobody knows
	typeSeen = "seen" // an update asks what to write in place of what it saw
)

var types = []string{typeOK, typeFail, typeInfo, typeSeen}

// answer is a line from the child. Members that are not listed here are ignored, so that the
// protocol can grow.
type answer struct {
	ID    int64   `json:"id"`
	Type  string  `json:"type"`
	Error string  `json:"error,omitzero"`
	Class string  `json:"class,omitzero"`
	Found *bool   `json:"found,omitzero"`
	Value *string `json:"value,omitzero"`
	// T0 and T1 are nanoseconds of CLOCK_MONOTONIC right before and right after the store's call.
	T0 int64 `json:"t0,omitzero"`
	T1 int64 `json:"t1,omitzero"`
	// UpdatedAt is in nanoseconds since 1970.
	UpdatedAt int64 `json:"updated_at,omitzero"`
	// line is the whole line if it has more than simple members.
	line []byte
}

// What the answers to some calls have besides.
type (
	listing struct {
		Entries []entry `json:"entries"`
	}
	entry struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	items struct {
		Items []string `json:"items"`
	}
	rows struct {
		Rows []row `json:"rows"`
	}
	greeting struct {
		Proto    int       `json:"proto"`
		Ops      []string  `json:"ops"`
		Bounded  int       `json:"bounded,omitzero"`
		Clock    string    `json:"clock,omitzero"`
		Name     string    `json:"name,omitzero"`
		Volatile bool      `json:"volatile,omitzero"`
		Lossy    bool      `json:"lossy,omitzero"`
		Settings []setting `json:"settings,omitzero"`
	}
	setting struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// noID is the id of an answer that has none.
const noID = -1

// parseAnswer reads a line from the child.
func parseAnswer(line []byte) (answer, error) {
	a := answer{ID: noID}
	if !flat(line, a.take) {
		var err error
		if a, err = parseLong(line); err != nil {
			return a, err
		}
	}
	switch {
	case a.ID < 0:
		return a, errors.New(`it has no "id" of a call`)
	case !slices.Contains(types, a.Type):
		return a, errors.New(`its "type" is none of ok, fail, info`)
	}
	return a, nil
}

// parseLong reads an answer of any form, and keeps the line for what else is in it.
func parseLong(line []byte) (answer, error) {
	a := answer{ID: noID}
	if err := json.Unmarshal(line, &a); err != nil {
		return a, shape(err)
	}
	a.line = bytes.Clone(line)
	return a, nil
}

var yes, no = true, false

// take sets a member of a simple answer. Where encoding/json would do something else than to set
// it, the line is left to that.
func (a *answer) take(name, value []byte, k kind) bool {
	switch string(name) {
	case "id":
		return integer(&a.ID, value, k)
	case "t0":
		return integer(&a.T0, value, k)
	case "t1":
		return integer(&a.T1, value, k)
	case "type":
		i := slices.IndexFunc(types, func(t string) bool { return t == string(value) })
		if k != text || i < 0 {
			return false
		}
		a.Type = types[i]
		return true
	case "value":
		s := string(value)
		a.Value = &s
		return k == text
	case "found":
		a.Found = &no
		if k == truth {
			a.Found = &yes
		}
		return k == truth || k == lie
	case "updated_at":
		return integer(&a.UpdatedAt, value, k)
	}
	return false
}
