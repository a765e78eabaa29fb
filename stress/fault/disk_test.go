//go:build linux && cgo

package fault_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store/disk"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/fault"
)

// A disk that is full for a while refuses writes for as long, in this process or in another, and
// the store is right before, meanwhile and afterwards.
func TestDiskIsFullForAWhile(t *testing.T) {
	for _, text := range []string{
		"disk full at 40ms for 40ms",
		"disk full at 40ms for 40ms; hold write lock 5ms every 20ms",
		"disk full at 40ms for 40ms; kill every 60ms",
	} {
		t.Run(text, func(t *testing.T) {
			open := variant(t, "wal,disk=on")
			if f, err := fault.Parse(text); err == nil && f.Mortal() {
				open = served(t, "wal,disk=on")
			}
			r := hurt(t, open, text,
				stress.Config{Profile: "hot", Ops: 60_000, For: 200 * time.Millisecond})
			require.Equal(t, check.Holds, r.State(), "%v", r.Verdicts)
			require.Positive(t, refused(r, "full"))
			spoiled := 0
			for _, e := range r.Events {
				if e.What == "given a bad disk (full)" {
					spoiled++
					require.GreaterOrEqual(t, e.Back, 40*time.Millisecond)
				}
			}
			require.Equal(t, 1, spoiled)
			last := r.Evidence.History.Ops[0]
			for _, op := range r.Evidence.History.Ops {
				if op.Client.Numbered() && op.Return > last.Return {
					last = op
				}
			}
			require.NotEqual(t, "full", last.Class.String(), "in the end there is room again")
		})
	}
}

// A disk that says that it has synced, and has not, makes a liar of the most careful store once the
// power fails; without the lie it loses nothing.
func TestDiskThatLiesAndPowerThatFails(t *testing.T) {
	for text, lies := range map[string]bool{
		"cut power at 40ms; disk lost-sync": true,
		"cut power at 40ms":                 false,
	} {
		violated := 0
		for seed := range uint64(8) {
			r := hurt(t, served(t, "wal,synchronous=full,disk=on"), text,
				stress.Config{Profile: "hot", Ops: 100_000, Seed: seed + 1})
			if r.State() == check.Violated {
				violated++
			}
		}
		require.Equal(t, lies, violated > 0, "%s: %d of 8", text, violated)
	}
}

// Faults of the disk end with the store that they were given to, and need one that has them.
func TestDiskIsWellAgain(t *testing.T) {
	full := fault.Faults{Disk: disk.Faults{Full: disk.Strike{P: 1}}}
	s, err := variant(t, "wal,disk=on")(t.Context(), t.TempDir())
	require.NoError(t, err)
	require.NoError(t, full.Begin(t.Context(), s))
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.ErrorContains(t, err, "full")
	require.NoError(t, s.Close())

	again, err := variant(t, "wal,disk=on")(t.Context(), t.TempDir())
	require.NoError(t, err)
	_, err = again.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
	require.NoError(t, again.Close())

	for _, c := range []struct{ name, want string }{
		{"wal", "open the store with disk=on"}, {"memory", "open the store with disk=on"},
	} {
		s, err := variant(t, c.name)(t.Context(), t.TempDir())
		require.NoError(t, err)
		require.ErrorContains(t, full.Begin(t.Context(), s), c.want)
		require.NoError(t, s.Close())
	}
	bare, err := bare(t)(t.Context(), t.TempDir())
	require.NoError(t, err)
	require.ErrorContains(t, full.Begin(t.Context(), bare), "name a store of memrace")
	require.NoError(t, bare.Close())
}
