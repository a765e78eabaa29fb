package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memrace/store"
)

// Variant is one way to keep memories in SQLite, as plain data: two variants are the same if
// they are equal. The zero Variant is not valid; start from Variants or ParseVariant.
type Variant struct {
	// Name is the named variant that this one is, or was changed from.
	Name string
	// Memory is true for a database that has no file and ends with its only connection.
	// It goes with the name and cannot be changed.
	Memory bool
	// Journal is delete, truncate, persist, memory or wal. A database without a file knows only
	// memory.
	Journal string
	// Synchronous is off, normal, full or extra: how hard a commit is pressed onto the disk.
	Synchronous string
	// Readers counts the connections that only read. 0 means that there are none, and that
	// reads go through the connections that write.
	Readers int
	// Writers counts the connections that write; at least 1.
	Writers int
	// BusyTimeout is how long a connection waits for a lock that another one holds, in whole
	// milliseconds. 0 means that it does not wait.
	BusyTimeout time.Duration
	// TxLock is how a write is made a transaction: auto leaves that to the statement, while
	// deferred, immediate and exclusive put it between BEGIN of that kind and COMMIT.
	TxLock string
	// Batch is how many calls that wait to write are made in one transaction at most; each is
	// answered once that is committed. 0 means that none waits for another and each is a
	// transaction of its own.
	Batch int
	// Delay is how long a batch waits for more calls than are there. 0 means that it does not.
	Delay time.Duration
	// Commits is true for a store that keeps a journal of the order in which its changes took
	// effect, see Store.Commits. Its file says so and is refused by a variant that would not.
	Commits bool
	// Disk is true for a store whose files go through package disk, which can cut the power and
	// make faults. It changes nothing in the files.
	Disk bool
	// Driver is the Name of one of Drivers; empty means DefaultDriver.
	Driver string
}

// Limits of a Variant, so that a slip of the finger is an error and not a full machine.
const (
	maxConnections = 256
	maxBusyTimeout = time.Hour
	maxBatch       = 1024
	maxDelay       = time.Second
)

const busyTimeout = 10 * time.Second

var (
	journals = []string{"delete", "truncate", "persist", "memory", "wal"}
	// levels are the words for synchronous, each at the number that SQLite reads back.
	levels  = []string{"off", "normal", "full", "extra"}
	txLocks = []string{"auto", "deferred", "immediate", "exclusive"}
)

// Variants returns the named variants, all of them right: memory, shared, pool, wal, wal-pool,
// wal-batch.
func Variants() []Variant {
	return []Variant{
		{Name: "memory", Memory: true, Journal: "memory", Synchronous: "off", Writers: 1,
			TxLock: "auto"},
		{Name: "shared", Journal: "delete", Synchronous: "full", Writers: 1,
			BusyTimeout: busyTimeout, TxLock: "auto"},
		{Name: "pool", Journal: "delete", Synchronous: "full", Writers: 8,
			BusyTimeout: busyTimeout, TxLock: "immediate"},
		{Name: "wal", Journal: "wal", Synchronous: "normal", Readers: 4, Writers: 1,
			BusyTimeout: busyTimeout, TxLock: "auto"},
		{Name: "wal-pool", Journal: "wal", Synchronous: "normal", Writers: 8,
			BusyTimeout: busyTimeout, TxLock: "immediate"},
		{Name: "wal-batch", Journal: "wal", Synchronous: "normal", Readers: 4, Writers: 1,
			BusyTimeout: busyTimeout, TxLock: "immediate", Batch: 64},
	}
}

// Opener returns the function that opens stores of this variant.
func (v Variant) Opener() store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		s, err := Open(ctx, dir, v)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
}

// Validate returns an error that names the field that makes no sense, its value and the remedy.
func (v Variant) Validate() error {
	base, err := named(v.Name)
	if err != nil {
		return err
	}
	if v.Memory != base.Memory {
		return fmt.Errorf("%s: Memory is %t, but the name says %t", v.Name, v.Memory, base.Memory)
	}
	for _, check := range []func(Variant) error{checkWords, checkNumbers, checkBatch, checkMemory,
		checkDriver} {
		if err := check(v); err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
	}
	return nil
}

