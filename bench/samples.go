package bench

import (
	"math/bits"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// samples are the latencies of the operations of one kind of one client, in each interval of the
// measured time: of the buckets of a histogram those that have any. It belongs to one goroutine.
//
// Histograms of as many intervals would take ten times the memory, and to share them among clients
// would take a lock.
type samples struct {
	every, until int64 // the length of an interval and the end of the present one, in nanoseconds
	// found are the buckets of all intervals, behind one that is of none.
	found  []bucketCount
	begins []uint32 // where the intervals begin in found, up to the present one
	// at says where in found a bucket is; what stands before the present interval is old.
	at []uint32
}

// bucketCount is how many samples a bucket has. The longest interval, of three minutes, has not
// the time for more than fit.
type bucketCount struct {
	bucket uint16
	count  uint32
}

const (
	// intervals is into how many parts the measured time is cut, if each has shortestInterval.
	intervals        = 20
	shortestInterval = 5 * time.Millisecond
	// Room for so many buckets in an interval is made before the time begins, shared by all
	// clients, but for so many for each: clients share the machine too.
	allBuckets, leastBuckets = 1024, 16
)

// cut returns how many intervals a measured time has, and the length of each but the last.
func cut(measured time.Duration) (n int, every time.Duration) {
	n = int(max(1, min(intervals, measured/shortestInterval)))
	return n, (measured + time.Duration(n) - 1) / time.Duration(n)
}

func newSamples(measured time.Duration, clients int) *samples {
	n, every := cut(measured)
	room := n * max(leastBuckets, allBuckets/clients)
	s := &samples{every: int64(every), until: int64(every), begins: make([]uint32, 1, n),
		found: make([]bucketCount, 1, 1+room), at: make([]uint32, bucketOf(longest)+1)}
	s.begins[0] = 1
	return s
}

// add notes that an operation which was called, or due, so long after the beginning took so long,
// both in nanoseconds. No call may be for an earlier interval than one before.
func (s *samples) add(after, took int64) {
	for after >= s.until {
		s.until += s.every
		s.begins = append(s.begins, uint32(len(s.found)))
	}
	b := bucketOf(min(max(took, shortest), longest))
	i := s.at[b]
	if i < s.begins[len(s.begins)-1] {
		i = uint32(len(s.found))
		s.at[b] = i
		s.found = append(s.found, bucketCount{bucket: b})
	}
	s.found[i].count++
}

// addTo adds the samples of each interval to the interval at its place.
func (s *samples) addTo(all []Interval) {
	for i, from := range s.begins {
		to := uint32(len(s.found))
		if i+1 < len(s.begins) {
			to = s.begins[i+1]
		}
		for _, f := range s.found[from:to] {
			// The value is within the histogram's range, so there is no error to be had.
			_ = all[i].Took.RecordValues(lowestOf(f.bucket), int64(f.count))
		}
	}
}

// Buckets are those of a histogram of kindDigits: the values from 2^n on are 2^halfBits buckets.
const halfBits = 7

// bucketOf returns the bucket of a value from 0 on.
func bucketOf(v int64) uint16 {
	n := max(0, bits.Len64(uint64(v))-halfBits-1)
	return uint16(n<<halfBits + int(v>>n))
}

// lowestOf returns the least value of a bucket.
func lowestOf(b uint16) int64 {
	n := max(0, int(b>>halfBits)-1)
	return int64(int(b)-n<<halfBits) << n
}

// Interval is what came of a part of the measured time.
type Interval struct {
	// From is when it begins, after the beginning of the measured time; For is how long it is.
	From, For time.Duration
	// Took has the latencies, in nanoseconds, of the operations that were called in it, or with a
	// rate were due, and took effect.
	Took *hdrhistogram.PackedHistogram
}

// newIntervals returns those of a measured time, without samples.
func newIntervals(measured time.Duration) []Interval {
	n, every := cut(measured)
	all := make([]Interval, n)
	for i := range all {
		from := time.Duration(i) * every
		all[i] = Interval{From: from, For: min(every, measured-from), Took: newTook()}
	}
	return all
}

func newTook() *hdrhistogram.PackedHistogram {
	return hdrhistogram.NewPacked(shortest, longest, kindDigits)
}
