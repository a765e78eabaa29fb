package bench_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/store/disk"
	"memrace/store/sqlite"
)

// What SQLite does to its files is counted, and told only where there is anything to tell.
func TestFilesAreCounted(t *testing.T) {
	if err := disk.CountAll(); err != nil {
		t.Skip(err)
	}
	files := []string{"fsyncs/op", "written-B/op", "commits/op"}
	for _, tc := range []struct {
		name    string
		clients int
		// want are what an operation takes of each of files, at least and at most.
		least, most [3]float64
		why         string
	}{
		{"wal,synchronous=full", 2, [3]float64{0.8, 3000, 0.8}, [3]float64{1.3, 9000, 1.2},
			"a commit is a frame of the log and a sync of it, and a checkpoint now and then"},
		{"wal-batch,synchronous=full", 64, [3]float64{1. / 65, 1, 1. / 65},
			[3]float64{1. / 20, 4000, 1. / 20}, "clients share them"},
		{"shared,synchronous=full", 2, [3]float64{3, 13000, 0}, [3]float64{5, 20000, 0},
			"a rollback journal has no commits to count"},
		{"memory", 2, [3]float64{}, [3]float64{}, "there is no file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v, err := sqlite.ParseVariant(tc.name)
			require.NoError(t, err)
			config := quick()
			config.For *= 4
			turns, err := bench.Run(t.Context(), t.TempDir(), []bench.Subject{{Store: tc.name,
				Open: v.Opener()}}, []bench.Load{upserts(tc.clients, 0)}, config, nil)
			require.NoError(t, err)
			turn := turns[0]
			var units []string
			for _, line := range written(t, turn) {
				units = line
			}
			for i, n := range []int64{turn.Fsyncs, turn.Written, turn.Commits} {
				each := float64(n) / float64(turn.All().Done)
				require.GreaterOrEqual(t, each, tc.least[i], "%s; %s", files[i], tc.why)
				require.LessOrEqual(t, each, tc.most[i], "%s; %s", files[i], tc.why)
				if n == 0 {
					require.NotContains(t, units, files[i])
				} else {
					require.Contains(t, units, files[i])
				}
			}
		})
	}
}
