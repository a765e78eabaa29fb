package bench

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Latencies are those of a line of a file of benchmarks, over the measured time.
type Latencies struct {
	// Name is the line's, without "Benchmark" in front and the number of processors behind it.
	Name string
	// Round counts from 0.
	Round     int
	Intervals []Interval
}

// WriteLatencies writes the latencies of turns as a log of HdrHistograms, the format of which is
// that of HistogramLogWriter in HdrHistogram's Java library: for each line that Write writes of a
// turn, and each interval, one with the line's name and round as its tag. Times are in seconds
// since the beginning of the turn's measured time, the longest latency in milliseconds.
func WriteLatencies(w io.Writer, turns []*Turn) error {
	if err := writeLog(w, latenciesOf(turns)); err != nil {
		return fmt.Errorf("write latencies: %w", err)
	}
	return nil
}

// latenciesOf are those of the lines of turns, one after the other, since all together are many.
func latenciesOf(turns []*Turn) iter.Seq[Latencies] {
	return func(yield func(Latencies) bool) {
		for _, t := range turns {
			for _, p := range t.parts() {
				if !yield(Latencies{p.name, t.Round, t.over(p)}) {
					return
				}
			}
		}
	}
}

func writeLog(w io.Writer, all iter.Seq[Latencies]) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "#[Histogram log format version %s]\n%s\n",
		hdrhistogram.HISTOGRAM_LOG_FORMAT_VERSION, `"StartTimestamp","Interval_Length",`+
			`"Interval_Max","Interval_Compressed_Histogram"`)
	var e encoder
	for l := range all {
		if err := l.write(out, &e); err != nil {
			return err
		}
	}
	return out.Flush()
}

// over returns the intervals of a part of the turn; none if the turn has none.
func (t *Turn) over(p part) []Interval {
	if t.Intervals == nil {
		return nil
	}
	if len(p.kinds) == 1 {
		return t.Intervals[p.kinds[0]]
	}
	all := newIntervals(t.For)
	for _, kind := range p.kinds {
		for i, interval := range t.Intervals[kind] {
			all[i].Took.Merge(interval.Took) // both have the same range
		}
	}
	return all
}

// A tag ends at a comma, and a line at its end.
var escapeTag = strings.NewReplacer("%", "%25", ",", "%2C", "\n", "%0A", "\r", "%0D")

func (l Latencies) write(out *bufio.Writer, e *encoder) error {
	for _, i := range l.Intervals {
		encoded, err := e.encode(i.Took)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "Tag=%s%s%d,%.9f,%.9f,%.6f,%s\n", escapeTag.Replace(l.Name), roundPart,
			l.Round, i.From.Seconds(), i.For.Seconds(), longestMilliseconds(i.Took), encoded)
	}
	return nil
}

func longestMilliseconds(h *hdrhistogram.PackedHistogram) float64 {
	if h.TotalCount() == 0 {
		return 0
	}
	return float64(h.Max()) / float64(time.Millisecond)
}

// roundPart is what stands before the number of the round at the end of a tag.
const roundPart = "/round="
