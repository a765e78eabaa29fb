package sqlite_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

// driverName is the driver of all variants in these tests; "" is the default. Module bench/drivers
// runs them over each of the others.
var driverName = os.Getenv("MEMRACE_DRIVER")

// variant returns what ParseVariant makes of text, for tests that are not about that. It skips the
// test if the driver cannot have it.
func variant(t testing.TB, text string) sqlite.Variant {
	t.Helper()
	v, err := sqlite.ParseVariant(text)
	require.NoError(t, err)
	v.Driver = driverName
	if err := v.Validate(); err != nil && v.Disk {
		t.Skip(err)
	}
	return v
}

// words returns as much of a message as all drivers say alike, which is what is before a colon.
func words(message string) string {
	if driverName != "" {
		message, _, _ = strings.Cut(message, ":")
	}
	return message
}

func TestVariantsAreNamedAndRight(t *testing.T) {
	var names []string
	for _, v := range sqlite.Variants() {
		names = append(names, v.String())
		require.NoError(t, v.Validate())
	}
	want := []string{"memory", "shared", "pool", "wal", "wal-pool", "wal-batch"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestParseVariant(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       sqlite.Variant
		printed    string
		why        string
	}{
		{
			name: "settings change a named variant", text: "wal,synchronous=full,readers=9",
			want: sqlite.Variant{Name: "wal", Journal: "wal", Synchronous: "full", Readers: 9,
				Writers: 1, BusyTimeout: 10 * time.Second, TxLock: "auto"},
			printed: "wal,synchronous=full,readers=9",
		},
		{
			name: "all settings in any order",
			text: "pool,txlock=exclusive,busy=250ms,writers=2,readers=3," +
				"synchronous=off,journal=wal,disk=on,commits=on",
			want: sqlite.Variant{Name: "pool", Journal: "wal", Synchronous: "off", Readers: 3,
				Writers: 2, BusyTimeout: 250 * time.Millisecond, TxLock: "exclusive",
				Commits: true, Disk: true},
			printed: "pool,journal=wal,synchronous=off,readers=3,writers=2,busy=250ms," +
				"txlock=exclusive,commits=on,disk=on",
			why: "one order of printing makes two texts of one variant equal",
		},
		{
			name: "batches", text: "wal-batch,delay=1500us,batch=8",
			want: sqlite.Variant{Name: "wal-batch", Journal: "wal", Synchronous: "normal",
				Readers: 4, Writers: 1, BusyTimeout: 10 * time.Second, TxLock: "immediate",
				Batch: 8, Delay: 1500 * time.Microsecond},
			printed: "wal-batch,batch=8,delay=1.5ms",
		},
		{
			name: "a setting that changes nothing",
			text: "shared,writers=1,busy=10000ms,commits=off",
			want: sqlite.Variant{Name: "shared", Journal: "delete", Synchronous: "full",
				Writers: 1, BusyTimeout: 10 * time.Second, TxLock: "auto"},
			printed: "shared", why: "only what differs is printed",
		},
		{
			name: "the default driver", text: "memory,driver=mattn",
			want: sqlite.Variant{Name: "memory", Memory: true, Journal: "memory",
				Synchronous: "off", Writers: 1, TxLock: "auto"},
			printed: "memory", why: "variants that are the same are equal",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := sqlite.ParseVariant(tc.text)
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

func TestParseVariantRefuses(t *testing.T) {
	for _, tc := range []struct{ name, text, want, why string }{
		{"nothing", "", "memory, shared, pool, wal, wal-pool", "the right names are listed"},
		{"unknown name", "wall", `"wall"; there are memory`, "the wrong name is quoted"},
		{"unknown setting", "wal,cache=shared",
			`no setting is called "cache"; there are journal, synchronous, readers`, "a list"},
		{"setting without a name", "wal,=1", `no setting is called ""; there are`, ""},
		{"space", "wal, readers=1", `no setting is called " readers"`, "the quotes show it"},
		{"name of the pragma", "wal,busy_timeout=5s", "busy, txlock, batch, delay, commits, disk",
			"the right name"},
		{"no value", "wal,readers", `"readers" is no setting=value`, ""},
		{"empty setting", "wal,", `"" is no setting=value`, "a comma too many"},
		{"twice", "wal,readers=1,readers=2", "readers is set twice", "which one counts?"},
		{"no number", "wal,readers=many", `readers: "many" is not a whole number up to 256`, ""},
		{"empty number", "wal,readers=", `readers: "" is not a whole number up to 256`, ""},
		{"huge number", "wal,writers=99999999999999999999", "is not a whole number up to 256",
			"it is whole, but not up to 256"},
		{"no duration", "wal,busy=10", `busy: "10" is not a duration such as 250ms`, "no unit"},
		{"huge duration", "wal,busy=9999999h", "up to 1h0m0s", "a limit on everything"},
		{"empty word", "wal,journal=", `journal="" is none of delete`, ""},
		{"no switch", "wal,commits=yes", `commits: "yes" is neither on nor off`, ""},
		{"two lines", "wal,journal=a\nb", `journal="a\nb" is none`, "an error is one line"},
		{"word", "wal,journal=WAL", "delete, truncate, persist, memory, wal", "a list"},
		{"synchronous", "wal,synchronous=2", "off, normal, full, extra", "a list"},
		{"txlock", "wal,txlock=now", "auto, deferred, immediate, exclusive", "a list"},
		{"journal off", "shared,journal=off", "journal=memory is as fast", "no rollback"},
		{"readers below 0", "wal,readers=-1", "readers=-1 is not from 0", ""},
		{"too many readers", "wal,readers=257", "to 256", "a limit on everything"},
		{"no writer", "wal,writers=0", "writers=0 is not from 1 to 256", ""},
		{"busy below 0", "wal,busy=-1s", "busy=-1s is not from 0s", ""},
		{"busy too long", "wal,busy=2h", "to 1h0m0s", "a limit on everything"},
		{"busy too fine", "wal,busy=1500us", "whole milliseconds", "it would be cut"},
		{"batch below 0", "wal-batch,batch=-1", "batch=-1 is not from 0", ""},
		{"huge batch", "wal-batch,batch=1025", "to 1024", "a limit on everything"},
		{"no batch", "wal-batch,batch=x", `batch: "x" is not a whole number up to 1024`, ""},
		{"delay below 0", "wal-batch,delay=-1s", "delay=-1s is not from 0s", ""},
		{"delay too long", "wal-batch,delay=2s", "to 1s", "a limit on everything"},
		{"no delay", "wal-batch,delay=2", `delay: "2" is not a duration such as`, "no unit"},
		{"delay for nobody", "wal-batch,delay=1ms,batch=1", "nobody to wait for", ""},
		{"delay without a batch", "wal,delay=1ms", "nobody to wait for", ""},
		{"batch of a pool", "wal-batch,writers=2", "one connection commits for all", ""},
		{"batch without BEGIN", "wal,batch=64", "txlock=auto: several calls share", ""},
		{"pool in memory", "memory,writers=2", "take wal or wal-pool", "two databases"},
		{"readers in memory", "memory,readers=1", "take wal or wal-pool", "two databases"},
		{"disk in memory", "memory,disk=on", "disk=on needs a file", "nothing to lose power"},
		{"driver that is not linked in", "wal,driver=modernk",
			`driver="modernk" is not linked into this program, which has `, "those that are"},
		{"driver without a name", "wal,driver=", "driver: it has no name", ""},
		{"wal in memory", "memory,journal=wal", "journal=wal needs a file", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := sqlite.ParseVariant(tc.text)
			require.ErrorContains(t, err, tc.want, tc.why)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestValidateKnowsMemoryByName(t *testing.T) {
	v := variant(t, "wal")
	v.Memory = true
	require.ErrorContains(t, v.Validate(), "wal: Memory is true, but the name says false")
	require.ErrorContains(t, sqlite.Variant{}.Validate(), `no variant is called ""`)
}

func FuzzParseVariant(f *testing.F) {
	for _, v := range sqlite.Variants() {
		f.Add(v.String())
	}
	f.Add("wal,journal=truncate,synchronous=extra,readers=0,writers=3,busy=1m0.001s," +
		"txlock=deferred,commits=on")
	f.Fuzz(func(t *testing.T, text string) {
		v, err := sqlite.ParseVariant(text)
		if err != nil {
			return
		}
		again, err := sqlite.ParseVariant(v.String())
		require.NoError(t, err)
		if diff := cmp.Diff(v, again); diff != "" {
			t.Errorf("read %q, printed %q (-want +got):\n%s", text, v, diff)
		}
	})
}
