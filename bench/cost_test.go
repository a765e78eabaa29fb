package bench_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/bench"
)

// A number of few operations, of a short time, or mostly of calls that failed is none of each
// operation: neither a file nor a table has it.
func TestWhatAnOperationCosts(t *testing.T) {
	costs := []string{"cpu-sec/op", "B/op", "allocs/op", "fsyncs/op", "written-B/op", "commits/op"}
	for _, tc := range []struct {
		name         string
		lasts        time.Duration
		done, failed int
		want         float64 // 0 if it is not told
		why          string
	}{
		{"enough", bench.Countable, 10, 10, 100, "as many failed, and no more"},
		{"few", time.Second, 9, 0, 0, "what else went on is beside next to none"},
		{"failed", time.Second, 100, 101, 0, "most of it was spent on those that failed"},
		{"short", bench.Countable - 1, 1000, 0, 0, "both ends are too much of it"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			turn := one(t, &fake{}, upserts(2, 0), quick())
			turn.For = tc.lasts
			turn.Kinds[0].Done, turn.Kinds[0].Errors = tc.done, map[string]int{"busy": tc.failed}
			turn.CPU, turn.Objects, turn.Bytes = 1000, 1000, 1000
			turn.Fsyncs, turn.Written, turn.Commits = 1000, 1000, 1000
			cell := bench.Cells([]*bench.Turn{turn})[0]
			got := cell.PerOp(func(t *bench.Turn) float64 { return float64(t.Written) })
			require.InDelta(t, tc.want, got, 1e-9, tc.why)
			units := strings.Join(written(t, turn)["Upsert/store=fake/clients=2"], " ")
			for _, unit := range costs {
				require.Equal(t, tc.want > 0, strings.Contains(units, unit), "%s: %s", unit, tc.why)
			}
		})
	}
}

// Turns that cannot tell have no part in what the others say.
func TestTurnsThatCannotTellCosts(t *testing.T) {
	turn := func(done int) *bench.Turn {
		return &bench.Turn{Load: upserts(1, 0), For: time.Second, Objects: 60,
			Kinds: []*bench.Kind{{Done: done}}}
	}
	cell := &bench.Cell{Turns: []*bench.Turn{turn(0), turn(20), turn(3), turn(1)}}
	objects := func(t *bench.Turn) float64 { return float64(t.Objects) }
	require.InDelta(t, 3, cell.PerOp(objects), 1e-9)
}

// A client that comes by an end of the measured time is there before whoever watches: it looks.
func TestClientsLookAtTheCounters(t *testing.T) {
	var kept []byte
	calls := uint64(0)
	f := &fake{upsert: func(string) error { calls, kept = calls+1, make([]byte, 1000); return nil }}
	objects, err := bench.Alone(f, upserts(1, 0), quick())
	require.NoError(t, err)
	require.Len(t, kept, 1000)
	require.Greater(t, 2*objects, calls, "each call allocates once")
	require.Less(t, objects, 2*calls, "and the measurement next to nothing")
}
