// Package store is the contract that a store of agent memory keeps: what an owner of such a
// store, in any language and over any database, has to know before memrace can test it.
//
// It holds no driver and no SQL; variants over SQLite are in store/sqlite.
package store

import (
	"context"
	"errors"
	"time"
)

// ErrNotApplied is wrapped by an error that promises that the call changed nothing and never
// will. Every other error leaves open whether the call took effect. When in doubt, do not wrap it.
var ErrNotApplied = errors.New("not applied")

// Classer is implemented by errors that say what class they are of, in lower case: "busy",
// "locked", "constraint". Whoever counts errors asks for it with errors.As; never by text.
type Classer interface{ Class() string }

// Store keeps one value for each slot, which is a session and a key within it.
// Its methods may be called from many goroutines at once.
type Store interface {
	// Upsert sets the slot to value, whether or not it had one, and returns the time that the
	// store noted for it. The zero time means that the store notes none.
	Upsert(ctx context.Context, session, key, value string) (updatedAt time.Time, err error)
	// Get returns the slot's value. A slot without one is no error: found is false.
	Get(ctx context.Context, session, key string) (value string, found bool, err error)
	// Delete removes the slot's value. A slot without one is no error.
	Delete(ctx context.Context, session, key string) error
	// Close gives back all that the store holds. No other method is called after it.
	Close() error
}

// Opener opens the store that is kept in the directory dir, and makes it there if there is none.
// Opened again on the same directory, a store must find what it acknowledged before.
// The directory exists and belongs to this store alone.
type Opener func(ctx context.Context, dir string) (Store, error)

// Dumper is implemented by a store that can list every row it keeps, as it keeps them:
// all sessions, rows that no Get would find included, in no particular order.
type Dumper interface {
	Dump(ctx context.Context) ([]Row, error)
}

// Updater is implemented by a store that can read a slot and write it with nothing in between.
type Updater interface {
	// Update calls change with what the slot holds, found being false for nothing, and sets the
	// slot to what change returns, all at one instant. It returns what change was given. A store
	// that has to begin anew calls change anew, which may return something else for it: the last
	// call counts. So change has no effects of its own and calls no store, and is not called once
	// Update has returned. An error of Update is like one of Upsert.
	Update(ctx context.Context, session, key string,
		change func(old string, found bool) string) (old string, found bool, err error)
}

// Taker is implemented by a store that can remove a value and say which one it was.
type Taker interface {
	// Take removes the slot's value and returns it, both at one instant, so that of several takers
	// one gets it. A slot without one is no error: found is false. An error of Take is like one of
	// Delete, and whoever gets it does not learn which value it was.
	Take(ctx context.Context, session, key string) (value string, found bool, err error)
}

// Lister is implemented by a store that can list what a session holds.
type Lister interface {
	// List returns the keys that have a value in the session, and their values, in any order: all
	// of them as they were at one instant. A session without any is no error.
	List(ctx context.Context, session string) ([]Entry, error)
}

// Entry is a key of a session and its value.
type Entry struct{ Key, Value string }

// Clearer is implemented by a store that can forget a whole session.
type Clearer interface {
	// Clear removes the values of all slots of the session, all at one instant. A session without
	// any is no error. An error of Clear is like one of Delete.
	Clear(ctx context.Context, session string) error
}

// Appender is implemented by a store that keeps a list of items for each session, as a chat does,
// beside the slots: no Get or List finds an item, and no Clear removes one.
type Appender interface {
	// Append adds an item to the end of the session's list. An error of it is like one of Upsert.
	Append(ctx context.Context, session, item string) error
	// Items returns the items of the session in the order in which they were appended, as they were
	// at one instant. A session without any is no error.
	Items(ctx context.Context, session string) ([]string, error)
}

// Journaler is implemented by a store that can say in which order its changes took effect.
type Journaler interface {
	// Commits returns every change of a slot that took effect, in the order in which they did; kept
	// is false for a store that could note that order but was not told to.
	Commits(ctx context.Context) (commits []Commit, kept bool, err error)
}

// Commit is one change of a slot. Changes with the same Transaction, which stand side by side, took
// effect at one instant.
type Commit struct {
	Transaction         int64
	Session, Key, Value string
	// Deleted is true if the slot's value was removed. Value is empty then.
	Deleted bool
}

// Checker is implemented by a store that can look at all that it keeps and say whether it is whole.
type Checker interface {
	// Check returns an error that says what is damaged, or nil.
	Check(ctx context.Context) error
}

// Describer is implemented by a store that can say what it is.
type Describer interface {
	Describe(ctx context.Context) (Description, error)
}

// Description says what a store is, as read back from it rather than as it was asked for.
type Description struct {
	// Name is how the store is called, for instance "wal,readers=4". Empty means unknown.
	Name string
	// Volatile is true for a store that keeps nothing once it is closed.
	Volatile bool
	// Bounded is how many items of a session an Appender keeps that forgets the oldest ones by
	// design; 0 for one that keeps all.
	Bounded int
	// Lossy is true for a store that may lose the calls that it acknowledged last when the power
	// fails, by design or by its settings.
	Lossy bool
	// Settings are what is in force, in the order in which they are to be shown: versions,
	// pragmas, sizes of pools.
	Settings []Setting
}

// Setting is one thing that is in force in a store.
type Setting struct{ Name, Value string }

// Row is one row of a store, field by field as the database keeps it.
type Row struct {
	Session, Key, Value Field
	// UpdatedAt is zero for a store that notes no times.
	UpdatedAt time.Time
}

// Field is a value of a column together with its type, since a database may take 'a' as text,
// 'a' as a blob and nothing at all for three different sessions. The zero Field is NULL.
type Field struct {
	Type FieldType
	// Text is the text, the bytes of a blob, or the number as decimal text; empty for NULL.
	Text string
}

// FieldType is one of the five types that SQLite knows; the zero value is NULL.
type FieldType uint8

// The types of a Field.
const (
	Null FieldType = iota
	Text
	Blob
	Integer
	Real
)

// String returns the type's name in lower case.
func (t FieldType) String() string {
	switch t {
	case Null:
		return "null"
	case Text:
		return "text"
	case Blob:
		return "blob"
	case Integer:
		return "integer"
	case Real:
		return "real"
	}
	return "unknown"
}

// TextField returns s as a field of type Text.
func TextField(s string) Field { return Field{Type: Text, Text: s} }
