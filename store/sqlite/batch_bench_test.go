//go:build cgo

package sqlite_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"memrace/store/sqlite"
)

// BenchmarkBatch compares upserts of wal-batch with those of wal: turn by turn, so that both have
// the same machine. Clients have slots of their own, and contexts that can be cancelled. Each
// variant's operations per second and its 99th percentile, a service time, are medians of rounds.
func BenchmarkBatch(b *testing.B) {
	for _, sync := range []string{"full", "normal"} {
		for _, clients := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("sync=%s/clients=%d", sync, clients), func(b *testing.B) {
				interleave(b, sync, clients)
			})
		}
	}
}

// measured is what came of the rounds of one variant.
type measured struct{ perSecond, p99 []float64 }

func (m *measured) add(l []time.Duration, took time.Duration) {
	slices.Sort(l)
	m.perSecond = append(m.perSecond, float64(len(l))/took.Seconds())
	m.p99 = append(m.p99, float64(l[len(l)*99/100].Nanoseconds()))
}

func median(of []float64) float64 { return slices.Sorted(slices.Values(of))[len(of)/2] }

func interleave(b *testing.B, sync string, clients int) {
	const rounds = 11
	var found [2]measured
	// Enough for several checkpoints of the WAL, which a short round would leave to others.
	each := 8192 / clients
	if sync == "normal" {
		each *= 8
	}
	for b.Loop() {
		for range rounds {
			for i, name := range []string{"wal", "wal-batch"} {
				value := strings.Repeat("v", 100)
				s, keys := filled(b, variant(b, name+",synchronous="+sync),
					sqlite.DefaultStatements(), value)
				ctx, cancel := context.WithCancel(b.Context())
				found[i].add(calling(b, ctx, callOf(s, "upsert", value), keys, clients, each))
				cancel()
			}
		}
	}
	wal, batch := found[0], found[1]
	b.ReportMetric(median(wal.perSecond), "wal-ops/s")
	b.ReportMetric(median(batch.perSecond), "batch-ops/s")
	b.ReportMetric(median(batch.perSecond)/median(wal.perSecond), "ratio")
	b.ReportMetric(median(wal.p99), "wal-p99-ns")
	b.ReportMetric(median(batch.p99), "batch-p99-ns")
}

// calling lets each client make so many calls, and returns how long they took, each and together.
// Clients take the keys in turn.
func calling(b *testing.B, ctx context.Context, call caller, keys []string, clients, each int,
) ([]time.Duration, time.Duration) {
	latencies := make([]time.Duration, clients*each)
	var all sync.WaitGroup
	begin := time.Now()
	for client := range clients {
		all.Go(func() {
			for i := range each {
				at := time.Now()
				if err := call(ctx, keys[(client+i*clients)%len(keys)]); err != nil {
					b.Error(err)
				}
				latencies[client*each+i] = time.Since(at)
			}
		})
	}
	all.Wait()
	return latencies, time.Since(begin)
}
