package history_test

import (
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
)

const run = 0x2a

func slotNamed(i uint32) history.Slot {
	return history.Slot{Session: "s" + strconv.Itoa(int(i)), Key: "k"}
}

func tagText(run, slot uint32, client history.Client, step uint32) string {
	return string(history.Tag{Run: run, Slot: slot, Client: client, Step: step}.Append(nil, 50))
}

func TestRecorderNotesEachOutcome(t *testing.T) {
	r := history.NewRecorder(run, 0)
	r.Call(3, history.Upsert, 1, history.TagValue(3, 0), 10)
	require.True(t, r.Return(20, history.OK, history.ClassNone))
	r.Call(3, history.Get, 1, 0, 30)
	require.True(t, r.Found(40, tagText(run, 1, 3, 0), true))
	r.Call(3, history.Get, 0, 0, 50)
	require.True(t, r.Found(60, "", false))
	r.Call(3, history.Get, 0, 0, 65)
	require.True(t, r.Found(66, "", true))
	r.Call(3, history.Get, 0, 0, 70)
	require.True(t, r.Found(80, tagText(run+1, 1, 3, 0), true))
	r.Call(3, history.Delete, 1, 0, 90)
	require.True(t, r.Return(100, history.NotApplied, history.ClassBusy))
	r.Call(3, history.Upsert, 1, history.TagValue(3, 1), 110)
	require.True(t, r.Return(120, history.Unknown, history.ClassCanceled))
	r.Call(4, history.Get, 1, 0, 130)
	require.Equal(t, 7, r.Count(), "the one in flight does not count")
	r.Done()

	h := history.Merge([]history.Meta{{Name: "seed", Value: "1"}}, slotNamed, r)
	require.Equal(t, []string{
		`10 20 c3 upsert "s1" "k" v3.0 ok`,
		`30 40 c3 get "s1" "k" v3.0 ok`,
		`50 60 c3 get "s0" "k" - ok`,
		`65 66 c3 get "s0" "k" "" ok`,
		`70 80 c3 get "s0" "k" "` + tagText(run+1, 1, 3, 0) + `" ok`,
		`90 100 c3 delete "s1" "k" - not-applied busy`,
		`110 - c3 upsert "s1" "k" v3.1 unknown canceled`,
		`130 - c4 get "s1" "k" - unknown`,
	}, lines(h))
	require.Equal(t, "1", h.MetaValue("seed"))
	require.Zero(t, h.Ops[6].Return, "a time that means nothing is not kept")
	require.Nil(t, h.Lines)
}

func lines(h *history.History) []string {
	all := make([]string, len(h.Ops))
	for i := range h.Ops {
		all[i] = h.Line(i)
	}
	return all
}

// TestTagsThatHaveNoRoom are tags by their text, yet beyond what a value can hold.
func TestTagsThatHaveNoRoom(t *testing.T) {
	r := history.NewRecorder(run, 0)
	for i, text := range []string{tagText(run, 0, 1<<31, 0), tagText(run, 0, 0, 1<<32-1)} {
		r.Call(0, history.Get, 0, 0, int64(i))
		r.Found(int64(i), text, true)
	}
	r.Done()
	h := history.Merge(nil, slotNamed, r)
	require.Len(t, h.Foreign, 2)
}

func TestRecorderKeepsEachForeignTextOnce(t *testing.T) {
	r := history.NewRecorder(run, 0)
	for i := range int64(10) {
		r.Call(0, history.Get, 0, 0, i)
		r.Found(i, "x"+strconv.Itoa(int(i%2)), true)
	}
	r.Done()
	h := history.Merge(nil, slotNamed, r)
	require.Equal(t, []string{"x0", "x1"}, h.Foreign)
	require.Equal(t, []history.Value{0, history.ForeignValue(0), history.ForeignValue(1)}, h.Values)
}

func TestRecorderBeyondItsCapacity(t *testing.T) {
	const n = 5000
	r := history.NewRecorder(run, 7)
	for i := range int64(n) {
		r.Call(history.Client(i/100), history.Delete, 0, 0, i)
		r.Return(i, history.OK, history.ClassNone)
	}
	r.Done()
	require.Equal(t, n, r.Count())
	h := history.Merge(nil, slotNamed, r)
	require.Len(t, h.Ops, n)
	for i, op := range h.Ops {
		require.Equal(t, int64(i), op.Call)
		require.Equal(t, history.Client(i/100), op.Client)
	}
}

