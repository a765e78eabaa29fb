package report_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"memrace/report"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		name      string
		low, high float64
		log       bool
		want      []string
	}{
		{"linear", 0, 390, false, []string{"0", "100", "200", "300", "400"}},
		{"linear, whole", 0, 400, false, []string{"0", "100", "200", "300", "400"}},
		{"linear, small", 0, 0.9, false, []string{"0", "0.5", "1"}},
		{"linear, nothing", 0, 0, false, []string{"0", "0.0005", "0.001"}},
		{"few decades", 3, 70, true, []string{"2", "5", "10", "20", "50", "100"}},
		{"one number", 5, 5, true, []string{"0.5", "1", "2", "5", "10", "20", "50"}},
		{"many decades", 300, 5e6, true, []string{"1e+03", "1e+04", "1e+05", "1e+06"}},
		{"too many decades", 1, 1e12, true, []string{"1", "100", "1e+04", "1e+06", "1e+08",
			"1e+10", "1e+12"}},
		{"nothing", 0, 0, true, []string{"0.0001", "0.0002", "0.0005", "0.001", "0.002", "0.005",
			"0.01"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := report.Linear("", report.NewSpan(c.low, c.high), report.Plain)
			if c.log {
				a = report.Logarithmic("", report.NewSpan(c.low, c.high), report.Plain)
			}
			var got []string
			for _, tick := range a.Ticks {
				got = append(got, tick.Text)
			}
			require.Empty(t, cmp.Diff(c.want, got))
		})
	}
}

// Whatever the numbers: they are between the ends of the axis and in their order, there are a few
// ticks, and the texts of these do not overlap.
func TestAxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(0, 1e20)
		low, high := number.Draw(t, "low"), number.Draw(t, "high")
		low, high = min(low, high), max(low, high)
		a := report.Linear("", report.NewSpan(low, high), report.Plain)
		if rapid.Bool().Draw(t, "log") {
			a = report.Logarithmic("", report.NewSpan(low, high), report.Plain)
			low, high = max(low, 1e-3), max(high, 1e-3)
		}
		checkAxis(t, a, low, high)
		require.GreaterOrEqual(t, len(a.Ticks), 2)
		require.LessOrEqual(t, len(a.Ticks), 10)
	})
}

func TestAxisOfClients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clients := rapid.SliceOfN(rapid.IntRange(1, 3000), 1, 50).Draw(t, "clients")
		slices.Sort(clients)
		checkAxis(t, report.Counts("", clients), float64(clients[0]),
			float64(clients[len(clients)-1]))
	})
}

func checkAxis(t *rapid.T, a report.Axis, low, high float64) {
	const from, to, right = 50, 350, 352
	a.Put(from, to, right)
	require.LessOrEqual(t, from-1e-6, a.At(low))
	require.LessOrEqual(t, a.At(low), a.At(high))
	require.LessOrEqual(t, a.At(high), to+1e-6)
	free := 0.0
	for _, tick := range a.Ticks {
		require.LessOrEqual(t, from-1e-6, float64(tick.At))
		require.LessOrEqual(t, float64(tick.At), to+1e-6)
		if tick.Text != "" {
			require.GreaterOrEqual(t, float64(tick.TextX), free)
			free = float64(tick.TextX) + float64(report.TextWidth(tick.Text))
			require.LessOrEqual(t, free, float64(right))
		}
	}
}
