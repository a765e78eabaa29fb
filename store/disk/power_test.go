//go:build linux && cgo

package disk_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

// seeds returns how many losses of power each test takes: those of MEMRACE_SEEDS, or few.
func seeds(t *testing.T, few uint64) uint64 {
	text := os.Getenv("MEMRACE_SEEDS")
	if text == "" {
		return few
	}
	n, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err, "MEMRACE_SEEDS")
	return n
}

// cutAfter returns how many calls of a child are to return before the power goes. After none of
// them it may not even have made the database.
func cutAfter(seed uint64) int {
	if seed%5 == 0 {
		return 300 // enough for checkpoints of the WAL
	}
	return int(seed * 7 % 41)
}

// row names one row of a child.
type row struct{ client, n int }

// told is what a child said about its rows: "ok", "no" or "unknown".
type told map[row]string

// losePower runs a child until it has lost power. It returns what the child said, and the layer.
func losePower(t *testing.T, o orders, seed uint64) (said told, layer string) {
	text, err := json.Marshal(o)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	said = told{}
	for len(said) < cutAfter(seed) && lines.Scan() {
		said.hear(t, lines.Text())
	}
	_, err = fmt.Fprintf(in, "cut %d\n", seed)
	require.NoError(t, err)
	for lines.Scan() {
		said.hear(t, lines.Text())
	}
	require.NoError(t, lines.Err())
	require.Error(t, cmd.Wait())
	require.Equal(t, 137, cmd.ProcessState.ExitCode(), "seed %d: %s", seed, stderr.String())
	return said, stderr.String()
}

func (said told) hear(t *testing.T, line string) {
	var r row
	var outcome string
	_, err := fmt.Sscan(line, &r.client, &r.n, &outcome)
	require.NoError(t, err)
	said[r] = outcome
}

// found opens what is left after a loss of power, as anybody would, and returns the rows and what
// is wrong with the file.
func found(t *testing.T, o orders) (rows map[row]bool, wrong string) {
	v, err := sqlite.ParseVariant(o.Variant)
	require.NoError(t, err)
	s, err := sqlite.Open(t.Context(), o.Dir, v)
	if err != nil {
		return nil, err.Error()
	}
	all, err := s.Dump(t.Context())
	require.NoError(t, s.Close())
	if err != nil {
		return nil, err.Error()
	}
	rows = map[row]bool{}
	for _, one := range all {
		var r row
		_, err := fmt.Sscan(one.Session.Text+" "+one.Key.Text, &r.client, &r.n)
		require.NoError(t, err)
		rows[r] = true
		if one.Value.Text != valueOf(r.n) {
			wrong += fmt.Sprintf("row %v has another value; ", r)
		}
	}
	if answer := integrity(t, o.Dir, v); answer != "ok" {
		wrong += answer
	}
	return rows, wrong
}

func integrity(t *testing.T, dir string, v sqlite.Variant) (answer string) {
	pools, err := sqlite.OpenPools(t.Context(), dir, v)
	require.NoError(t, err)
	defer func() { require.NoError(t, pools.Close()) }()
	first := pools.Read.QueryRowContext(t.Context(), "PRAGMA integrity_check")
	if err := first.Scan(&answer); err != nil {
		return err.Error()
	}
	return answer
}

// compare returns how many acknowledged rows are lost, and what else is not as it was told. A row
// that is lost or was refused comes before every row of its client that is there: what is left of
// commits that came one after the other are the first.
func (said told) compare(rows map[row]bool) (lost int, wrong string) {
	highest := map[int]int{}
	for r := range rows {
		highest[r.client] = max(highest[r.client], r.n)
		if said[r] == "no" {
			wrong += fmt.Sprintf("row %v was refused and is there; ", r)
		}
	}
	for r, outcome := range said {
		if outcome != "ok" || rows[r] {
			continue
		}
		lost++
		if r.n < highest[r.client] {
			wrong += fmt.Sprintf("row %v is lost, but later ones are there; ", r)
		}
	}
	return lost, wrong
}

// losses are what came of many losses of power.
type losses struct{ runs, losing, most, rows, unknown, wrong int }

func (l losses) String() string {
	return fmt.Sprintf("%d of %d runs lost acknowledged rows, %d at most, %d in all; "+
		"%d rows were unknown, %d runs left something wrong",
		l.losing, l.runs, l.most, l.rows, l.unknown, l.wrong)
}

