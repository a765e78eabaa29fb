package workers_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/store/proc"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

// spanned is a memory behind a pipe: a call takes 10ms, and the store says when it was inside.
type spanned struct {
	*memory
	from, to time.Duration // since the call
}

func (s spanned) Get(ctx context.Context, session, key string) (string, bool, error) {
	begin := time.Now()
	proc.NoteSpan(ctx, proc.Span{From: begin.Add(s.from), To: begin.Add(s.to)})
	<-time.After(10 * time.Millisecond) // by the clock of the bubble
	return s.memory.Get(ctx, session, key)
}

// What a store says of its own times counts only where it can be true.
func TestSpansOfStores(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		name               string
		from, to           time.Duration
		wantFrom, wantTook time.Duration
	}{
		{"inside", 3 * ms, 5 * ms, 3 * ms, 2 * ms},
		{"all of it", 0, 10 * ms, 0, 10 * ms},
		{"begins before the call", -1, 5 * ms, 0, 10 * ms},
		{"ends after the return", 3 * ms, 11 * ms, 0, 10 * ms},
		{"backwards", 5 * ms, 3 * ms, 0, 10 * ms},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := spanned{newMemory(), tt.from, tt.to}
				spec := workload.Spec{Clients: 1, Mix: workload.Mix{Get: 1}}
				_, h := play(t, s, spec, workers.Config{Ops: 2})
				require.Len(t, h.Ops, 2)
				second := h.Ops[1]
				require.Equal(t, 10*ms+tt.wantFrom, time.Duration(second.Call))
				require.Equal(t, tt.wantTook, time.Duration(second.Return-second.Call))
			})
		})
	}
}
