// Package check says what is wrong with a history: one file for each property.
//
// It makes nothing happen and draws nothing. Whatever it reports as violated is a fact about the
// history it was given; what a verdict of "holds" does not prove is in docs/checks.md.
package check

import "fmt"

// Property is a promise that a store makes.
type Property string

// The properties, in the order in which they are judged and shown.
const (
	// Progress: each kind of operation succeeded at least once, and clients did overlap.
	Progress Property = "progress"
	// Isolation: every value that was read had been written to the slot that was asked for.
	Isolation Property = "isolation"
	// Integrity: every value that was read is, byte for byte, one that a client wrote and whose
	// write was not refused.
	Integrity Property = "integrity"
	// Uniqueness: the store keeps at most one row for a slot.
	Uniqueness Property = "uniqueness"
	// Linearizability: each operation took effect at one instant between call and return.
	Linearizability Property = "linearizability"
	// Snapshot: a call on a whole session took effect at one instant for all of it.
	Snapshot Property = "snapshot"
	// FinalValue: what is read after all clients are done, and again after the store was closed
	// and opened, is what the operations before leave.
	FinalValue Property = "final"
)

// Properties returns all properties in the order in which they are judged and shown.
func Properties() []Property {
	return []Property{Progress, Isolation, Integrity, Uniqueness, Linearizability, Snapshot,
		FinalValue}
}

// State is what was found out about a property. The zero State is Skipped.
type State uint8

// The states, from the least telling to the worst.
const (
	// Skipped: the property was not looked at; the verdict's reason says why.
	Skipped State = iota
	// Holds: the history keeps the property.
	Holds
	// Undecided: the history is too poor, or the search for an answer was too long.
	Undecided
	// Violated: the history breaks the property.
	Violated
)

// Anomaly is the field's word for what is wrong.
type Anomaly string

// The anomalies.
const (
	NothingSucceeds  Anomaly = "nothing succeeds"
	Hang             Anomaly = "hang"
	Panic            Anomaly = "panic"
	CrossSessionLeak Anomaly = "cross-session leak"
	CrossKeyMixup    Anomaly = "cross-key mix-up"
	ValueFromNowhere Anomaly = "value from nowhere"
	FailedWriteRead  Anomaly = "read of a failed write"
	StrayRow         Anomaly = "stray row"
	DamagedStore     Anomaly = "damaged store"
	DuplicateRow     Anomaly = "duplicate row"
	StaleRead        Anomaly = "stale read"
	LostUpdate       Anomaly = "lost update"
	TakenTwice       Anomaly = "value taken twice"
	ReadFromFuture   Anomaly = "read before its write"
	LostValue        Anomaly = "value gone without a delete"
	ResurrectedValue Anomaly = "resurrected delete"
	LostWrite        Anomaly = "lost write"
	LostAfterReopen  Anomaly = "lost write after reopen"
	LostItem         Anomaly = "lost item"
	DoubledItem      Anomaly = "doubled item"
	ReorderedItems   Anomaly = "reordered items"
	ReadSkew         Anomaly = "read skew"
	NotLinearizable  Anomaly = "not linearizable"
)

// Verdict is what was found out about one property.
type Verdict struct {
	Property Property `json:"property"`
	State    State    `json:"state"`
	// Reason is one sentence on why the state is Skipped or Undecided; empty otherwise.
	Reason string `json:"reason,omitempty"`
	// Notes say, one sentence each, what of the evidence was judged and what was not.
	Notes []string `json:"notes,omitempty"`
	// Count is how many violations were found, Violations the first of them.
	Count      int         `json:"count,omitempty"`
	Violations []Violation `json:"violations,omitempty"`
	// Loss is what was lost when the power failed; nil if it did not.
	Loss *Loss `json:"loss,omitempty"`
}

// Loss is what was acknowledged and is gone after the power has failed.
type Loss struct {
	// Writes is how many upserts, updates, deletes and takes are gone, Items how many items of
	// lists.
	Writes int `json:"writes"`
	Items  int `json:"items,omitempty"`
	// Span is how long before the power failed the first of them had returned, in nanoseconds.
	Span int64 `json:"span_ns"`
	// Allowed is true if the store says that it may lose them.
	Allowed bool `json:"allowed"`
}

// Violation is a piece of evidence against a property.
type Violation struct {
	Property Property `json:"property"`
	Anomaly  Anomaly  `json:"anomaly"`
	// Slot is an index into History.Slots; NoSlot for a violation that is about none of them.
	Slot uint32 `json:"slot"`
	// Ops are the operations that prove it, as indices into History.Ops, in order of their calls.
	// What they prove needs no other operation of the history. Empty for a violation that rests
	// on rows or on what never happened.
	Ops []int `json:"operations,omitempty"`
	// Sentence says what is wrong in the words of the history: who did what, and why that
	// cannot be. It ends without a full stop.
	Sentence string `json:"sentence"`
}

// NoSlot is the Slot of a violation that is about no slot of the history.
const NoSlot uint32 = 1<<32 - 1

// Options change how Judge goes about it. The zero value is right for most.
type Options struct {
	// MaxViolations is how many violations of a property are kept in its verdict; 0 means 16.
	MaxViolations int
	// SearchLimit bounds the search that slots need whose values repeat, or of which operations say
	// only what was not there: it is how many states are looked at in all. 0 means a million, which
	// takes a second or so and 200 MB at most. The slots share the limit evenly, and so do sessions
	// that were listed, each with two states more for each of its calls, since an order of them
	// takes one. It is no time, so that a verdict does not depend on the machine. It cannot be
	// switched off.
	SearchLimit int
}

const (
	defaultMaxViolations = 16
	defaultSearchLimit   = 1 << 20
)

// Validate returns an error that names the field which is out of range, or nil.
func (o Options) Validate() error {
	if o.MaxViolations < 0 {
		return fmt.Errorf("MaxViolations is %d; it cannot be negative", o.MaxViolations)
	}
	if o.SearchLimit < 0 {
		return fmt.Errorf("SearchLimit is %d; it cannot be negative", o.SearchLimit)
	}
	return nil
}

// withDefaults replaces what is zero or out of range by what is usual.
func (o Options) withDefaults() Options {
	if o.MaxViolations <= 0 {
		o.MaxViolations = defaultMaxViolations
	}
	if o.SearchLimit <= 0 {
		o.SearchLimit = defaultSearchLimit
	}
	return o
}
