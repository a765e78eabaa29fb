//go:build !linux || !cgo

package disk_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/disk"
)

func TestWithoutLayer(t *testing.T) {
	const want = "register the VFS memrace_disk: power losses and faults of the disk need " +
		"Linux and cgo"
	require.EqualError(t, disk.Register(), want)
	require.EqualError(t, disk.Cut(1), want)
	require.EqualError(t, disk.Set(disk.Faults{}), want)
	require.Zero(t, disk.Counts())
}
