package bench_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/stress/workload"
)

// The buckets that clients count in are those of a histogram, whoever fills it.
func TestBucketsAreThoseOfAHistogram(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	values := []int64{0, 1, 127, 128, 255, 256, 257, 511, 512, int64(time.Hour) - 1,
		int64(time.Hour)}
	for range 20_000 {
		values = append(values, random.Int64N(1<<random.IntN(42)))
	}
	for _, v := range values {
		direct, byBucket := bench.Histogram(), bench.Histogram()
		require.NoError(t, direct.RecordValue(v))
		low := bench.LowestOf(bench.BucketOf(v))
		require.NoError(t, byBucket.RecordValue(low))
		require.True(t, direct.Equals(byBucket), "%d and %d share a bucket", v, low)
		require.Equal(t, direct.Min(), low, "and that is the least value of it")
	}
}

// seen is what a reader of latencies has of them.
type seen struct {
	Name    string
	Round   int
	Spans   []time.Duration
	Samples []int64
	Buckets map[int64]int64
}

func see(all []bench.Latencies) (list []seen) {
	for _, l := range all {
		s := seen{Name: l.Name, Round: l.Round, Buckets: map[int64]int64{}}
		for _, i := range l.Intervals {
			s.Spans = append(s.Spans, i.From, i.For)
			s.Samples = append(s.Samples, i.Took.TotalCount())
			i.Took.ForEachBucket(func(value, count int64) bool {
				s.Buckets[value] += count
				return true
			})
		}
		list = append(list, s)
	}
	return list
}

func readBack(t *testing.T, turns ...*bench.Turn) []bench.Latencies {
	t.Helper()
	var log bytes.Buffer
	require.NoError(t, bench.WriteLatencies(&log, turns))
	all, err := bench.ReadLatencies(&log, "x.hlog")
	require.NoError(t, err)
	return all
}

func sum(counts []int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// Each line of a file of benchmarks has its latencies in the log, under the same name, and every
// operation that the line counts is in one interval.
func TestEachLineHasItsLatencies(t *testing.T) {
	mix := workload.Mix{Upsert: 1, Get: 3}
	turn := one(t, &fake{}, bench.Load{Mix: mix, Clients: 3}, quick())
	turn.Round = 4
	all := see(readBack(t, turn))
	names := written(t, turn)
	require.Len(t, all, len(names))
	ok := map[string]int{"Mixed": turn.All().OK, "Upsert": turn.Kinds[0].OK,
		"Get": turn.Kinds[1].OK}
	for _, l := range all {
		require.Contains(t, names, l.Name)
		require.Equal(t, 4, l.Round)
		kind, _, _ := strings.Cut(l.Name, "/")
		require.Equal(t, int64(ok[kind]), sum(l.Samples), l.Name)
	}
}

// A call that takes long is of the interval in which it was made, and its client makes none in
// those that it takes.
func TestAStallIsWhereItBegan(t *testing.T) {
	const stall = 50 * time.Millisecond
	calls := 0
	f := &fake{upsert: func(string) error {
		if calls++; calls == 4+5 { // four of them fill it
			pause(stall)
			return nil
		}
		pause(time.Millisecond)
		return nil
	}}
	all := one(t, f, upserts(1, 0), unhurried()).Intervals[0]
	long := func(i bench.Interval) bool { return i.Took.Max() >= int64(stall)*99/100 }
	began := slices.IndexFunc(all, long)
	require.GreaterOrEqual(t, began, 0)
	for _, quiet := range all[began+1 : min(began+1+int(stall/all[0].For)-1, len(all))] {
		require.Zero(t, quiet.Took.TotalCount())
	}
}

// What clients count comes to the same as a histogram for each interval.
func TestSamplesAreHistograms(t *testing.T) {
	const measured = 100 * time.Millisecond
	random := rand.New(rand.NewPCG(5, 6))
	for clients := 1; clients < 100; clients *= 7 {
		var want []*hdrhistogram.Histogram
		for range 20 {
			want = append(want, bench.Histogram())
		}
		add, result := bench.Samples(measured, clients)
		for after := int64(0); after < int64(measured); after += 5e4 * random.Int64N(3) {
			took := random.Int64N(1 << random.IntN(20))
			add(after, took)
			require.NoError(t, want[after/5e6].RecordValue(max(took, 1)))
		}
		for i, interval := range result() {
			got := bench.Histogram()
			require.Zero(t, interval.Took.MergeInto(got))
			require.True(t, want[i].Equals(got), "interval %d of one of %d clients", i, clients)
		}
	}
}

// As long as there is room for as many buckets as a histogram has, nothing is allocated.
func TestSamplesHaveRoom(t *testing.T) {
	add, _ := bench.Samples(200*time.Millisecond, 1)
	after := int64(0)
	require.Zero(t, testing.AllocsPerRun(1, func() { // which makes one more to warm up
		for range 10_000 {
			add(after, 1000+after%50_000)
			after += 9_999
		}
	}))
}

// Nothing is allocated for what is measured.
func TestCountingAllocatesNothing(t *testing.T) {
	turn := one(t, &fake{}, upserts(1, 0), quick())
	require.Less(t, 100*turn.Objects, uint64(turn.All().Done))
}

func TestIntervalsCoverTheMeasuredTime(t *testing.T) {
	for _, c := range []struct {
		name     string
		measured time.Duration
		want     []time.Duration
		why      string
	}{
		{"short", 3 * time.Millisecond, []time.Duration{3e6}, "one, however short"},
		{"few", 12 * time.Millisecond, []time.Duration{6e6, 6e6}, "none below 5 ms"},
		{"uneven", 15*time.Millisecond + 1, []time.Duration{5e6 + 1, 5e6 + 1, 5e6 - 1},
			"the last is the shorter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := quick()
			config.For = c.measured
			turn := one(t, &fake{}, upserts(1, 0), config)
			var got []time.Duration
			for i, interval := range turn.Intervals[0] {
				require.Equal(t, time.Duration(i)*c.want[0], interval.From)
				got = append(got, interval.For)
			}
			require.Empty(t, cmp.Diff(c.want, got), c.why)
			kept := see([]bench.Latencies{{Intervals: turn.Intervals[0]}})
			require.Empty(t, cmp.Diff(kept[0].Spans, see(readBack(t, turn))[0].Spans))
		})
	}
	config := quick()
	config.For = 110 * time.Millisecond
	require.Len(t, one(t, &fake{}, upserts(1, 0), config).Intervals[0], 20, "and no more")
}
