package history

import "slices"

// Class is the class of an error, finer than its outcome. The zero Class, ClassNone, says that
// there was no error or that nothing is known of it. Stores name the classes of their errors
// (see store.Classer); a name that is none of the list is ClassOther.
type Class uint8

// The classes. What the names of SQLite mean is said in its list of result codes.
const (
	ClassNone Class = iota
	ClassBusy
	ClassBusySnapshot
	ClassLocked
	ClassConstraint
	ClassReadOnly
	ClassInterrupted
	ClassIOErr
	ClassFull
	ClassCorrupt
	ClassCantOpen
	ClassNotADB
	ClassSchema
	// ClassError is SQLite's plain SQLITE_ERROR: a statement that makes no sense to it.
	ClassError
	ClassCanceled
	ClassDeadline
	// ClassClosed: the store or its connection was closed already.
	ClassClosed
	// ClassPanic: the store panicked.
	ClassPanic
	// ClassMismatch: an Update that was to take the place of one value found another there.
	ClassMismatch
	// ClassExit: the process that keeps the store ended.
	ClassExit
	// ClassHang: it did not answer, although nobody had set a deadline.
	ClassHang
	// ClassProtocol: it answered what is no answer.
	ClassProtocol
	ClassOther
)

var classNames = []string{
	"none", "busy", "busy-snapshot", "locked", "constraint", "readonly", "interrupted", "ioerr",
	"full", "corrupt", "cantopen", "notadb", "schema", "error", "canceled", "deadline", "closed",
	"panic", "mismatch", "exit", "hang", "protocol", "other",
}

// String returns the class's name in lower case.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return "other"
}

// ClassNamed is the counterpart of Class.String. A name that it does not know is ClassOther.
func ClassNamed(name string) Class {
	if i := slices.Index(classNames, name); i >= 0 {
		return Class(i)
	}
	return ClassOther
}

// Classes returns all classes, ClassNone first.
func Classes() []Class {
	all := make([]Class, len(classNames))
	for i := range all {
		all[i] = Class(i)
	}
	return all
}
