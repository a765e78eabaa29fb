package bench

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// Disk is what is known of the file system that a directory is on.
type Disk struct {
	// FS is the name of the file system; empty where it is not known.
	FS string
	// Fsync is the median of how long it takes to have 4 KiB more of a file on the disk.
	Fsync time.Duration
}

// Durable reports whether a flush seems to reach a disk: in memory it takes no time.
func (d Disk) Durable() bool { return d.FS != "tmpfs" && d.Fsync >= durable }

const (
	durable = 20 * time.Microsecond
	// A disk is measured by so many flushes, or as many as there is time for.
	flushes   = 100
	leastRuns = 5
	flushTime = 500 * time.Millisecond
	pageSize  = 4096
)

// MeasureDisk measures the file system of a directory, by a file that it removes again.
func MeasureDisk(dir string) (d Disk, err error) {
	f, err := os.CreateTemp(dir, "fsync-")
	if err != nil {
		return d, fmt.Errorf("measure the disk: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	var took []time.Duration
	page := make([]byte, pageSize)
	for begin := time.Now(); len(took) < leastRuns ||
		len(took) < flushes && time.Since(begin) < flushTime; {
		if _, err := f.Write(page); err != nil {
			return d, fmt.Errorf("measure the disk: %w", err)
		}
		at := time.Now()
		if err := f.Sync(); err != nil {
			return d, fmt.Errorf("measure the disk: %w", err)
		}
		took = append(took, time.Since(at))
	}
	slices.Sort(took)
	return Disk{FS: fileSystem(dir), Fsync: took[len(took)/2]}, nil
}
