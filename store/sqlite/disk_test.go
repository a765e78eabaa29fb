//go:build linux && cgo

package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/disk"
	"memrace/store/sqlite"
)

// ledger is what is known of a store from the outcomes of calls that came one after the other.
type ledger struct {
	store *sqlite.Store
	// may holds, by key, the values that the slot may have; "" is none.
	may map[string][]string
	// items are those that were appended, and maybe those that perhaps were.
	items, maybe []string
	// outcomes counts the outcomes: "ioerr unknown".
	outcomes map[string]int
}

func newLedger(s *sqlite.Store) *ledger {
	return &ledger{store: s, may: map[string][]string{}, outcomes: map[string]int{}}
}

// outcome returns whether a call took effect and whether it may have.
func (l *ledger) outcome(t *testing.T, err error) (did, might bool) {
	if err == nil {
		l.outcomes["ok"]++
		return true, true
	}
	var classer store.Classer
	require.ErrorAs(t, err, &classer)
	might = !errors.Is(err, store.ErrNotApplied)
	name := map[bool]string{true: "unknown", false: "not applied"}[might]
	l.outcomes[classer.Class()+" "+name]++
	return false, might
}

// put notes that a call was to leave a value in a slot.
func (l *ledger) put(t *testing.T, key, value string, err error) {
	did, might := l.outcome(t, err)
	switch {
	case did:
		l.may[key] = []string{value}
	case might:
		l.may[key] = append(l.values(key), value)
	}
}

func (l *ledger) values(key string) []string {
	if values, ok := l.may[key]; ok {
		return values
	}
	return []string{""}
}

// call makes the nth call of a round of all that write.
func (l *ledger) call(t *testing.T, n int) {
	key, value := fmt.Sprint("k", n/5%3), strings.Repeat(fmt.Sprint(n, " "), 1+n*37%900)
	ctx := context.Background()
	switch n % 5 {
	case 0, 1:
		_, err := l.store.Upsert(ctx, "s", key, value)
		l.put(t, key, value, err)
	case 2:
		old, _, err := l.store.Update(ctx, "s", key, to(value))
		if err == nil {
			require.Contains(t, l.values(key), old, "what call %d read", n)
		}
		l.put(t, key, value, err)
	case 3:
		did, might := l.outcome(t, l.store.Append(ctx, "s", value))
		if did {
			l.items = append(l.items, value)
		} else if might {
			l.maybe = append(l.maybe, value)
		}
	case 4:
		old, _, err := l.store.Take(ctx, "s", key)
		if err == nil {
			require.Contains(t, l.values(key), old, "what call %d took", n)
		}
		l.put(t, key, "", err)
	}
	l.read(t, key)
}

// read reads a slot, which may go wrong. What is read has to be possible.
func (l *ledger) read(t *testing.T, key string) {
	value, _, err := l.store.Get(context.Background(), "s", key)
	if _, might := l.outcome(t, err); err != nil {
		require.False(t, might, "a get changes nothing")
		return
	}
	require.Contains(t, l.values(key), value, "what was read of %s", key)
}

// check compares a store with what is known of it.
func (l *ledger) check(t *testing.T, s *sqlite.Store) {
	for _, key := range slices.Sorted(maps.Keys(l.may)) {
		value, _, err := s.Get(context.Background(), "s", key)
		require.NoError(t, err)
		require.Contains(t, l.may[key], value, "what %s has in the end", key)
	}
	items, err := s.Items(context.Background(), "s")
	require.NoError(t, err)
	sure := slices.DeleteFunc(items, func(item string) bool {
		return slices.Contains(l.maybe, item)
	})
	require.Equal(t, append([]string{}, l.items...), append([]string{}, sure...), "the items")
}

// every returns 1 if MEMRACE_SEEDS is set, so that no call is left out, and else a number that has
// nothing to do with how many calls a commit takes.
func every() int {
	if os.Getenv("MEMRACE_SEEDS") != "" {
		return 1
	}
	return 13
}

// TestEachWriteFails strikes each of the first 200 writes in turn.
func TestEachWriteFails(t *testing.T) {
	for _, text := range []string{"wal,synchronous=full", "wal-batch,synchronous=full", "shared"} {
		t.Run(text, func(t *testing.T) { strikeEach(t, text, "write-error=%d", 200, 1) })
	}
}

