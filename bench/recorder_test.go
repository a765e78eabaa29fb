package bench_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

// BenchmarkRecorder measures what it costs a store's throughput that every call is recorded:
// short turns with the recorder and with a sink that drops everything, one after the other on
// the same store, and the median of the ratios of neighbours. Separate runs could not tell: they
// differ by more than what is looked for.
func BenchmarkRecorder(b *testing.B) {
	for _, name := range []string{"memory", "wal"} {
		b.Run("store="+name, func(b *testing.B) {
			ratios := recorderCost(b, name, b.N)
			b.ReportMetric(bench.NewEstimate(ratios).Median, "recorded/dropped")
			b.ReportMetric(0, "ns/op") // a pair of turns is no operation
		})
	}
}

// turn is how many operations one turn has.
const turn = 4000

// recorderCost returns of each pair of turns how much longer the one with the recorder took.
func recorderCost(t testing.TB, variant string, pairs int) (ratios []float64) {
	v, err := sqlite.ParseVariant(variant)
	require.NoError(t, err)
	s, err := v.Opener()(t.Context(), t.TempDir())
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	p, err := workload.New(workload.Spec{Profile: "uniform", Seed: 1, Clients: 8, Sessions: 16,
		Keys: 16, Mix: mixedLoad, ValueSize: 128})
	require.NoError(t, err)
	fill(t, s, p)
	play := func(discard bool) time.Duration {
		run, err := workers.Play(t.Context(), s, p, workers.Config{Ops: turn, Discard: discard})
		require.NoError(t, err)
		return run.Elapsed
	}
	for i := range pairs {
		// Each goes first as often as the other.
		first := play(i%2 == 0)
		second := play(i%2 != 0)
		if i%2 == 0 {
			first, second = second, first
		}
		ratios = append(ratios, first.Seconds()/second.Seconds())
	}
	return ratios
}

// fill gives every slot a value, so that reads find one.
func fill(t testing.TB, s store.Store, p *workload.Plan) {
	for i := range uint32(p.Spec().Sessions * p.Spec().Keys) {
		slot := p.Slot(i)
		value := fmt.Sprintf("%0*d", p.Spec().ValueSize, i)
		_, err := s.Upsert(t.Context(), slot.Session, slot.Key, value)
		require.NoError(t, err)
	}
}
