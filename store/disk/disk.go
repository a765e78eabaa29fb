// Package disk is a thin layer between SQLite and its files, for runs in which the power fails or
// the disk does. It belongs here if it is about what of a file has reached the disk.
//
// SQLite knows the layer as a VFS called Name, over the default one. For the database, its rollback
// journal and its write-ahead log it keeps, with what it takes to undo it, each change since the
// last sync of the file, and each name made or deleted since the last sync of the directory. A cut
// takes back a choice of that. Shared memory and temporary files pass through.
//
// Until a cut, which ends the process, only SQLite opens a database; the layer itself opens nothing
// but a journal or a log that is being deleted.
//
// A second one, for measurements, keeps nothing: it counts, and has the same faults, see CountAll.
//
// The layer lives in one process, and sees what that one does through connections that name it.
// So a cut is right only if no other process has the files open. It needs Linux and cgo, and knows
// no driver: it finds the SQLite that the program is linked with.
package disk

import (
	"errors"
	"fmt"
)

// Name is what SQLite knows the layer by: in the parameter vfs of a URI, and as a pragma that
// answers "on" on a connection that goes through the layer and nothing on any other.
const Name = "memrace_disk"

// ErrNoSQLite is returned by Register in a program that no SQLite is linked into.
var ErrNoSQLite = errors.New("no SQLite is linked into this program")

// Register makes the layer known to SQLite. Only the first call does anything; all return the same.
func Register() error {
	if err := register(); err != nil {
		return fmt.Errorf("register the VFS %s: %w", Name, err)
	}
	return nil
}

// CountAll puts the layer that only counts under every database that SQLite opens in this process
// from now on, except those that name a VFS. A power cut takes nothing back of those. Only the
// first call does anything; all return the same.
func CountAll() error {
	if err := countAll(); err != nil {
		return fmt.Errorf("count what SQLite does to its files: %w", err)
	}
	return nil
}

// Cut loses power: every other call into the layer stops where it is, a choice of what has not been
// synced is taken back, and the process ends at once with exit status 137, having written to
// standard error what was taken back. The choice follows from the seed and from what there was:
// for each file everything, nothing, the first changes and a part of the next, or some sectors of
// 512 bytes, each as of some change. Exit status 1 and a line on standard error mean that taking
// back went wrong. Cut returns only where there is no layer, an error that says so.
func Cut(seed uint64) error {
	if err := Register(); err != nil {
		return err
	}
	cut(seed)
	return nil
}

// Set puts faults in the place of those that were set before, and starts to count the calls that
// they strike from one. Databases feel them that were opened through a layer. The zero Faults are
// none. An error is one of Validate or Register.
func Set(f Faults) error {
	if err := f.Validate(); err != nil {
		return err
	}
	if err := Register(); err != nil {
		return err
	}
	set(f)
	return nil
}

// Counts returns what has gone through the layers since the process began, to be subtracted from a
// later reading. It is all zero where there is no layer. The numbers are not of one instant.
func Counts() Counted { return counts() }

// Counted says how many calls there were, those that a fault struck included.
type Counted struct {
	Database, Journal, WAL FileCounts
	// DirectorySyncs counts those of a directory, which come with the first sync of a new journal
	// or WAL and, at synchronous=extra, with the deletion of a journal.
	DirectorySyncs int64
	// Commits counts the transactions that were written into a WAL to their end; those of a
	// rollback journal leave nothing to count.
	Commits int64
	// Struck counts the faults.
	Struck FaultCounts
}

// Syncs returns the syncs of all files and directories: what a commit has to wait for.
func (c Counted) Syncs() int64 {
	return c.Database.Syncs + c.Journal.Syncs + c.WAL.Syncs + c.DirectorySyncs
}

// Bytes returns how many bytes were given to be written to all files.
func (c Counted) Bytes() int64 { return c.Database.Bytes + c.Journal.Bytes + c.WAL.Bytes }

// FileCounts are the calls for files of one kind. Bytes are those given to be written.
type FileCounts struct{ Reads, Writes, Bytes, Syncs int64 }

// FaultCounts say how often each of Faults has struck.
type FaultCounts struct{ ReadErrors, WriteErrors, Full, SyncErrors, LostSyncs, SlowSyncs int64 }

// All returns how often any of them has struck.
func (c FaultCounts) All() int64 { return c.Errors() + c.LostSyncs + c.SlowSyncs }

// Errors returns how many calls were answered with an error.
func (c FaultCounts) Errors() int64 { return c.ReadErrors + c.WriteErrors + c.Full + c.SyncErrors }
