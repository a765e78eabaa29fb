package bench_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/store"
	"memrace/stress/workload"
)

// A store that stalls now and then: a closed loop has one operation in flight, so that one
// operation in two hundred is slow and 99 in 100 are not; of those that are due while it stalls,
// which no closed loop makes, all are.
func TestAStallShowsInAnOpenLoopOnly(t *testing.T) {
	const stall, calls = 20 * time.Millisecond, 200
	stalling := func() *fake {
		var mu sync.Mutex
		n := 0
		return &fake{upsert: func(string) error {
			mu.Lock()
			defer mu.Unlock()
			if n++; n%calls == 0 {
				pause(stall)
			}
			return nil
		}}
	}
	config := quick()
	config.For = 1500 * time.Millisecond
	closed := one(t, stalling(), upserts(1, 0), config).All()
	turn := one(t, stalling(), upserts(1, 1000), config)
	open := turn.All()
	t.Logf("a store that stalls for %v after each %d calls", stall, calls)
	for i, k := range []*bench.Kind{closed, open} {
		t.Logf("%s p50 %v, p99 %v, longest %v", []string{"closed loop:", "1000/s:     "}[i],
			k.Latency(50), k.Latency(99), k.Latency(100))
	}
	require.NotZero(t, closed.Latency(99), "there are enough operations")
	require.Greater(t, open.Latency(99), stall/2)
	require.Greater(t, open.Latency(99), 5*closed.Latency(99))
	require.GreaterOrEqual(t, closed.Latency(100), stall*99/100, "the stall is there all the same")
	require.False(t, turn.Outrun(), "the store keeps up")
}

func TestARateThatCannotBeReached(t *testing.T) {
	slow := &fake{upsert: func(string) error { pause(time.Millisecond); return nil }}
	turn := one(t, slow, upserts(2, 100_000), quick())
	require.True(t, turn.Outrun())
	require.Less(t, turn.PerSecond(), 50_000.0)
	require.Greater(t, turn.Queue.End, turn.Queue.Half, "the queue grew")
	require.Positive(t, turn.Queue.Half)
	require.Positive(t, turn.Queue.Left, "not all are made in the end")
	require.Equal(t, 5000, turn.Queue.Left+turn.All().OK, "and those that are, are counted")
	cell := bench.Cells([]*bench.Turn{turn})[0]
	require.Equal(t, turn, cell.Outrun())
}

func TestOutrun(t *testing.T) {
	for _, tc := range []struct {
		name            string
		half, end, done int
		want            bool
		why             string
	}{
		{"no queue", 0, 0, 1000, false, ""},
		{"each client has one to come", 0, 4, 900, false, "a queue of that length is none"},
		{"grew", 200, 400, 600, true, ""},
		{"shrinks", 400, 300, 700, false, "a stall is being made up for"},
		{"done all the same", 10, 20, 960, false, "or nearly"},
		{"seen late", 900, 900, 100, true, "the middle was seen when it was over"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			turn := bench.Turn{Load: upserts(4, 1000), For: time.Second,
				Kinds: []*bench.Kind{{Done: tc.done}},
				Queue: &bench.Queue{Half: tc.half, End: tc.end}}
			require.Equal(t, tc.want, turn.Outrun(), tc.why)
		})
	}
}

func TestARateThatIsReached(t *testing.T) {
	turn := one(t, &fake{}, upserts(4, 250), unhurried())
	require.Equal(t, 50, turn.All().OK, "what is due in the time, neither more nor less")
	require.Zero(t, turn.Queue.Left)
	require.False(t, turn.Outrun())
	config := unhurried()
	config.For = 70 * time.Millisecond
	require.Equal(t, 7, one(t, &fake{}, upserts(4, 100), config).All().OK,
		"what is due at the end is not due in it")
}

// A client that is kept waiting from the warm-up on, to the end and beyond, is in the latency: the
// store that starves it would else look like one that does not.
func TestWhatWasCalledInTheWarmUp(t *testing.T) {
	const warmUp, measured = 20 * time.Millisecond, 60 * time.Millisecond
	filled := atomic.Int64{}
	f := &fake{upsert: func(value string) error {
		if filled.Add(1) > 4 && clientOf(value) == 1 {
			pause(warmUp + 2*measured)
		}
		pause(time.Millisecond)
		return nil
	}}
	config := quick()
	config.WarmUp, config.For = warmUp, measured
	turn := one(t, f, upserts(2, 0), config)
	require.Greater(t, turn.All().Latency(100), warmUp+measured)
	require.Zero(t, turn.Fewest, "nothing of it was done in the measured time")
}

// What returns after the end is in the latency, which would else lack the slowest, and not in the
// throughput; and a store that is slow but has clients enough keeps up.
func TestWhatReturnsLate(t *testing.T) {
	const takes = 100 * time.Millisecond
	for _, rate := range []int{0, 100} {
		filled := atomic.Int64{}
		f := &fake{upsert: func(string) error {
			if filled.Add(1) > 4 {
				pause(takes)
			}
			return nil
		}}
		turn := one(t, f, upserts(20, rate), quick())
		require.Zero(t, turn.All().Done)
		require.Zero(t, turn.PerSecond())
		require.Equal(t, map[int]int{0: 20, 100: 5}[rate], turn.All().OK)
		require.GreaterOrEqual(t, turn.All().Latency(100), takes*99/100)
		require.False(t, turn.Outrun())
	}
}

