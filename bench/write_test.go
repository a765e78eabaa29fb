package bench_test

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"memrace/bench"
	"memrace/store"
	"memrace/stress/workload"
)

// written returns what is written of a turn: each line's name, without the number of processors,
// and the units that the line has.
func written(t *testing.T, turns ...*bench.Turn) map[string][]string {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, bench.Write(&text, []bench.Setting{{Name: "fs", Value: "ext4"}}, turns))
	reader := benchfmt.NewReader(&text, "text")
	lines := map[string][]string{}
	for reader.Scan() {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			require.IsType(t, &benchfmt.UnitMetadata{}, reader.Result(), "no line is wrong")
			continue
		}
		require.Equal(t, "ext4", result.GetConfig("fs"))
		name := regexp.MustCompile(`-\d+$`).ReplaceAllString(result.Name.String(), "")
		for _, v := range result.Values {
			require.NotZero(t, reader.Units().GetBetter(v.Unit), "what is better in %s", v.Unit)
			lines[name] = append(lines[name], v.Unit)
		}
	}
	require.NoError(t, reader.Err())
	return lines
}

func TestLinesNameEverySetting(t *testing.T) {
	turn := one(t, &fake{}, upserts(2, 0), quick())
	turn.Subject = bench.Subject{Store: "wal", Driver: "mattn", Sync: "full", SyncNamed: true}
	require.Contains(t, written(t, turn), "Upsert/store=wal/driver=mattn/sync=full/clients=2")
	turn.Subject.SyncNamed = false
	require.Contains(t, written(t, turn), "Upsert/store=wal/driver=mattn/clients=2")
	turn.Subject = bench.Subject{Store: "sh my/memory.sh  9"}
	turn.Load.Rate = 50
	require.Contains(t, written(t, turn), "Upsert/store=sh_my:memory.sh_9/clients=2/rate=50",
		"a name has no blank, and its parts no slash")
}

func TestAMixHasALineForAllAndForEachKind(t *testing.T) {
	mix := workload.Mix{Upsert: 1, Get: 3}
	lines := written(t, one(t, &fake{}, bench.Load{Mix: mix, Clients: 2}, quick()))
	var names []string
	for _, name := range []string{"Mixed", "Upsert", "Get"} {
		names = append(names, name+"/mix=upsert:1,get:3/store=fake/clients=2")
		require.Contains(t, lines, names[len(names)-1])
	}
	require.Len(t, lines, len(names))
	require.Contains(t, lines[names[0]], "fewest/most")
	require.NotContains(t, lines[names[1]], "fewest/most", "that is of the turn")
}

func TestWhatTooFewOperationsLeaveOpenIsLeftOut(t *testing.T) {
	slow := &fake{upsert: func(string) error { pause(time.Millisecond); return nil }}
	units := written(t, one(t, slow, upserts(1, 0), quick()))["Upsert/store=fake/clients=1"]
	for _, unit := range []string{"sec/op", "ops/sec", "p50-sec/op", "max-sec/op", "errors/op"} {
		require.Contains(t, units, unit)
	}
	require.NotContains(t, units, "p90-sec/op")
	require.NotContains(t, units, "p99-sec/op")
	require.NotContains(t, units, "fewest/most", "one client is neither")
	require.NotContains(t, units, "queued/due", "nothing was due")
	config := quick()
	config.For = 300 * time.Millisecond
	units = written(t, one(t, &fake{}, upserts(1, 0), config))["Upsert/store=fake/clients=1"]
	require.Contains(t, units, "p99-sec/op")
	require.Contains(t, units, "p99.9-sec/op")
}

func TestErrorsHaveAUnitForEachClass(t *testing.T) {
	filled := 0
	f := &fake{upsert: func(string) error {
		if filled++; filled > 4 {
			return classed{"io err"}
		}
		return nil
	}}
	lines := written(t, one(t, f, upserts(1, 1000), quick()))
	units := lines["Upsert/store=fake/clients=1/rate=1000"]
	require.Contains(t, units, "unknown_io_err/op")
	require.NotContains(t, units, "sec/op", "nothing took effect")
}

func TestNumbersHaveFourDigits(t *testing.T) {
	turn := one(t, &fake{}, upserts(2, 0), quick())
	turn.Fewest, turn.Most, turn.WAL = 1, 3, 123456789
	var text bytes.Buffer
	require.NoError(t, bench.Write(&text, nil, []*bench.Turn{turn}))
	require.Contains(t, text.String(), "\t0.3333 fewest/most")
	require.Contains(t, text.String(), "\t123456789 wal-B")
	require.Contains(t, text.String(), "\t0 errors/op")
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAFullDiskIsSaid(t *testing.T) {
	require.ErrorContains(t, bench.Write(full{}, nil, nil), "write benchmarks: no space left")
}

// A setting that all stores have alike is said once; else it is said whose it is.
func TestHeader(t *testing.T) {
	about := func(journal string) store.Description {
		return store.Description{Settings: []store.Setting{{Name: "sqlite", Value: "3.1"},
			{Name: "journal_mode", Value: journal}}}
	}
	subjects := []bench.Subject{{Store: "a"}, {Store: "b"}, {Store: "c"}}
	lines := map[string]string{}
	for _, s := range bench.Header(subjects,
		[]store.Description{about("wal"), about("delete"), about("wal")},
		bench.Disk{FS: "xfs", Fsync: 1500 * time.Nanosecond}, quick()) {
		require.Equal(t, strings.ToLower(s.Name), s.Name)
		require.NotContains(t, lines, s.Name)
		lines[s.Name] = s.Value
	}
	for name, want := range map[string]string{"sqlite-version": "3.1", "fs": "xfs",
		"journal-mode": "wal (a, c), delete (b)", "fsync-p50-ns": "1500",
		"turn": "50ms after 0s, 2 sessions, 2 keys, 64 B, seed 0"} {
		require.Empty(t, cmp.Diff(want, lines[name]), name)
	}
	require.Contains(t, lines["machine"], "CPU")
	require.NotEmpty(t, lines["go"])
	header := bench.Header(subjects[:2], []store.Description{about("wal"), {}}, bench.Disk{},
		quick())
	require.Contains(t, header, bench.Setting{Name: "sqlite-version", Value: "3.1 (a)"},
		"what one store does not say is not said of it")
}