// add makes and judges one loss of power.
func (l *losses) add(t *testing.T, o orders, seed uint64) {
	o.Dir = t.TempDir()
	said, layer := losePower(t, o, seed)
	rows, wrong := found(t, o)
	lost, more := said.compare(rows)
	l.runs++
	l.rows += lost
	l.most = max(l.most, lost)
	for _, outcome := range said {
		if outcome == "unknown" {
			l.unknown++
		}
	}
	if lost > 0 {
		l.losing++
	}
	if wrong+more != "" {
		l.wrong++
	}
	if lost > 0 || wrong+more != "" {
		t.Logf("seed %d: of %d rows %d are lost; %s%s\n%s", seed, len(said), lost, wrong, more,
			layer)
	}
}

func TestPowerLoss(t *testing.T) {
	const all = maxRows
	for _, tc := range []struct {
		name, variant, faults string
		clients               int
		seeds                 uint64 // 0 is 12
		most                  int    // acknowledged rows that may be lost
		loses, wrong          bool   // some run has to lose some; what is left may be wrong
		why                   string
	}{
		{name: "wal full", variant: "wal,synchronous=full", why: "each commit is synced"},
		{name: "many writers", variant: "wal-pool,synchronous=full", clients: 4, why: "the same"},
		{name: "batches", variant: "wal-batch,synchronous=full", clients: 8, why: "the same"},
		{name: "truncate full", variant: "shared,journal=truncate",
			why: "a commit is the truncation of the journal, and that is synced"},
		{name: "persist full", variant: "shared,journal=persist",
			why: "a commit is a write into the journal, and that is synced"},
		{name: "delete extra", variant: "shared,synchronous=extra",
			why: "a commit is the deletion of the journal, and the directory is synced"},
		{name: "delete full", variant: "shared", most: 1, loses: true, seeds: 40,
			why: "the directory is not synced, so the last journal is there again in 1 of 3 runs"},
		{name: "wal normal", variant: "wal", most: all, loses: true,
			why: "only a checkpoint syncs; what is left are the first commits"},
		{name: "wal off", variant: "wal,synchronous=off", most: all, loses: true, wrong: true,
			why: "nothing syncs"},
		{name: "delete off", variant: "shared,synchronous=off", most: all, loses: true,
			wrong: true, why: "nothing syncs"},
		{name: "wal full, lying disk", variant: "wal,synchronous=full", faults: "lost-sync",
			most: all, loses: true, wrong: true,
			why: "a sync that does nothing has to be noticed, or nothing above is shown"},
		{name: "truncate full, lying disk", variant: "shared,journal=truncate",
			faults: "lost-sync", most: all, loses: true, wrong: true, why: "the same"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var l losses
			for seed := range seeds(t, cmp.Or(tc.seeds, 12)) {
				l.add(t, orders{Variant: tc.variant, Faults: tc.faults,
					Clients: max(tc.clients, 1)}, seed)
			}
			t.Log(l)
			require.LessOrEqual(t, l.most, tc.most, tc.why)
			require.True(t, !tc.loses || l.losing > 0, tc.why)
			require.True(t, tc.wrong || l.wrong == 0, tc.why)
		})
	}
}

// TestPowerLossOfAFailingDisk: what was acknowledged is there even so, what was refused is not. A
// journal that is used again is left out where syncs fail: SQLite writes the next one over what it
// could not invalidate for certain, and a mixture of both can be played back into the database.
func TestPowerLossOfAFailingDisk(t *testing.T) {
	all := []string{"write-error,p=0.01", "full,p=0.01", "read-error,p=0.05", "sync-error,p=0.05",
		"sync-error=40+"}
	for _, tc := range []struct {
		variant string
		faults  []string
	}{
		{"wal,synchronous=full", all}, {"wal-pool,synchronous=full", all},
		{"shared,synchronous=extra", all}, {"shared,journal=truncate", all[:3]},
		{"shared,journal=persist", all[:3]},
	} {
		for _, faults := range tc.faults {
			t.Run(tc.variant+" "+faults, func(t *testing.T) {
				t.Parallel()
				var l losses
				for seed := range seeds(t, 4) {
					l.add(t, orders{Variant: tc.variant, Clients: 2,
						Faults: fmt.Sprintf("%s,seed=%d", faults, seed)}, seed)
				}
				t.Log(l)
				require.Zero(t, l.rows, "acknowledged rows are lost")
				require.Zero(t, l.wrong, "refused rows are there, or the file is wrong")
			})
		}
	}
}
