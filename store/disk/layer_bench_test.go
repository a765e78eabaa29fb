//go:build linux && cgo

package disk_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store/disk"
	"memrace/store/sqlite"
)

// BenchmarkLayers tells what the layers cost an upsert that waits for no disk, and one that does:
// turns on a store without a layer and on those with one, one after the other in one process, and
// the median of the ratios of neighbours. Separate runs could not tell.
func BenchmarkLayers(b *testing.B) {
	variants := []string{"wal", "wal,synchronous=full"}
	var plain []*sqlite.Store
	before := disk.Counts()
	for _, variant := range variants {
		plain = append(plain, open(b, variant))
	}
	if disk.Counts() != before {
		b.Skip("all stores of this process are counted by now; take -count 1")
	}
	require.NoError(b, disk.CountAll())
	for i, variant := range variants {
		b.Run("store="+variant, func(b *testing.B) {
			counted, noted := open(b, variant), open(b, variant+",disk=on")
			var byCounting, byNoting []float64
			for b.Loop() {
				for range 30 {
					base := upserts(b, plain[i])
					byCounting = append(byCounting, upserts(b, counted)/base)
					byNoting = append(byNoting, upserts(b, noted)/base)
				}
			}
			b.ReportMetric(0, "ns/op") // a round of turns is no operation
			b.ReportMetric(median(byCounting), "counted/plain")
			b.ReportMetric(median(byNoting), "noted/plain")
			require.NoError(b, counted.Close())
			require.NoError(b, noted.Close())
			require.NoError(b, plain[i].Close())
		})
	}
}

// upserts returns how many seconds some take.
func upserts(b *testing.B, s *sqlite.Store) float64 {
	begin := time.Now()
	for n := range 300 {
		if _, err := s.Upsert(b.Context(), "s", fmt.Sprint(n), "value"); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(begin).Seconds()
}

func median(of []float64) float64 {
	return slices.Sorted(slices.Values(of))[len(of)/2]
}
