package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Limits of a log, so that a file of a few bytes cannot ask for all the memory there is.
const (
	maxLogLine    = 1 << 17
	maxLogBuckets = 50_000_000 // of all histograms; each takes some five bytes
)

// ReadLatencies reads what WriteLatencies has written into a file of that name. The latencies are
// in the order in which their first lines come. An error names the line that is wrong.
func ReadLatencies(r io.Reader, name string) ([]Latencies, error) {
	return readLog(r, name, maxLogBuckets)
}

func readLog(r io.Reader, name string, mostBuckets int) ([]Latencies, error) {
	log := logReader{at: map[string]int{}, mostBuckets: mostBuckets}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLogLine)
	n := 0
	for lines.Scan() {
		n++
		if err := log.line(lines.Text()); err != nil {
			return nil, fmt.Errorf("read latencies: %s:%d: %w", name, n, err)
		}
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("the line is longer than %d bytes", maxLogLine)
	}
	if err == nil && len(log.all) == 0 {
		err = errors.New("there is no line that begins with Tag=")
	}
	if err != nil {
		return nil, fmt.Errorf("read latencies: %s:%d: %w", name, n+1, err)
	}
	return log.all, nil
}

type logReader struct {
	all                  []Latencies
	at                   map[string]int // where in all a tag is
	buckets, mostBuckets int
}

// line reads a line; comments, and the names of the columns, say nothing.
func (r *logReader) line(text string) error {
	if text == "" || text[0] == '#' || text[0] == '"' {
		return nil
	}
	fields := strings.Split(text, ",")
	tag, tagged := strings.CutPrefix(fields[0], "Tag=")
	if !tagged || len(fields) != 5 {
		return fmt.Errorf("want Tag=NAME%sN,START,LENGTH,MAX,HISTOGRAM", roundPart)
	}
	interval, err := readInterval(fields[1:])
	if err != nil {
		return err
	}
	if r.buckets += int(interval.Took.Populated()); r.buckets > r.mostBuckets {
		return fmt.Errorf("more than %d buckets up to here; divide the file", r.mostBuckets)
	}
	i, known := r.at[tag]
	if !known {
		l, err := readTag(tag)
		if err != nil {
			return err
		}
		i = len(r.all)
		r.at[tag] = i
		r.all = append(r.all, l)
	}
	return r.all[i].add(interval)
}

// add adds an interval, which has to begin where the one before ends.
func (l *Latencies) add(next Interval) error {
	end := time.Duration(0)
	if n := len(l.Intervals); n > 0 {
		end = l.Intervals[n-1].From + l.Intervals[n-1].For
	}
	if next.From != end {
		return fmt.Errorf("the interval begins at %v, where the one before ends at %v",
			next.From, end)
	}
	l.Intervals = append(l.Intervals, next)
	return nil
}

func readTag(tag string) (l Latencies, err error) {
	i := strings.LastIndex(tag, roundPart)
	if i < 1 {
		return l, fmt.Errorf("tag %q: want NAME%sN", tag, roundPart)
	}
	if l.Round, err = strconv.Atoi(tag[i+len(roundPart):]); err != nil || l.Round < 0 {
		return l, fmt.Errorf("tag %q: want the number of a round behind %s", tag, roundPart)
	}
	if l.Name, err = url.PathUnescape(tag[:i]); err != nil {
		return l, fmt.Errorf("tag %q: %w", tag, err)
	}
	return l, nil
}

// readInterval reads the fields START, LENGTH, MAX, HISTOGRAM.
func readInterval(fields []string) (i Interval, err error) {
	if i.From, err = readSeconds(fields[0]); err != nil {
		return i, err
	}
	if i.For, err = readSeconds(fields[1]); err != nil {
		return i, err
	}
	if i.For == 0 {
		return i, errors.New("the interval has no length")
	}
	if i.Took, err = readTook(fields[3]); err != nil {
		return i, fmt.Errorf("the histogram: %w", err)
	}
	if most, err := strconv.ParseFloat(fields[2], 64); err != nil ||
		most != longestMilliseconds(i.Took) {
		return i, fmt.Errorf("the longest latency is %q, that of the histogram is %v", fields[2],
			longestMilliseconds(i.Took))
	}
	return i, nil
}

func readTook(text string) (*hdrhistogram.PackedHistogram, error) {
	h, err := hdrhistogram.DecodePacked([]byte(text))
	switch {
	case err != nil:
		return nil, err
	case h.SignificantFigures() != kindDigits || h.LowestTrackableValue() != shortest ||
		h.HighestTrackableValue() != longest:
		return nil, fmt.Errorf("it has %d digits from %d to %d: want %d from %d to %d",
			h.SignificantFigures(), h.LowestTrackableValue(), h.HighestTrackableValue(),
			kindDigits, shortest, longest)
	case h.TotalCount() == math.MaxInt64:
		return nil, errors.New("it has more samples than can be counted")
	}
	return h, nil
}

// readSeconds reads a time to the nanosecond.
func readSeconds(text string) (time.Duration, error) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds >= 0 && seconds <= maxTime.Seconds()) {
		return 0, fmt.Errorf("%q is no time in seconds, up to %v", text, maxTime)
	}
	return time.Duration(math.Round(seconds * float64(time.Second))), nil
}
