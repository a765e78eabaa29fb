package fault

import (
	"context"
	"os"

	"memrace/store"
	"memrace/store/disk"
)

// OnDisk returns an opener of stores whose disk has faults from when they were opened for the first
// time in a directory until they are closed: making the files goes well, and so does whoever looks
// at them again. Only stores with files that go through package disk, in this process, feel them,
// and only one run at a time can have faults of its own.
func OnDisk(open store.Opener, f disk.Faults) store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		before, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		if err := disk.Set(disk.Faults{}); err != nil {
			return nil, err
		}
		s, err := open(ctx, dir)
		if err != nil || len(before) > 0 {
			return s, err
		}
		return s, disk.Set(f)
	}
}
