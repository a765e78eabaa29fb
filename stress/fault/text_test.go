package fault_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store/disk"
	"memrace/stress/fault"
)

func TestParse(t *testing.T) {
	full := disk.Faults{Full: disk.Strike{P: 1}}
	slow := disk.Faults{SlowSync: disk.Strike{P: 0.1}, SlowBy: 20 * time.Millisecond}
	for _, c := range []struct {
		name, text string
		want       fault.Faults
		shown      string
	}{
		{"nothing", "", fault.Faults{}, "none"},
		{"nothing, said", "none", fault.Faults{}, "none"},
		{"kill", "kill every 100ms", fault.Faults{KillEvery: 100 * time.Millisecond},
			"kill every 100ms"},
		{"cut", " cut  power at 300ms ", fault.Faults{CutAt: 300 * time.Millisecond},
			"cut power at 300ms"},
		{"hold", "hold write lock 200ms every 1s",
			fault.Faults{HoldFor: 200 * time.Millisecond, HoldEvery: time.Second},
			"hold write lock 200ms every 1s"},
		{"full later", "disk full at 3s", fault.Faults{Disk: full, DiskAt: 3 * time.Second},
			"disk full at 3s"},
		{"full for a while", "disk full for 1s at 3s",
			fault.Faults{Disk: full, DiskAt: 3 * time.Second, DiskFor: time.Second},
			"disk full at 3s for 1s"},
		{"several", "disk slow-sync=20ms,p=0.1; kill every 1s;",
			fault.Faults{Disk: slow, KillEvery: time.Second},
			"kill every 1s; disk slow-sync=20ms,p=0.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := fault.Parse(c.text)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(c.want, got))
			require.Equal(t, c.shown, got.String())
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown", "explode every 1s", `"explode every 1s": no such fault; there are: kill every`},
		{"no time", "kill every", `"kill every": a time is missing`},
		{"no such time", "kill every day", `"day" is not a time with its unit`},
		{"negative", "kill every -1s", `"-1s" is not a time with its unit`},
		{"too short", "kill every 5ns", "kill every 5ns: it goes from 1ms to 1h0m0s"},
		{"twice", "kill every 1s; kill every 2s", "kill is said twice; a run has one of each"},
		{"a word twice", "kill every 1s every 2s", `"every" is said twice`},
		{"a wrong word", "kill every 1s at 2s", `"at" is not understood here`},
		{"half a hold", "hold write lock 1s", "hold write lock: it needs two times"},
		{"a hold for ever", "hold write lock 2s every 1s", "nobody else would ever have it"},
		{"a hold and a cut", "cut power at 1s; hold write lock 1s every 2s", "leave one out"},
		{"no disk", "disk", `"disk": no such fault`},
		{"no fault of a disk", "disk seed=7", "it names no fault"},
		{"a wrong fault of a disk", "disk ful", `no fault is called "ful"`},
		{"a time on its own", "disk at 3s", `no fault is called "at"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := fault.Parse(c.text)
			require.ErrorContains(t, err, c.want)
			require.Zero(t, f)
		})
	}
}

// FuzzParse: what is read is valid, and is read from what it is shown as.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"none", "kill every 1s; hold write lock 1ms every 1m",
		"cut power at 1s;disk lost-sync,seed=3 at 1h for 1ms"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		faults, err := fault.Parse(text)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NoError(t, faults.Validate())
		again, err := fault.Parse(faults.String())
		require.NoError(t, err)
		require.Equal(t, faults, again)
	})
}
