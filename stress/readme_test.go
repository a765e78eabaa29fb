package stress_test

import (
	"context"
	"path/filepath"
	"testing"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress"
)

// OpenMyStore stands for a store of one's own.
func OpenMyStore(path string) (store.Store, error) {
	v, err := sqlite.ParseVariant("wal")
	if err != nil {
		return nil, err
	}
	return v.Opener()(context.Background(), filepath.Dir(path))
}

func TestMyStore(t *testing.T) {
	open := func(ctx context.Context, dir string) (store.Store, error) {
		return OpenMyStore(filepath.Join(dir, "my.db"))
	}
	stress.Run(t, open, stress.Config{})
}
