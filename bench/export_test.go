package bench

import (
	"io"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"memrace/store"
)

// BucketOf and LowestOf are of the buckets that clients count in.
var (
	BucketOf = bucketOf
	LowestOf = lowestOf
)

// Alone has one client call a store while nobody watches, and returns how many objects were
// allocated in the measured time.
func Alone(s store.Store, l Load, c Config) (objects uint64, err error) {
	plan, err := l.plan(c)
	if err != nil {
		return 0, err
	}
	clock := newTurnClock(c)
	clock.base = time.Now()
	newClient(clock, s, plan, 0).closed()
	return clock.bounds[1].spent.since(clock.bounds[0].spent).objects, nil
}

// Histogram returns an empty one of those that latencies are kept in.
func Histogram() *hdrhistogram.Histogram { return newHistogram() }

// WriteLog writes latencies that were read.
func WriteLog(w io.Writer, all []Latencies) error { return writeLog(w, slices.Values(all)) }

// ReadLog is ReadLatencies with another limit.
var ReadLog = readLog

// Encoder returns what encodes histograms, one after the other.
func Encoder() func(*hdrhistogram.PackedHistogram) (string, error) {
	return new(encoder).encode
}

// Samples returns what counts the latencies of one of so many clients, and what came of it.
func Samples(measured time.Duration, clients int) (add func(after, took int64),
	result func() []Interval,
) {
	s := newSamples(measured, clients)
	return s.add, func() []Interval {
		all := newIntervals(measured)
		s.addTo(all)
		return all
	}
}
