package bench_test

import (
	"context"
	"slices"
	"testing"
	"time"

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
		v, err := sqlite.ParseVariant(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("store="+name, func(b *testing.B) { recorderCost(b, v) })
	}
}

// turn is how many operations one turn has.
const turn = 4000

func recorderCost(b *testing.B, v sqlite.Variant) {
	ctx := context.Background()
	s, err := v.Opener()(ctx, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	}()
	fill(b, s)
	const clients = 8
	p := plan(b, clients, workload.Mix{Upsert: 45, Get: 50, Delete: 5})
	play := func(discard bool) time.Duration {
		run, err := workers.Play(ctx, s, p, workers.Config{Ops: turn, Discard: discard})
		if err != nil {
			b.Fatal(err)
		}
		return run.Elapsed
	}
	var ratios []float64
	b.ResetTimer()
	for i := range b.N {
		// Each goes first as often as the other.
		first := play(i%2 == 0)
		second := play(i%2 != 0)
		if i%2 == 0 {
			first, second = second, first
		}
		ratios = append(ratios, first.Seconds()/second.Seconds())
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "recorded/dropped")
	b.ReportMetric(0, "ns/op") // a pair of turns is no operation
}