// TestSealGivesUpAStuckClient has a client inside a store that does not answer before the
// history was read.
func TestSealGivesUpAStuckClient(t *testing.T) {
	r := history.NewRecorder(run, 0)
	inside, answer := make(chan struct{}), make(chan struct{})
	var client sync.WaitGroup
	client.Go(func() {
		r.Call(0, history.Upsert, 0, history.TagValue(0, 0), 1)
		r.Return(2, history.OK, history.ClassNone)
		r.Call(0, history.Get, 0, 0, 3)
		close(inside)
		<-answer
		if r.Found(4, "too late", true) || r.Return(4, history.OK, history.ClassNone) {
			t.Error("the client was not told to stop")
		}
		r.Call(0, history.Upsert, 0, history.TagValue(0, 1), 5)
		r.Done()
	})
	<-inside
	require.True(t, r.Seal())
	require.True(t, r.Seal(), "asking twice does no harm")
	h := history.Merge(nil, slotNamed, r)
	close(answer)
	client.Wait()
	want := []string{`1 2 c0 upsert "s0" "k" v0.0 ok`, `3 - c0 get "s0" "k" - unknown`}
	require.Equal(t, want, lines(h))
	require.Equal(t, 1, r.Count())
	require.Equal(t, want, lines(history.Merge(nil, slotNamed, r)), "nothing came after the seal")
}

func TestSealLeavesOthersAlone(t *testing.T) {
	running := history.NewRecorder(run, 0)
	require.False(t, running.Seal(), "a client that is not inside the store is not stuck")
	running.Call(0, history.Get, 0, 0, 1)
	require.True(t, running.Found(2, "", false), "and goes on")
	finished := history.NewRecorder(run, 0)
	finished.Done()
	require.True(t, finished.Seal(), "its entries can be read")
	require.Zero(t, finished.Count())
}

// TestSealWhileClientsRun is for the race detector: clients that are given up at any moment
// must not touch what is read afterwards.
func TestSealWhileClientsRun(t *testing.T) {
	const clients = 4
	recorders := make([]*history.Recorder, clients)
	started := make(chan struct{}, clients)
	var group sync.WaitGroup
	for i := range recorders {
		recorders[i] = history.NewRecorder(run, 0)
		group.Go(func() { callUntilSealed(recorders[i], history.Client(i), started) })
	}
	for range clients {
		<-started
	}
	for _, r := range recorders {
		for !r.Seal() {
			runtime.Gosched()
		}
	}
	h := history.Merge(nil, slotNamed, recorders...)
	group.Wait()
	count := 0
	for _, r := range recorders {
		count += r.Count()
	}
	require.Len(t, h.Ops, count+clients, "one call of each client was in flight")
}

func callUntilSealed(r *history.Recorder, c history.Client, started chan<- struct{}) {
	for step := uint32(0); ; step++ {
		r.Call(c, history.Upsert, 0, history.TagValue(c, step), int64(step))
		if step == 100 {
			started <- struct{}{}
		}
		// A store takes its time, which the others have.
		runtime.Gosched()
		if !r.Return(int64(step), history.OK, history.ClassNone) {
			return
		}
	}
}

func TestMisuse(t *testing.T) {
	t.Run("return without call", func(t *testing.T) {
		r := history.NewRecorder(run, 0)
		require.False(t, r.Return(1, history.OK, history.ClassNone))
	})
	t.Run("two calls", func(t *testing.T) {
		r := history.NewRecorder(run, 0)
		r.Call(0, history.Delete, 0, 0, 1)
		r.Call(1, history.Delete, 0, 0, 2)
		r.Return(3, history.OK, history.ClassNone)
		r.Done()
		require.Equal(t, []string{`1 - c0 delete "s0" "k" - unknown`,
			`2 3 c1 delete "s0" "k" - ok`}, lines(history.Merge(nil, slotNamed, r)))
	})
	t.Run("merge of a client that runs", func(t *testing.T) {
		require.Panics(t, func() { history.Merge(nil, slotNamed, history.NewRecorder(run, 0)) })
	})
}

func BenchmarkRecord(b *testing.B) {
	b.ReportAllocs()
	r := history.NewRecorder(run, b.N)
	start := time.Now()
	for i := range b.N {
		v := history.TagValue(0, uint32(i))
		r.Call(0, history.Upsert, 0, v, int64(time.Since(start)))
		r.Return(int64(time.Since(start)), history.OK, history.ClassNone)
	}
}

// BenchmarkRecordSideBySide has every processor record for itself. It would take longer than
// BenchmarkRecord if the recorders, which are made one after the other, shared a cache line.
func BenchmarkRecordSideBySide(b *testing.B) {
	start := time.Now()
	b.RunParallel(func(pb *testing.PB) {
		r := history.NewRecorder(run, 0)
		for step := uint32(0); pb.Next(); step++ {
			r.Call(0, history.Upsert, 0, history.TagValue(0, step), int64(time.Since(start)))
			r.Return(int64(time.Since(start)), history.OK, history.ClassNone)
		}
	})
}

// BenchmarkClock is the part of BenchmarkRecord that is not the recorder's.
func BenchmarkClock(b *testing.B) {
	start := time.Now()
	var sum time.Duration
	for range b.N {
		sum += time.Since(start) + time.Since(start)
	}
	if sum < 0 {
		b.Fatal(sum)
	}
}

func BenchmarkRecordFound(b *testing.B) {
	b.ReportAllocs()
	r := history.NewRecorder(run, b.N)
	text := tagText(run, 1, 3, 17)
	for i := range b.N {
		r.Call(0, history.Get, 0, 0, int64(i))
		r.Found(int64(i), text, true)
	}
}
