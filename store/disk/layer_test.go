//go:build linux && cgo

package disk_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store/disk"
	"memrace/store/sqlite"
)

func open(t testing.TB, text string) *sqlite.Store {
	t.Helper()
	v, err := sqlite.ParseVariant(text)
	require.NoError(t, err)
	s, err := sqlite.Open(t.Context(), t.TempDir(), v)
	require.NoError(t, err)
	return s
}

// with sets faults for the rest of a test.
func with(t testing.TB, text string) {
	t.Helper()
	f, err := disk.ParseFaults(text)
	require.NoError(t, err)
	require.NoError(t, disk.Set(f))
	t.Cleanup(func() { require.NoError(t, disk.Set(disk.Faults{})) })
}

// TestSyncsOfACommit counts what ten upserts of a row that is there wait for.
func TestSyncsOfACommit(t *testing.T) {
	for _, tc := range []struct {
		variant string
		want    syncs
		why     string
	}{
		{"wal", syncs{}, "only checkpoints sync"},
		{"wal,synchronous=full", syncs{WAL: 10}, "one a commit"},
		{"shared", syncs{Database: 10, Journal: 20, Directories: 10},
			"the journal's pages, the number of them, the directory, then the database"},
		{"shared,synchronous=normal", syncs{Database: 10, Journal: 10, Directories: 10},
			"the number of pages is not kept apart"},
		{"shared,synchronous=extra", syncs{Database: 10, Journal: 20, Directories: 20},
			"the deletion of the journal too"},
		{"shared,synchronous=off", syncs{}, ""},
	} {
		t.Run(tc.variant, func(t *testing.T) {
			s := open(t, tc.variant+",disk=on")
			_, err := s.Upsert(t.Context(), "s", "k", "first")
			require.NoError(t, err)
			before := read()
			for n := range 10 {
				_, err := s.Upsert(t.Context(), "s", "k", fmt.Sprint(n))
				require.NoError(t, err)
			}
			got := read()
			if diff := cmp.Diff(tc.want, got.minus(before)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.why, diff)
			}
			require.NoError(t, s.Close())
		})
	}
}

type syncs struct{ Database, Journal, WAL, Directories int64 }

func read() syncs {
	c := disk.Counts()
	return syncs{c.Database.Syncs, c.Journal.Syncs, c.WAL.Syncs, c.DirectorySyncs}
}

func (s syncs) minus(o syncs) syncs {
	return syncs{s.Database - o.Database, s.Journal - o.Journal, s.WAL - o.WAL,
		s.Directories - o.Directories}
}

func TestSlowSync(t *testing.T) {
	s := open(t, "wal,synchronous=full,disk=on")
	with(t, "slow-sync=30ms")
	before := disk.Counts().Struck.SlowSyncs
	start := time.Now()
	_, err := s.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
	require.GreaterOrEqual(t, time.Since(start), 30*time.Millisecond)
	require.Equal(t, before+1, disk.Counts().Struck.SlowSyncs)
	require.NoError(t, s.Close())
}

// TestFaultsFollowFromTheSeed: which calls are struck is the same each time, and another seed
// strikes others.
func TestFaultsFollowFromTheSeed(t *testing.T) {
	struck := func(seed int) (calls []int) {
		s := open(t, "wal,synchronous=full,disk=on")
		with(t, fmt.Sprintf("sync-error,p=0.3,seed=%d", seed))
		for n := range 40 {
			if _, err := s.Upsert(t.Context(), "s", "k", "v"); err != nil {
				calls = append(calls, n)
			}
		}
		require.NoError(t, disk.Set(disk.Faults{}))
		require.NoError(t, s.Close())
		return calls
	}
	first := struck(1)
	require.NotEmpty(t, first)
	require.Less(t, len(first), 30)
	require.Equal(t, first, struck(1))
	require.NotEqual(t, first, struck(2))
}

// BenchmarkLayer tells what the layer costs an upsert that waits for no disk, and one that does.
func BenchmarkLayer(b *testing.B) {
	for _, variant := range []string{"wal", "wal,synchronous=full"} {
		for _, on := range []string{"off", "on"} {
			b.Run(fmt.Sprintf("store=%s/disk=%s", variant, on), func(b *testing.B) {
				s := open(b, variant+",disk="+on)
				for n := 0; b.Loop(); n++ {
					key := fmt.Sprint(n % 1000)
					if _, err := s.Upsert(b.Context(), "s", key, "value"); err != nil {
						b.Fatal(err)
					}
				}
				require.NoError(b, s.Close())
			})
		}
	}
}
