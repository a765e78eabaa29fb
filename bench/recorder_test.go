package bench_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

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
	p, err := workload.New(workload.Spec{Profile: "uniform", Seed: 1, Clients: 8, Sessions: 16,
		Keys: 16, Mix: workload.Mix{Upsert: 45, Get: 50, Delete: 5}, ValueSize: 128})
	if err != nil {
		b.Fatal(err)
	}
	fill(b, s, p)
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

// fill gives every slot a value, so that reads find one.
func fill(b *testing.B, s store.Store, p *workload.Plan) {
	for i := range uint32(p.Spec().Sessions * p.Spec().Keys) {
		slot := p.Slot(i)
		value := fmt.Sprintf("%0*d", p.Spec().ValueSize, i)
		if _, err := s.Upsert(b.Context(), slot.Session, slot.Key, value); err != nil {
			b.Fatal(err)
		}
	}
}
