//go:build linux && cgo

package disk_test

import (
	"fmt"
	"strings"
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

// ways are the settings of stores that go through each of the layers.
func ways(t testing.TB) map[string]string {
	t.Helper()
	require.NoError(t, disk.CountAll())
	return map[string]string{"noted": ",disk=on", "counted": ""}
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
		for way, setting := range ways(t) {
			t.Run(tc.variant+" "+way, func(t *testing.T) {
				s := open(t, tc.variant+setting)
				upsert(t, s, "first")
				before := read()
				for range 10 {
					upsert(t, s, "v")
				}
				got := read()
				if diff := cmp.Diff(tc.want, got.minus(before)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.why, diff)
				}
				require.NoError(t, s.Close())
			})
		}
	}
}

func upsert(t testing.TB, s *sqlite.Store, value string) {
	t.Helper()
	_, err := s.Upsert(t.Context(), "s", "k", value)
	require.NoError(t, err)
}

// TestCommitsOfAWAL: a transaction counts once, whatever it writes, and nothing else does. A frame
// of the log is a header and a page; a rollback journal has a header, the number of pages, and each
// page with its own number and a checksum.
func TestCommitsOfAWAL(t *testing.T) {
	frames := func(n int) int64 { return int64(n) * (24 + 4096) }
	for _, tc := range []struct {
		name, variant string
		do            func(*sqlite.Store) error
		want, bytes   int64
	}{
		{"upsert", "wal", func(s *sqlite.Store) error {
			_, err := s.Upsert(t.Context(), "s", "k", "v")
			return err
		}, 1, frames(1)},
		{"of many pages", "wal", func(s *sqlite.Store) error {
			_, err := s.Upsert(t.Context(), "s", "k", strings.Repeat("v", 50_000))
			return err
		}, 1, frames(14)},
		{"get", "wal", func(s *sqlite.Store) error {
			_, _, err := s.Get(t.Context(), "s", "k")
			return err
		}, 0, 0},
		{"delete of nothing", "wal", func(s *sqlite.Store) error {
			return s.Delete(t.Context(), "s", "none")
		}, 0, 0},
		{"two statements", "wal", func(s *sqlite.Store) error {
			to := func(string, bool) string { return "w" }
			_, _, err := s.Update(t.Context(), "s", "k", to)
			return err
		}, 1, frames(1)},
		{"checkpoint at the end", "wal", (*sqlite.Store).Close, 0, 5 * 4096},
		{"rollback journal", "shared", func(s *sqlite.Store) error {
			_, err := s.Upsert(t.Context(), "s", "k", "v")
			return err
		}, 0, 512 + 12 + 2*(4+4096+4) + 2*4096},
	} {
		for way, setting := range ways(t) {
			t.Run(tc.name+" "+way, func(t *testing.T) {
				s := open(t, tc.variant+setting)
				upsert(t, s, "first")
				before := disk.Counts()
				require.NoError(t, tc.do(s))
				after := disk.Counts()
				require.Equal(t, tc.want, after.Commits-before.Commits)
				require.Equal(t, tc.bytes, after.Bytes()-before.Bytes())
				require.NoError(t, s.Close())
			})
		}
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
	for way, setting := range ways(t) {
		t.Run(way, func(t *testing.T) {
			s := open(t, "wal,synchronous=full"+setting)
			with(t, "slow-sync=30ms")
			before := disk.Counts().Struck.SlowSyncs
			start := time.Now()
			upsert(t, s, "v")
			require.GreaterOrEqual(t, time.Since(start), 30*time.Millisecond)
			require.Equal(t, before+1, disk.Counts().Struck.SlowSyncs)
			require.NoError(t, s.Close())
		})
	}
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
