//go:build linux && cgo

package fault_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store"
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
			spoiled := slices.IndexFunc(r.Events, func(e fault.Event) bool {
				return e.What == "given a bad disk (full)"
			})
			require.GreaterOrEqual(t, spoiled, 0)
			e := r.Events[spoiled]
			require.GreaterOrEqual(t, e.Back, 40*time.Millisecond)
			written := 0
			well := eventTime(t, r, "given a bad disk") + int64(e.Back)
			for _, op := range r.Evidence.History.Ops {
				if op.Client.Numbered() && op.Kind.Writes() && op.Call > well {
					require.NotEqual(t, "full", op.Class.String(), "there is room again")
					written++
				}
			}
			require.Positive(t, written)
		})
	}
}

// eventTime is when an event began, in nanoseconds from the start of the run.
func eventTime(t *testing.T, r *stress.Result, what string) (at int64) {
	for _, m := range r.Evidence.History.Meta {
		when, text, _ := strings.Cut(m.Value, " ")
		if m.Name == "event" && strings.HasPrefix(text, what) {
			var err error
			at, err = strconv.ParseInt(when, 10, 64)
			require.NoError(t, err)
		}
	}
	return at
}

// The disk of a store that was killed is as bad in its next life.
func TestDiskStaysBad(t *testing.T) {
	s := openHurt(t, "wal,disk=on")
	full := fault.Faults{Disk: disk.Faults{Full: disk.Strike{P: 1}}}
	require.NoError(t, full.Begin(t.Context(), s))
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	events, err := fault.Faults{KillEvery: 10 * time.Millisecond}.Do(ctx, s, func() {})
	require.NoError(t, err)
	require.NotEmpty(t, events)
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.ErrorContains(t, err, "full")
}

// A store that cannot even be opened after the power failed is damaged.
func TestStoreThatDoesNotOpenWithoutPower(t *testing.T) {
	first := true
	r := hurt(t, func(ctx context.Context, dir string) (store.Store, error) {
		if !first {
			return nil, errors.New("malformed")
		}
		first = false
		return served(t, "wal,disk=on")(ctx, dir)
	}, "cut power at 40ms", stress.Config{Profile: "hot", Ops: 100_000})
	integrity := r.Verdict(check.Integrity)
	require.Equal(t, check.Violated, integrity.State)
	require.Equal(t, check.DamagedStore, integrity.Violations[0].Anomaly)
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
