// Package history is what happened: the operations of a run, each with the time of its call and
// of its return, the slots and values they name, and the text format that they are kept in.
//
// It neither makes operations happen (workers) nor says whether they are right (check), and it
// knows no file system: it reads from an io.Reader and writes to an io.Writer.
package history

import "memrace/store"

// Slot is the owner of one value: a key within a session.
type Slot struct{ Session, Key string }

// Kind is what an operation does.
type Kind uint8

// The kinds of operation. Get and Items only read, the others write.
const (
	Upsert Kind = iota
	Get
	Delete
	// Update sees a value and writes another in its place, both at one instant: a read, a change
	// and a write in one transaction, or a compare-and-set.
	Update
	// Take deletes a value and returns it.
	Take
	// Append adds a text to the end of the one that is there, or of nothing. No client of memrace
	// does; histories from elsewhere have it.
	Append
	// Add adds an item to the end of a session's list of items. The slot of an item is the session
	// with the empty key, whatever else has that slot.
	Add
	// Items reads that list.
	Items

	kinds
)

// Outcome says whether an operation took effect.
type Outcome uint8

// The outcomes. The zero value is Unknown: an operation that was called and never returned.
const (
	// Unknown: nobody can know. It may take effect at any time after its call, or never.
	Unknown Outcome = iota
	// OK: it took effect between its call and its return.
	OK
	// NotApplied: it had no effect and never will have one.
	NotApplied
)

// Client is one sequence of calls, one after the other. A client whose call ends unknown goes on
// under a new number, since that call may still be under way.
type Client uint32

// Clients that are no clients of the workload: they read every slot once more when all others
// are done.
const (
	// Final reads through the handle that the workload used, after all clients are done.
	Final Client = 1<<32 - 1 - iota
	// Dumped stands for the rows that the store listed in full after the final reads.
	Dumped
	// Reopened reads through a fresh handle, after the store was closed and opened again.
	Reopened
)

// ValueID names a value of a history: an index into History.Values. Two values of one history
// are equal if and only if their numbers are.
type ValueID uint32

// None is the value of a Delete, of a Get or Take that found nothing or did not return.
const None ValueID = 0

// Op is one operation, as it was called and as it returned.
type Op struct {
	// Call and Return are nanoseconds since the start of the run, on one monotonic clock.
	// The interval is closed: of two operations, one of which returns when the other is called,
	// nobody can say which was first. Return means nothing when the outcome is Unknown.
	Call, Return int64
	Client       Client
	// Slot is an index into History.Slots.
	Slot uint32
	// Value is what an Upsert, an Update, an Append or an Add wrote, or what a Get, a Take or Items
	// found.
	Value ValueID
	// Seen is the value in whose place an Update wrote its own; None if there was none, or if the
	// Update is not OK and its client did not learn what it saw. An Update that is not applied and
	// of ClassMismatch says that Seen was not what was there.
	Seen    ValueID
	Kind    Kind
	Outcome Outcome
	// Whole is true for what one call on a whole session did to this slot, or found there. There is
	// an operation for each of its slots, all with the same client, call and return, side by side;
	// of Items, one for each item, in the order of the list. See History.Continues.
	Whole bool
	// Class says why an operation did not return OK; 0 where nothing is known.
	Class Class
}

// History is what happened in one run. The zero History is an empty one.
type History struct {
	// Meta is what is known of the run (seed, store, profile, ...), in the order of the file.
	Meta []Meta
	// Ops are sorted by Call.
	Ops []Op
	// Slots holds every slot that an operation names, each once.
	Slots []Slot
	// Values holds every value that an operation names, each once. Values[0] is None.
	Values []Value
	// Foreign holds the texts of the values that are no tags: values of a history from elsewhere,
	// and whatever a store returned that no client of this run wrote.
	Foreign []string
	// Lines holds for each operation the number of its line, where the history was read from a
	// file; nil otherwise.
	Lines []uint32
}

// Meta is one header line of a history: a name in lower case and what it says.
type Meta struct{ Name, Value string }

// Evidence is all that a verdict may rest on.
type Evidence struct {
	History *History
	// Rows are all rows that the store kept at the end; meaningful only if Dumped is true.
	Rows   []store.Row
	Dumped bool
	// Commits are all changes of slots in the order in which they took effect, as the store kept
	// them; meaningful only if Journaled is true.
	Commits   []store.Commit
	Journaled bool
}