// TestFaultsOfTheDisk strikes calls of all kinds, one of them or all from there on.
func TestFaultsOfTheDisk(t *testing.T) {
	for _, text := range []string{"wal,synchronous=full", "wal-pool,synchronous=full",
		"wal-batch,synchronous=full", "shared", "pool", "shared,journal=truncate",
		"shared,journal=persist"} {
		for _, f := range []struct {
			format string
			calls  int
		}{
			{"write-error=%d", 200}, {"write-error=%d+", 200}, {"full=%d", 200}, {"full=%d+", 200},
			{"sync-error=%d", 60}, {"sync-error=%d+", 60}, {"read-error=%d", 20},
			{"read-error=%d+", 20},
		} {
			t.Run(text+"/"+f.format, func(t *testing.T) {
				strikeEach(t, text, f.format, f.calls, every())
			})
		}
	}
}

// strikeEach takes one call after the other for the fault to strike. What a store has said has to
// be true then, in this process and in the file.
func strikeEach(t *testing.T, text, format string, calls, step int) {
	outcomes := map[string]int{}
	for n := 1; n <= calls; n += step {
		// Nothing is really synced, which would take long and show nothing here.
		faults, err := disk.ParseFaults(fmt.Sprintf(format, n) + ",lost-sync")
		require.NoError(t, err)
		strike(t, text, faults, outcomes)
		if t.Failed() {
			t.Fatalf("%s,disk=on with %v", text, faults)
		}
	}
	t.Log(outcomes)
}

// maxCalls is by when a fault has to have struck.
const maxCalls = 400

// strike makes calls until some more than the fault has struck.
func strike(t *testing.T, text string, faults disk.Faults, outcomes map[string]int) {
	dir, v := t.TempDir(), variant(t, text+",disk=on,busy=1s")
	before := disk.Counts().Struck.Errors()
	struck := func() bool { return disk.Counts().Struck.Errors() > before }
	require.NoError(t, disk.Set(faults))
	defer func() { require.NoError(t, disk.Set(disk.Faults{})) }()
	s, err := sqlite.Open(t.Context(), dir, v)
	if err != nil {
		outcomes["not opened"]++
		require.True(t, struck(), "%v", err)
		require.NoError(t, disk.Set(disk.Faults{}))
		s, err = sqlite.Open(t.Context(), dir, v)
		require.NoError(t, err)
	}
	l := newLedger(s)
	for n, after := 0, 0; n < maxCalls && after < 10; n++ {
		l.call(t, n)
		if struck() {
			after++
		}
	}
	require.True(t, struck(), "nothing went wrong in %d calls", maxCalls)
	require.NoError(t, disk.Set(disk.Faults{}))
	l.end(t, dir, text)
	for name, n := range l.outcomes {
		outcomes[name] += n
	}
}

// end looks at the store once the disk is good again, and at the file without it.
func (l *ledger) end(t *testing.T, dir, text string) {
	l.check(t, l.store)
	_, err := l.store.Upsert(t.Context(), "s", "k0", "last")
	l.put(t, "k0", "last", err)
	require.NoError(t, err, "the store goes on once the disk does")
	require.NoError(t, l.store.Close())
	s, err := sqlite.Open(t.Context(), dir, variant(t, text))
	require.NoError(t, err)
	l.check(t, s)
	require.Equal(t, "ok", s.Integrity(t.Context()))
	require.NoError(t, s.Close())
}

// TestDisk: the setting is read back from the connection, and shown.
func TestDisk(t *testing.T) {
	for _, text := range []string{"wal,disk=on", "pool,disk=on,commits=on"} {
		s := open(t, t.TempDir(), text)
		before := disk.Counts()
		upsert(t, s, "s", "k", "v")
		require.NotEqual(t, before, disk.Counts(), "the calls go through the layer")
		about, err := s.Describe(t.Context())
		require.NoError(t, err)
		require.Contains(t, about.Settings, store.Setting{Name: "disk", Value: "on"})
	}
	s := open(t, t.TempDir(), "wal")
	before := disk.Counts()
	upsert(t, s, "s", "k", "v")
	require.Equal(t, before, disk.Counts(), "no other store goes through it")
}

func TestDiskIsReadBack(t *testing.T) {
	for _, tc := range []struct{ asked, got, want string }{
		{"wal,disk=on", "wal", "disk=on was asked for, but the connection says off"},
		{"wal", "wal,disk=on", "disk=off was asked for, but the connection says on"},
	} {
		err := sqlite.CheckDisk(t.Context(), t.TempDir(), variant(t, tc.asked),
			variant(t, tc.got))
		require.EqualError(t, err, tc.want)
	}
}
