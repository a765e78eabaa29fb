package bench_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/store/disk"
	"memrace/store/sqlite"
	"memrace/stress/fault"
)

// hurt makes a turn of upserts on a variant with faults.
func hurt(t *testing.T, variant, faults string, l bench.Load, c bench.Config) *bench.Turn {
	t.Helper()
	v, err := sqlite.ParseVariant(variant)
	require.NoError(t, err)
	c.Faults, err = fault.Parse(faults)
	require.NoError(t, err)
	turns, err := bench.Run(t.Context(), t.TempDir(), []bench.Subject{{Store: variant,
		Open: v.Opener()}}, []bench.Load{l}, c, nil)
	require.NoError(t, err)
	require.Positive(t, turns[0].Struck, "the faults strike")
	return turns[0]
}

// A store whose disk is slow whenever the log is put into the database, at each thousandth upsert,
// or that another program locks now and then: of the calls in a closed loop a few are slow, of what
// is due meanwhile all is.
func TestAStalledStoreShowsInAnOpenLoopOnly(t *testing.T) {
	if err := disk.Register(); err != nil {
		t.Skip(err)
	}
	const stall = 100 * time.Millisecond
	for _, tc := range []struct{ name, variant, faults string }{
		{"slow disk", "wal,disk=on", "disk slow-sync=50ms"}, // the log's file, and the database's
		{"held lock", "wal", "hold write lock 100ms every 600ms"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			config := quick()
			config.For = 1500 * time.Millisecond
			closed := hurt(t, tc.variant, tc.faults, upserts(1, 0), config).All()
			open := hurt(t, tc.variant, tc.faults, upserts(1, 1500), config).All()
			t.Logf("closed p99 %v, longest %v; 1500/s p99 %v, longest %v", closed.Latency(99),
				closed.Latency(100), open.Latency(99), open.Latency(100))
			require.NotZero(t, closed.Latency(99), "there are enough operations")
			require.Greater(t, open.Latency(99), 5*closed.Latency(99))
			require.GreaterOrEqual(t, closed.Latency(100), stall*8/10, "the stall is there as well")
		})
	}
}

func TestFaultsThatEndAStoreAreRefused(t *testing.T) {
	config := quick()
	config.Faults = fault.Faults{KillEvery: time.Second}
	require.ErrorContains(t, config.Validate(), "kill every 1s: a store that ends")
}
