package disk_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store/disk"
)

func TestParseFaults(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       disk.Faults
		printed    string
		why        string
	}{
		{name: "none", why: "the zero Faults are none"},
		{name: "one call", text: "write-error=17",
			want: disk.Faults{WriteError: disk.Strike{Nth: 17}}, printed: "write-error=17"},
		{name: "from one on", text: "full=1+",
			want: disk.Faults{Full: disk.Strike{Nth: 1, Onward: true}}, printed: "full=1+"},
		{name: "each", text: "lost-sync",
			want: disk.Faults{LostSync: disk.Strike{P: 1}}, printed: "lost-sync"},
		{name: "each, said twice", text: "lost-sync,p=1",
			want: disk.Faults{LostSync: disk.Strike{P: 1}}, printed: "lost-sync",
			why: "one text for each Faults"},
		{name: "duration", text: "slow-sync=20ms,p=0.1",
			want: disk.Faults{SlowSync: disk.Strike{P: 0.1},
				SlowBy: 20 * time.Millisecond}, printed: "slow-sync=20ms,p=0.1"},
		{name: "all", text: "seed=7,slow-sync=1s,sync-error,p=0.5,full=3,read-error=2+," +
			"write-error,p=1e-3",
			want: disk.Faults{Seed: 7, ReadError: disk.Strike{Nth: 2, Onward: true},
				WriteError: disk.Strike{P: 0.001}, Full: disk.Strike{Nth: 3},
				SyncError: disk.Strike{P: 0.5}, SlowSync: disk.Strike{P: 1},
				SlowBy: time.Second},
			printed: "read-error=2+,write-error,p=0.001,full=3,sync-error,p=0.5,slow-sync=1s," +
				"seed=7",
			why: "in one order, and each p with what it belongs to"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := disk.ParseFaults(tc.text)
			require.NoError(t, err)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.why, diff)
			}
			if diff := cmp.Diff(tc.printed, got.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.why, diff)
			}
		})
	}
}

func TestParseFaultsRefuses(t *testing.T) {
	for _, tc := range []struct{ name, text, want, why string }{
		{"unknown", "fsync=1", `no fault is called "fsync"; there are read-error, write-error`, ""},
		{"empty part", "full=1,", `no fault is called ""`, "a comma too many"},
		{"twice", "full=1,full=2", "full is set twice", "which one counts?"},
		{"call 0", "full=0", `"0" is not the number of a call, from 1 on`, "calls begin at one"},
		{"no number", "write-error=0.1", "such as 17, or 17+", "a probability is p="},
		{"beyond", "full=1000000001", "is not from 1 to 1000000000", "a limit on everything"},
		{"p alone", "p=0.1", "p=0.1 follows no fault", ""},
		{"p of a call", "full=3,p=0.1", "follows no fault that can have a probability", ""},
		{"p of the seed", "seed=3,p=0.1", "follows no fault", ""},
		{"p twice", "full,p=0.1,p=0.2", "p=0.2 follows no fault", ""},
		{"p too high", "full,p=1.5", `full: p="1.5" is not a number above 0 and up to 1`, ""},
		{"p of nothing", "full,p=0", `p="0" is not a number above 0`, "it would never strike"},
		{"no p", "full,p=NaN", `p="NaN" is not a number`, ""},
		{"no duration", "slow-sync", `slow-sync: "" is not a duration such as 20ms`, ""},
		{"bad duration", "slow-sync=20", "such as 20ms, up to 1m0s", "no unit"},
		{"long duration", "slow-sync=2m", "2m0s is not from 0s to 1m0s", "a run has to end"},
		{"seed", "seed=-1", `seed: "-1" is not a whole number from 0 on`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := disk.ParseFaults(tc.text)
			require.ErrorContains(t, err, tc.want, tc.why)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestValidateFaults(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   disk.Faults
		want string
	}{
		{"call below 0", disk.Faults{Full: disk.Strike{Nth: -1}}, "full: call -1 is not from 1"},
		{"no p", disk.Faults{Full: disk.Strike{P: math.NaN()}}, "full: p=NaN is not from 0 to 1"},
		{"both", disk.Faults{ReadError: disk.Strike{Nth: 1, P: 0.5}}, "give one of them"},
		{"onward from nothing", disk.Faults{SyncError: disk.Strike{Onward: true}},
			"sync-error: onward needs the call"},
		{"slow by nothing", disk.Faults{SlowSync: disk.Strike{P: 1}}, "one needs the other"},
		{"slow never", disk.Faults{SlowBy: time.Second}, "one needs the other"},
		{"slow once", disk.Faults{SlowBy: 1, SlowSync: disk.Strike{Nth: 1}}, "by probability"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.ErrorContains(t, tc.in.Validate(), tc.want)
			require.ErrorContains(t, disk.Set(tc.in), tc.want, "Set refuses what is not valid")
		})
	}
}

func FuzzParseFaults(f *testing.F) {
	f.Add("read-error=2+,write-error,p=0.001,full=3,sync-error,p=0.5,slow-sync=1s,seed=7")
	f.Add("lost-sync,slow-sync=20ms,p=0.1")
	f.Fuzz(func(t *testing.T, text string) {
		faults, err := disk.ParseFaults(text)
		if err != nil {
			return
		}
		again, err := disk.ParseFaults(faults.String())
		require.NoError(t, err)
		if diff := cmp.Diff(faults, again); diff != "" {
			t.Errorf("read %q, printed %q (-want +got):\n%s", text, faults, diff)
		}
	})
}
