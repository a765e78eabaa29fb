package fault

import (
	"context"
	"errors"
	"fmt"

	"memrace/store"
	"memrace/store/ability"
	"memrace/store/disk"
	"memrace/store/sqlite"
)

// Holder is a store that another connection can keep from writing.
type Holder interface {
	// HoldWrites takes the write lock of the store's file, waiting for it until ctx is done.
	HoldWrites(ctx context.Context) (release func() error, err error)
}

// Distant is a store that keeps its file in a directory from another process than this one.
type Distant interface{ Dir() string }

// holdWrites takes the write lock of a store. That of a store in another process is taken here, in
// its file, which nobody else has open here.
func holdWrites(ctx context.Context, s store.Store) (release func() error, err error) {
	if h, ok := ability.Find[Holder](s); ok {
		return h.HoldWrites(ctx)
	}
	if d, ok := ability.Find[Distant](s); ok {
		v, err := sqlite.ParseVariant("wal") // any that has a file and the usual driver
		if err != nil {
			return nil, err
		}
		release, err := sqlite.Hold(ctx, d.Dir(), v)
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%w; the store has to be a file of SQLite under the name that it is "+
				"told when it begins (db)", err)
		}
		return release, err
	}
	return nil, errNoLock
}

// holdable reports whether holdWrites can be tried.
func holdable(s store.Store) bool {
	_, is := ability.Find[Holder](s)
	_, distant := ability.Find[Distant](s)
	return is || distant
}

var errNoLock = errors.New("hold write lock: this store has none that another could take: it is " +
	"neither one of memrace, nor a file of SQL, nor in a process of its own")

// Spoiled is a store whose files go through package disk.
type Spoiled interface {
	// SetDisk puts faults in the place of those that its disk has, until it is closed.
	SetDisk(ctx context.Context, f disk.Faults) error
}

// well is a disk that nothing is wrong with.
var well disk.Faults

// setDisk puts faults on the disks of all instances of a store.
func setDisk(ctx context.Context, s store.Store, f disk.Faults) error {
	all := ability.FindAll[Spoiled](s)
	if len(all) == 0 {
		return fmt.Errorf("disk %v: the files of this store do not go through the layer that "+
			"could do that; name a store of memrace that has a file, as in --store wal", f)
	}
	var err error
	for _, one := range all {
		err = errors.Join(err, one.SetDisk(ctx, f))
	}
	return err
}
