package bench_test

import (
	"context"
	"fmt"
	"testing"

	"memrace/bench"
	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

// mixes are the workloads that variants are compared by, each the value of a name part.
var mixes = []struct {
	name string
	mix  workload.Mix
}{
	{"upsert", workload.Mix{Upsert: 1}},
	{"get", workload.Mix{Get: 1}},
	{"mixed", workload.Mix{Upsert: 45, Get: 50, Delete: 5}},
}

// BenchmarkStore measures every variant in a closed loop. An operation is one call that took
// effect; refused calls are counted beside it and are in no latency.
func BenchmarkStore(b *testing.B) {
	for _, m := range mixes {
		for _, clients := range []int{1, 8, 64} {
			for _, v := range sqlite.Variants() {
				name := fmt.Sprintf("mix=%s/clients=%d/store=%s", m.name, clients, v.Name)
				b.Run(name, func(b *testing.B) { benchmark(b, v.Opener(), clients, m.mix) })
			}
		}
	}
}

const (
	sessions = 16
	keys     = 16
	size     = 128 // bytes of a value
)

func benchmark(b *testing.B, open store.Opener, clients int, mix workload.Mix) {
	ctx := context.Background()
	s, err := open(ctx, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	}()
	fill(b, s)
	plan := plan(b, clients, mix)
	b.ResetTimer()
	run, err := workers.Play(ctx, s, plan, workers.Config{Ops: max(b.N, clients)})
	b.StopTimer()
	if err != nil {
		b.Fatal(err)
	}
	var sum bench.Summary
	sum.Add(run.History(nil), run.Elapsed)
	report(b, &sum)
}

// fill gives every slot a value, so that reads find one.
func fill(b *testing.B, s store.Store) {
	p := plan(b, 1, workload.Mix{Upsert: 1})
	for i := range uint32(sessions * keys) {
		slot := p.Slot(i)
		value := fmt.Sprintf("%0*d", size, i)
		_, err := s.Upsert(context.Background(), slot.Session, slot.Key, value)
		if err != nil {
			b.Fatal(err)
		}
	}
}

func plan(b *testing.B, clients int, mix workload.Mix) *workload.Plan {
	spec, err := workload.Spec{Profile: "uniform", Seed: 1, Clients: clients,
		Sessions: sessions, Keys: keys, Mix: mix, ValueSize: size}.WithDefaults()
	if err != nil {
		b.Fatal(err)
	}
	p, err := workload.New(spec)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// report adds what go test does not measure itself. What too few operations leave open is left
// out rather than shown as nothing.
func report(b *testing.B, s *bench.Summary) {
	b.ReportMetric(s.PerSecond(), "ops/s")
	b.ReportMetric(float64(s.Operations-s.OK)/float64(s.Operations), "errors/op")
	for _, p := range []struct {
		percent float64
		unit    string
	}{{50, "p50-ns"}, {99, "p99-ns"}, {100, "max-ns"}} {
		if d := s.Latency(p.percent); d > 0 {
			b.ReportMetric(float64(d), p.unit)
		}
	}
}
