//go:build cgo

package sqlite_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	sqlite3 "github.com/mattn/go-sqlite3"
	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

func TestAnyDirectoryWillDo(t *testing.T) {
	for _, name := range []string{"plain", "a?b", "a#b", "100%", "%41", "two words", `'"`, "a&b=c",
		"a+b", "żółw", "日本", "a;b", ":memory:", "file:x", "\xff"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Skipf("this file system does not know such a name: %v", err)
			}
			s := open(t, dir, "wal")
			upsert(t, s, "s", "k", "v")
			require.NoError(t, s.Close())
			if diff := cmp.Diff([]string{"memories.db"}, files(t, dir)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			requireValue(t, open(t, dir, "shared"), "s", "k", "v")
		})
	}
}

func TestRelativeDirectory(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s, err := openStatements(t, ".", "shared,txlock=immediate", func(s *sqlite.Statements) {
		s.Upsert = strings.Split(s.Upsert, "ON CONFLICT")[0]
	})
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	upsert(t, s, "s", "k", "v")
	require.NoError(t, s.BreakRollback(t.Context()))
	_, err = s.Upsert(t.Context(), "s", "k", "w")
	requireClass(t, err, "constraint", false)
	requireValue(t, s, "s", "k", "v")
}

// TestFileStaysInWAL: a file that another handle keeps in WAL cannot leave it.
func TestFileStaysInWAL(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, "wal")
	for _, text := range []string{"shared,busy=5ms", "pool,busy=5ms,journal=truncate"} {
		_, err := sqlite.Open(t.Context(), dir, variant(t, text))
		require.ErrorContains(t, err, "set journal_mode to", "%s", text)
		requireClass(t, err, "busy", true)
		_, err = sqlite.OpenPools(t.Context(), dir, variant(t, text))
		require.ErrorContains(t, err, "set journal_mode to", "%s", text)
	}
}

// TestSettingThatDoesNotTake: SQLite says nothing when it takes another setting than it is given.
func TestSettingThatDoesNotTake(t *testing.T) {
	v := variant(t, "memory")
	v.Journal = "wal"
	err := sqlite.ConnectUnchecked(t.Context(), "", v)
	require.ErrorContains(t, err, "journal_mode is memory, wal was asked for")
	v = variant(t, "shared")
	v.Synchronous = "sometimes"
	before := descriptors(t)
	err = sqlite.ConnectUnchecked(t.Context(), t.TempDir(), v)
	require.ErrorContains(t, err, "synchronous is normal, sometimes was asked for")
	require.Equal(t, before, descriptors(t), "open files")
}

func TestOpenWaitsForWhoIsBusy(t *testing.T) {
	busy := sqlite.Wrap("open", sqlite3.Error{Code: sqlite3.ErrBusy})
	other := sqlite.Wrap("open", sqlite3.Error{Code: sqlite3.ErrCantOpen})
	for _, tc := range []struct {
		name    string
		answers []error
		budget  time.Duration
		want    error
		calls   int
	}{
		{"at once", []error{nil}, time.Second, nil, 1},
		{"twice busy", []error{busy, busy, nil}, time.Second, nil, 3},
		{"another error", []error{busy, other, nil}, time.Second, other, 2},
		{"no budget", []error{busy, busy, nil}, 0, busy, 2},
		{"out of budget", []error{busy, busy, busy, busy, nil}, 5 * time.Millisecond, busy, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				err := sqlite.Patiently(t.Context(), tc.budget, func() error {
					calls++
					return tc.answers[calls-1]
				})
				require.Equal(t, tc.want, err)
				require.Equal(t, tc.calls, calls)
			})
		})
	}
}

func TestOpenWaitsNoLongerThanItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		err := sqlite.Patiently(ctx, time.Hour, func() error {
			cancel()
			return sqlite.Wrap("open", sqlite3.Error{Code: sqlite3.ErrBusy})
		})
		require.ErrorIs(t, err, context.Canceled)
	})
}

// TestOpenStorm lets many processes open the same fresh file at once.
func TestOpenStorm(t *testing.T) {
	for _, text := range []string{"wal", "pool,writers=2", "wal-pool,writers=2"} {
		t.Run(text, func(t *testing.T) {
			dir := t.TempDir()
			runStorm(t, dir, text, 8)
			rows, err := open(t, dir, text).Dump(t.Context())
			require.NoError(t, err)
			require.Len(t, rows, 8)
		})
	}
}

func runStorm(t *testing.T, dir, text string, count int) {
	var inputs []io.Closer
	var processes []*exec.Cmd
	outputs := make([]bytes.Buffer, count)
	for i := range count {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), stormDir+"="+dir,
			fmt.Sprintf("%s_VARIANT=%s", stormDir, variant(t, text)))
		process.Stderr = &outputs[i]
		input, err := process.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, process.Start())
		inputs, processes = append(inputs, input), append(processes, process)
	}
	for _, input := range inputs {
		require.NoError(t, input.Close())
	}
	for i, process := range processes {
		if err := process.Wait(); err != nil {
			t.Errorf("process %d: %v: %s", i, err, &outputs[i])
		}
	}
}

func TestCloseLeavesNothingBehind(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sqlite.Variant) {
		dir := t.TempDir()
		before := descriptors(t)
		for range 3 {
			s, err := sqlite.Open(t.Context(), dir, v)
			require.NoError(t, err)
			hammer(t, s, "x", 2)
			require.NoError(t, s.Close())
		}
		pools, err := sqlite.OpenPools(t.Context(), dir, v)
		require.NoError(t, err)
		require.NoError(t, pools.Close())
		want := []string{"memories.db"}
		if v.Memory {
			want = nil
		}
		if diff := cmp.Diff(want, files(t, dir)); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}
		require.Equal(t, before, descriptors(t), "open files")
	})
}

// descriptors counts the files that this process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Skipf("%s does not list open files: %v", runtime.GOOS, err)
	}
	return len(entries)
}
