package proc

import (
	"context"
	"time"
)

// clock turns times of this process into times that another process on this machine can
// understand, and back. The zero clock knows none.
type clock struct {
	known bool
	base  time.Time
	nanos int64 // the same instant on CLOCK_MONOTONIC
	slack int64 // how far nanos may be off
}

// newClock compares the two clocks a few times, and keeps the comparison that was done quickest.
func newClock() clock {
	var best clock
	for range 8 {
		before := time.Now()
		nanos, ok := monotonic()
		if !ok {
			return clock{}
		}
		slack := int64(time.Since(before))
		if !best.known || slack < best.slack {
			best = clock{known: true, base: before, nanos: nanos, slack: slack}
		}
	}
	return best
}

// name is what a child says of the times that it sends; "" if it sends none.
func (c clock) name() string {
	if c.known {
		return monotonicName
	}
	return ""
}

const monotonicName = "monotonic"

// begin and end return a time that is surely not after, and surely not before now; 0 is none.
func (c clock) begin() int64 {
	if !c.known {
		return 0
	}
	return c.nanos + int64(time.Since(c.base)) - c.slack
}

func (c clock) end() int64 {
	if !c.known {
		return 0
	}
	return c.begin() + 2*c.slack
}

// span translates the times that a child took.
func (c clock) span(t0, t1 int64) Span {
	if !c.known || t0 == 0 || t1 < t0 {
		return Span{}
	}
	at := func(nanos int64) time.Time { return c.base.Add(time.Duration(nanos - c.nanos)) }
	return Span{From: at(t0 - c.slack), To: at(t1 + c.slack)}
}

// Span is when the child was inside its store for a call, by the clock of this process. It is
// narrower than the call, which crosses two pipes. Both are zero if the child did not say.
//
// The child may be wrong or lie: use it only where it lies inside the call as seen from here.
type Span struct{ From, To time.Time }

type spanKey struct{}

// WithSpan returns a context whose calls set to. One context is for one call at a time.
func WithSpan(ctx context.Context, to *Span) context.Context {
	return context.WithValue(ctx, spanKey{}, to)
}

// NoteSpan sets the span of the call that was made with ctx, if anybody asked for it: any store
// that knows better than its caller when it was called may say so.
func NoteSpan(ctx context.Context, s Span) {
	if to, ok := ctx.Value(spanKey{}).(*Span); ok {
		*to = s
	}
}

// note sets the span of the call that was made with ctx.
func (c clock) note(ctx context.Context, a answer) { NoteSpan(ctx, c.span(a.T0, a.T1)) }