func checkWords(v Variant) error {
	if v.Journal == "off" {
		return fmt.Errorf("journal=off cannot roll back, so that no failed call could promise " +
			"that nothing happened; journal=memory is as fast")
	}
	if err := oneOf("journal", v.Journal, journals); err != nil {
		return err
	}
	if err := oneOf("synchronous", v.Synchronous, levels); err != nil {
		return err
	}
	return oneOf("txlock", v.TxLock, txLocks)
}

func oneOf(setting, value string, right []string) error {
	if slices.Contains(right, value) {
		return nil
	}
	return fmt.Errorf("%s=%q is none of %s", setting, value, strings.Join(right, ", "))
}

func checkNumbers(v Variant) error {
	switch {
	case v.Readers < 0 || v.Readers > maxConnections:
		return fmt.Errorf("readers=%d is not from 0 (one pool for everything) to %d",
			v.Readers, maxConnections)
	case v.Writers < 1 || v.Writers > maxConnections:
		return fmt.Errorf("writers=%d is not from 1 to %d", v.Writers, maxConnections)
	case v.BusyTimeout < 0 || v.BusyTimeout > maxBusyTimeout:
		return fmt.Errorf("busy=%v is not from 0s (do not wait) to %v",
			v.BusyTimeout, maxBusyTimeout)
	case v.BusyTimeout%time.Millisecond != 0:
		return fmt.Errorf("busy=%v is finer than SQLite's clock; give whole milliseconds",
			v.BusyTimeout)
	}
	return nil
}

func checkBatch(v Variant) error {
	switch {
	case v.Batch < 0 || v.Batch > maxBatch:
		return fmt.Errorf("batch=%d is not from 0 (a transaction for each call) to %d",
			v.Batch, maxBatch)
	case v.Delay < 0 || v.Delay > maxDelay:
		return fmt.Errorf("delay=%v is not from 0s (take those that wait) to %v",
			v.Delay, maxDelay)
	case v.Delay > 0 && v.Batch < 2:
		return fmt.Errorf("delay=%v, batch=%d: there is nobody to wait for; take batch=64",
			v.Delay, v.Batch)
	case v.Batch > 0 && v.Writers > 1:
		return fmt.Errorf("batch=%d, writers=%d: one connection commits for all (writers=1)",
			v.Batch, v.Writers)
	case v.Batch > 0 && v.TxLock == "auto":
		return fmt.Errorf("batch=%d, txlock=auto: several calls share a transaction, which "+
			"needs a BEGIN (txlock=immediate)", v.Batch)
	}
	return nil
}

func checkMemory(v Variant) error {
	switch {
	case !v.Memory:
		return nil
	case v.Readers != 0 || v.Writers != 1:
		return fmt.Errorf("readers=%d, writers=%d: each connection to :memory: is a database of "+
			"its own, so there is one (readers=0,writers=1); for a pool take wal or wal-pool",
			v.Readers, v.Writers)
	case v.Journal != "memory":
		return fmt.Errorf("journal=%s needs a file; for a database without one it is memory",
			v.Journal)
	case v.Disk:
		return errors.New("disk=on needs a file; for one take shared, pool, wal or wal-pool")
	}
	return nil
}

// checkDriver leaves the default to whoever opens a database: its name is no mistake anywhere.
func checkDriver(v Variant) error {
	d, err := findDriver(v.Driver)
	switch {
	case err != nil && v.Driver != "":
		return err
	case err == nil && v.Disk && !d.Disk:
		return fmt.Errorf("disk=on, driver=%s: this driver brings its own SQLite, which package "+
			"disk cannot reach (driver=%s)", d.Name, DefaultDriver)
	}
	return nil
}

func named(name string) (Variant, error) {
	var names []string
	for _, v := range Variants() {
		if v.Name == name {
			return v, nil
		}
		names = append(names, v.Name)
	}
	return Variant{}, fmt.Errorf("no variant is called %q; there are %s",
		name, strings.Join(names, ", "))
}
