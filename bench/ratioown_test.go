package bench_test

import (
	"testing"
	"time"

	"memrace/bench"
	"memrace/stress/history"
)

// recorderRows are those of the recorder, which has no turns.
func recorderRows(l *laboratory) []row {
	return []row{
		{Ratio: less("recorder: ns of a call, two stamps and a record", 100, 200),
			absolute: true, of: l.own(bench.Ratio{}, recorderCall).of},
		l.own(less("recorder: allocations of a call", 0, 0), recorderAllocations),
		l.own(more("throughput with recorder / without, on file", 0.98, 0.9), recorded("wal", 10)),
		l.own(more("throughput with recorder / without, in memory", 0.95, 0.9),
			recorded("memory", 40)),
	}
}

// own is the row of what is measured in a way of its own.
func (l *laboratory) own(r bench.Ratio, of func(*laboratory) bench.Estimate) row {
	return row{Ratio: r, of: func([]bench.Round) bench.Estimate { return of(l) }}
}

// recordCall is what the recorder does at a call.
func recordCall(r *history.Recorder, base time.Time, step uint32) {
	r.Call(0, history.Upsert, 0, history.TagValue(0, step), int64(time.Since(base)))
	r.Return(int64(time.Since(base)), history.OK, history.ClassNone)
}

func recorderCall(l *laboratory) bench.Estimate {
	const calls = 100_000
	var values []float64
	for range 10 * l.rounds {
		r := history.NewRecorder(1, calls)
		base := time.Now()
		for step := range uint32(calls) {
			recordCall(r, base, step)
		}
		values = append(values, float64(time.Since(base))/calls)
	}
	return bench.NewEstimate(values)
}

// recorderAllocations is 0 although the recorder takes memory for a thousand calls at once.
func recorderAllocations(*laboratory) bench.Estimate {
	const calls = 100_000
	r := history.NewRecorder(1, calls)
	base, step := time.Now(), uint32(0)
	return bench.NewEstimate([]float64{testing.AllocsPerRun(calls, func() {
		recordCall(r, base, step)
		step++
	})})
}

// recorded measures with so many pairs of turns with and without the recorder in a round.
func recorded(variant string, pairs int) func(*laboratory) bench.Estimate {
	return func(l *laboratory) bench.Estimate {
		var values []float64
		for _, ratio := range recorderCost(l, variant, l.rounds*pairs) {
			values = append(values, 1/ratio)
		}
		return bench.NewEstimate(values)
	}
}