// What waits in the queue at the end is made yet: it is what waited longest.
func TestTheQueueIsEmptied(t *testing.T) {
	config := unhurried()
	n := 0
	f := &fake{upsert: func(string) error {
		if n++; n == 5 { // four of them fill it
			pause(config.For * 5 / 4)
		}
		return nil
	}}
	turn := one(t, f, upserts(1, 250), config)
	require.Equal(t, 50, turn.All().OK)
	require.Zero(t, turn.Queue.Left)
	require.Positive(t, turn.Queue.End)
}

func TestWarmUpIsNotMeasured(t *testing.T) {
	config := unhurried()
	config.WarmUp = config.For
	calls := 0
	f := &fake{upsert: func(string) error { calls++; return nil }}
	turn := one(t, f, upserts(1, 250), config)
	require.Equal(t, 50, turn.All().OK)
	require.Equal(t, 100+4, calls, "four of them fill it")
}

// classed is an error of a class.
type classed struct{ class string }

func (c classed) Error() string { return "no" }
func (c classed) Class() string { return c.class }

func TestWhatFailsIsNoOperation(t *testing.T) {
	filled, n := 0, 0
	f := &fake{upsert: func(string) error {
		if filled++; filled <= 4 {
			return nil
		}
		switch n++; n % 5 {
		case 0:
			return fmt.Errorf("%w: %w", store.ErrNotApplied, classed{"busy"})
		case 1:
			return classed{"ioerr"}
		case 2:
			panic("no")
		case 3:
			return fmt.Errorf("too late: %w", context.DeadlineExceeded)
		}
		return nil
	}}
	k := one(t, f, upserts(1, 500), unhurried()).All()
	require.Equal(t, 20, k.OK)
	require.Equal(t, 80, k.Failed())
	require.Empty(t, cmp.Diff(map[string]int{"busy": 20, "unknown ioerr": 20, "unknown panic": 20,
		"unknown deadline": 20}, k.Errors))
}

func TestFairness(t *testing.T) {
	f := &fake{upsert: func(value string) error {
		if clientOf(value) == 1 {
			pause(5 * time.Millisecond)
		}
		return nil
	}}
	turn := one(t, f, upserts(3, 0), quick())
	require.Positive(t, turn.Fewest)
	require.Less(t, 10*turn.Fewest, turn.Most, "one client is kept waiting")
	require.Less(t, turn.Most, turn.All().Done)
}

func TestEachKindIsCounted(t *testing.T) {
	mix := workload.Mix{Upsert: 1, Get: 1, Delete: 1}
	turn := one(t, &fake{}, bench.Load{Mix: mix, Clients: 2}, quick())
	var names []string
	ok := 0
	for _, k := range turn.Kinds {
		names = append(names, k.Act.String())
		require.Positive(t, k.OK)
		require.Positive(t, k.Latency(50))
		ok += k.OK
	}
	require.Equal(t, []string{"upsert", "get", "delete"}, names)
	require.Equal(t, ok, turn.All().OK)
}

// What a store takes of the machine is that of the measured time.
func TestWhatIsUsed(t *testing.T) {
	var kept []byte
	f := &fake{upsert: func(string) error { kept = make([]byte, 1000); return nil }}
	turn := one(t, f, upserts(1, 0), quick())
	require.Len(t, kept, 1000)
	done := uint64(turn.All().Done)
	require.Greater(t, 2*turn.Objects, done, "each call allocates once")
	require.Less(t, turn.Objects, 2*done, "and the measurement next to nothing")
	require.Greater(t, 2*turn.Bytes, 1000*done)
	outside := bench.Subject{Store: "fake", Open: always(f), Outside: true}
	turns, err := bench.Run(t.Context(), t.TempDir(), []bench.Subject{outside},
		[]bench.Load{upserts(1, 0)}, quick(), nil)
	require.NoError(t, err)
	require.Zero(t, turns[0].Objects, "what another process uses is not known")
	require.Zero(t, turns[0].CPU)
}

func TestLogsAreMeasured(t *testing.T) {
	open := func(_ context.Context, dir string) (store.Store, error) {
		return &fake{}, errors.Join(
			os.WriteFile(filepath.Join(dir, "a.db-wal"), make([]byte, 100), 0o666),
			os.WriteFile(filepath.Join(dir, "b.db-wal"), make([]byte, 20), 0o666),
			os.WriteFile(filepath.Join(dir, "a.db"), make([]byte, 3), 0o666))
	}
	turns, err := bench.Run(t.Context(), t.TempDir(), []bench.Subject{{Store: "x", Open: open}},
		[]bench.Load{upserts(1, 0)}, quick(), nil)
	require.NoError(t, err)
	require.Equal(t, int64(120), turns[0].WAL)
}

func TestMeasureDisk(t *testing.T) {
	dir := t.TempDir()
	disk, err := bench.MeasureDisk(dir)
	require.NoError(t, err)
	require.Positive(t, disk.Fsync)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	_, err = bench.MeasureDisk(filepath.Join(dir, "none"))
	require.ErrorContains(t, err, "measure the disk")
	require.False(t, bench.Disk{FS: "tmpfs", Fsync: time.Second}.Durable())
	require.False(t, bench.Disk{FS: "ext4", Fsync: time.Microsecond}.Durable(), "too fast")
	require.True(t, bench.Disk{Fsync: time.Millisecond}.Durable())
}
