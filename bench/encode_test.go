package bench_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"

	"memrace/bench"
)

// Histograms are written as their own library writes them.
func TestEncoderAgreesWithTheLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	encode := bench.Encoder()
	for n := range 300 {
		h := hdrhistogram.NewPacked(1, int64(time.Hour), 2)
		for range n {
			value := random.Int64N(1 << random.IntN(42))
			require.NoError(t, h.RecordValues(value, random.Int64N(1<<random.IntN(40))))
		}
		want, err := h.Encode()
		require.NoError(t, err)
		got, err := encode(h)
		require.NoError(t, err)
		require.Equal(t, string(want), got)
	}
}
