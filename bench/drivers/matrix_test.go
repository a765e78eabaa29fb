package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/workload"
)

func TestDriversAreLinked(t *testing.T) {
	var names []string
	for _, d := range sqlite.Drivers() {
		version, source, err := d.Version(t.Context())
		require.NoError(t, err)
		t.Log(d.Name, version, source)
		names = append(names, d.Name)
	}
	if diff := cmp.Diff([]string{"mattn", "modernc", "ncruces", "zombiezen"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEveryVariantHolds judges each right variant over each driver, with every profile, or with one
// that has most kinds of operations if the tests are to be short.
func TestEveryVariantHolds(t *testing.T) {
	profiles := workload.Profiles()
	for _, d := range sqlite.Drivers() {
		for _, v := range sqlite.Variants() {
			v.Driver = d.Name
			for _, p := range profiles {
				if testing.Short() && p.Name != "updates" && p.Name != "uniform" {
					continue
				}
				t.Run(v.Name+"/"+d.Name+"/"+p.Name, func(t *testing.T) { judge(t, v, p.Name) })
			}
		}
	}
}

// TestJournalTellsTheOrder has the checks use the order in which changes were committed.
func TestJournalTellsTheOrder(t *testing.T) {
	for _, d := range sqlite.Drivers() {
		for _, text := range []string{"memory", "pool", "wal", "wal-batch"} {
			t.Run(text+"/"+d.Name, func(t *testing.T) {
				v, err := sqlite.ParseVariant(text + ",commits=on,driver=" + d.Name)
				require.NoError(t, err)
				judge(t, v, "updates")
			})
		}
	}
}

// judge hammers a store and wants everything to hold. A run on a machine so busy that no two calls
// met proves nothing, and is made again for longer.
func judge(t *testing.T, v sqlite.Variant, profile string) {
	t.Helper()
	c := stress.Config{Profile: profile, For: 60 * time.Millisecond}
	r, err := stress.Check(t.Context(), v.Opener(), t.TempDir(), c)
	for err == nil && r.State() == check.Undecided && c.For < time.Second {
		c.For *= 2
		r, err = stress.Check(t.Context(), v.Opener(), t.TempDir(), c)
	}
	require.NoError(t, err)
	require.Empty(t, r.Skipped)
	require.Equal(t, check.Holds, r.State(), "seed %d: %v\n%v", r.Config.Seed, r.Verdicts,
		r.Stories)
}

func TestDiskIsOfOneDriver(t *testing.T) {
	for _, d := range sqlite.Drivers() {
		_, err := sqlite.ParseVariant("wal,disk=on,driver=" + d.Name)
		if d.Name == sqlite.DefaultDriver {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "driver="+d.Name+": this driver brings its own SQLite")
	}
}

func TestUnknownDriver(t *testing.T) {
	_, err := sqlite.ParseVariant("wal,driver=modernk")
	require.ErrorContains(t, err, `driver="modernk" is not linked into this program, which has `+
		"mattn, modernc, ncruces, zombiezen")
	require.NotContains(t, err.Error(), "make drivers", "this is what it builds")
}
