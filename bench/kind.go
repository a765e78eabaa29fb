package bench

import (
	"math"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"memrace/stress/history"
	"memrace/stress/workload"
)

// Kind is what came of the operations of one kind in one turn.
type Kind struct {
	history.Act
	// OK is how many operations that were under way in the measured time took effect, each of which
	// is in the latency; with a rate, those that were due in it.
	OK int
	// Done is how many operations took effect and returned within the measured time, which is what
	// a throughput counts. The first of them were called before it, and the last of OK return
	// after it.
	Done int
	// Errors counts the operations of the measured time that did not, or may not have, taken
	// effect, by class, with "unknown" in front for the latter. They are in no latency.
	Errors map[string]int
	// Took is the sum of the latencies.
	Took time.Duration

	took *hdrhistogram.Histogram
}

const (
	shortest = 1                // nanoseconds
	longest  = int64(time.Hour) // what took longer counts as an hour
	// kindDigits is how many decimal digits of a latency are kept: each client has buckets of its
	// own, and with a third digit it would have eight times as many.
	kindDigits = 2
)

// Beyond is how many samples have to lie above a percentile for it to be told.
const Beyond = 10

// acts are the kinds of operation that a mix has.
func acts(mix workload.Mix) (all []history.Act) {
	for part := range strings.SplitSeq(mix.String(), ",") {
		name, _, _ := strings.Cut(part, "=")
		act, err := history.ParseAct(name)
		if err != nil {
			panic("bench: a mix names what no client does: " + err.Error())
		}
		all = append(all, act)
	}
	return all
}

// newKinds returns a Kind for each kind of operation that a mix has.
func newKinds(mix workload.Mix) (kinds []*Kind) {
	for _, act := range acts(mix) {
		kinds = append(kinds, &Kind{Act: act, took: newHistogram()})
	}
	return kinds
}

func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(shortest, longest, kindDigits)
}

// failed notes an operation that did not, or may not have.
func (k *Kind) failed(err error) {
	if k.Errors == nil {
		k.Errors = map[string]int{}
	}
	k.Errors[errorClass(err)]++
}

// Add adds the operations of another turn or client to k.
func (k *Kind) Add(other *Kind) {
	k.OK += other.OK
	k.Done += other.Done
	k.Took += other.Took
	for class, n := range other.Errors {
		if k.Errors == nil {
			k.Errors = map[string]int{}
		}
		k.Errors[class] += n
	}
	if k.took == nil {
		k.took = newHistogram()
	}
	if other.took != nil {
		k.took.Merge(other.took) // both have the same range, so that nothing is dropped
	}
}

// Failed is how many operations are in Errors.
func (k *Kind) Failed() (n int) {
	for _, count := range k.Errors {
		n += count
	}
	return n
}

// Latency returns a percentile of how long operations took that took effect, to within 1 in 100; 0
// where they are too few to tell: 1,000 for a 99th percentile, 10,000 for a 99.9th.
func (k *Kind) Latency(percentile float64) time.Duration { return latency(k.took, percentile) }

// record puts a time in nanoseconds into a histogram.
func record(h *hdrhistogram.Histogram, took int64) {
	// The value is within the histogram's range, so there is no error to be had.
	_ = h.RecordValue(min(max(took, shortest), longest))
}

// latency returns a percentile, or 0 where fewer samples lie above it than it takes to tell. A
// median, and the longest of all, need no more than one.
func latency(h *hdrhistogram.Histogram, percentile float64) time.Duration {
	if h == nil || h.TotalCount() == 0 {
		return 0
	}
	if percentile > 50 && percentile < 100 {
		if float64(h.TotalCount()) < math.Round(100*Beyond/(100-percentile)) {
			return 0
		}
	}
	if percentile == 100 {
		return time.Duration(h.Max())
	}
	return time.Duration(h.ValueAtQuantile(percentile))
}
