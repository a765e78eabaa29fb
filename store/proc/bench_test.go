package proc_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store/proc"
)

// BenchmarkCall tells what a call to a child that does nothing costs, by how many are under way at
// once. The median is that of the round trips as their callers see them.
func BenchmarkCall(b *testing.B) {
	for _, clients := range []int{1, 64} {
		for _, kind := range []string{"upsert", "get"} {
			b.Run(fmt.Sprintf("clients=%d/kind=%s", clients, kind), func(b *testing.B) {
				s, err := proc.Open(b.Context(), b.TempDir(), child("nothing"))
				require.NoError(b, err)
				took := make([][]time.Duration, clients)
				b.ReportAllocs()
				b.ResetTimer()
				var group sync.WaitGroup
				for i := range clients {
					group.Go(func() { took[i] = callInTurn(b, s, kind, b.N/clients+1) })
				}
				group.Wait()
				b.StopTimer()
				all := slices.Sorted(slices.Values(slices.Concat(took...)))
				b.ReportMetric(float64(all[len(all)/2].Nanoseconds()), "median-ns")
				b.ReportMetric(float64(len(all))/b.Elapsed().Seconds(), "calls/s")
				require.NoError(b, s.Close())
			})
		}
	}
}

// callInTurn makes n calls, one after the other, and returns how long each of them took.
func callInTurn(b *testing.B, s *proc.Store, kind string, n int) []time.Duration {
	took := make([]time.Duration, 0, n)
	for range n {
		from := time.Now()
		var err error
		if kind == "upsert" {
			_, err = s.Upsert(b.Context(), "session", "key", "a value of a few words, as usual")
		} else {
			_, _, err = s.Get(b.Context(), "session", "key")
		}
		if err != nil {
			b.Error(err)
			return took
		}
		took = append(took, time.Since(from))
	}
	return took
}
