//go:build linux && cgo

package disk

// #cgo CFLAGS: -std=gnu11 -O2 -Wall
// #cgo LDFLAGS: -lpthread
// #include "disk.h"
import "C"

import (
	"fmt"
	"math"
	"sync"
)

var (
	register = sync.OnceValue(func() error { return putOver(Name, 0) })
	countAll = sync.OnceValue(func() error { return putOver(Name+"_count", 1) })
)

var puttingOver sync.Mutex

// putOver gives SQLite a name that is never freed, since SQLite keeps it.
func putOver(name string, onlyCounts C.int) error {
	puttingOver.Lock()
	defer puttingOver.Unlock()
	rc := C.disk_put_over(C.CString(name), onlyCounts)
	switch rc {
	case 0:
		return nil
	case -1:
		return ErrNoSQLite
	}
	return fmt.Errorf("SQLite answers %d", int(rc))
}

func cut(seed uint64) { C.disk_cut(C.ulonglong(seed)) }

func set(f Faults) {
	c := C.disk_faults{seed: C.ulonglong(f.Seed), slow_by: C.longlong(f.SlowBy)}
	c.strikes[C.READ_ERROR] = strike(f.ReadError)
	c.strikes[C.WRITE_ERROR] = strike(f.WriteError)
	c.strikes[C.FULL] = strike(f.Full)
	c.strikes[C.SYNC_ERROR] = strike(f.SyncError)
	c.strikes[C.LOST_SYNC] = strike(f.LostSync)
	c.strikes[C.SLOW_SYNC] = strike(f.SlowSync)
	C.disk_set(&c)
}

func strike(s Strike) C.disk_strike {
	c := C.disk_strike{nth: C.ulonglong(s.Nth), chance: chance(s.P)}
	if s.Onward {
		c.onward = 1
	}
	return c
}

// chance returns p in units of 2^-64.
func chance(p float64) C.ulonglong {
	if p == 1 {
		return math.MaxUint64
	}
	return C.ulonglong(math.Ldexp(p, 64))
}

func counts() Counted {
	var c C.disk_counts
	C.disk_count(&c)
	return Counted{
		Database:       fileCounts(c.files[C.DISK_DATABASE]),
		Journal:        fileCounts(c.files[C.DISK_JOURNAL]),
		WAL:            fileCounts(c.files[C.DISK_WAL]),
		DirectorySyncs: int64(c.directory_syncs),
		Commits:        int64(c.commits),
		Struck: FaultCounts{
			ReadErrors:  int64(c.struck[C.READ_ERROR]),
			WriteErrors: int64(c.struck[C.WRITE_ERROR]),
			Full:        int64(c.struck[C.FULL]),
			SyncErrors:  int64(c.struck[C.SYNC_ERROR]),
			LostSyncs:   int64(c.struck[C.LOST_SYNC]),
			SlowSyncs:   int64(c.struck[C.SLOW_SYNC]),
		},
	}
}

func fileCounts(c C.disk_file_counts) FileCounts {
	return FileCounts{Reads: int64(c.reads), Writes: int64(c.writes), Bytes: int64(c.bytes),
		Syncs: int64(c.syncs)}
}
