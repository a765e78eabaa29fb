package bench_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
)

// encoded is a histogram of one sample, as text.
func encoded(t testing.TB, longest time.Duration, digits int) string {
	t.Helper()
	h := hdrhistogram.NewPacked(1, int64(longest), digits)
	require.NoError(t, h.RecordValue(1000))
	text, err := h.Encode()
	require.NoError(t, err)
	return string(text)
}

func TestReadLatenciesRefuses(t *testing.T) {
	good := encoded(t, time.Hour, 2)
	line := func(parts ...string) string { return strings.Join(parts, ",") }
	first := line("Tag=Get/round=0", "0", "0.1", "0.001003", good)
	for _, tc := range []struct{ name, text, want, why string }{
		{"empty", "", "x.hlog:1: there is no line that begins with Tag=", ""},
		{"comments", "#[Histogram log\n\"Start\"\n\n", "x.hlog:4: there is no line", ""},
		{"other text", "goos: linux", "x.hlog:1: want Tag=NAME/round=N,START,LENGTH,MAX,HIST", ""},
		{"without a tag", line("0", "1", "2", good), "want Tag=", "whose would it be?"},
		{"too few", "Tag=Get/round=0,0,1," + good, "want Tag=", ""},
		{"too many", first + ",1", "want Tag=", "a comma in a name is written as %2C"},
		{"no round", strings.Replace(first, "/round=0", "", 1), `tag "Get": want NAME/round=N`, ""},
		{"no name", strings.Replace(first, "Get", "", 1), "want NAME/round=N", ""},
		{"which round", strings.Replace(first, "=0", "=-1", 1), "want the number of a round", ""},
		{"escape", strings.Replace(first, "Get", "G%zz", 1), "invalid URL escape", ""},
		{"start", strings.Replace(first, ",0,", ",x,", 1), `"x" is no time in seconds`, ""},
		{"no number", strings.Replace(first, ",0,", ",NaN,", 1), `"NaN" is no time`, ""},
		{"before", strings.Replace(first, ",0,", ",-1,", 1), `"-1" is no time`, ""},
		{"for ever", strings.Replace(first, ",0.1,", ",3601,", 1), "up to 1h0m0s", ""},
		{"no length", strings.Replace(first, ",0.1,", ",0,", 1), "the interval has no length", ""},
		{"gap", first + "\n" + strings.Replace(first, ",0,", ",0.2,", 1),
			"x.hlog:2: the interval begins at 200ms, where the one before ends at 100ms", ""},
		{"twice", first + "\n" + first, "x.hlog:2: the interval begins at 0s", "two files in one"},
		{"late", strings.Replace(first, ",0,", ",0.1,", 1), "where the one before ends at 0s", ""},
		{"longest", strings.Replace(first, "0.001003", "7", 1),
			`the longest latency is "7", that of the histogram is 0.001003`, "one is wrong"},
		{"no histogram", line("Tag=Get/round=0", "0", "0.1", "0", "HISTF"), "the histogram: ", ""},
		{"cut short", first[:len(first)-8], "the histogram: ", ""},
		{"digits", line("Tag=a/round=0", "0", "1", "0.001", encoded(t, time.Hour, 3)),
			"it has 3 digits from 1 to 3600000000000: want 2", "they could not be merged"},
		{"range", line("Tag=a/round=0", "0", "1", "0.001", encoded(t, time.Minute, 2)),
			"from 1 to 60000000000: want 2 from 1 to 3600000000000", "nor these"},
		{"long line", "\n#" + strings.Repeat("x", 1<<17), "x.hlog:2: the line is longer than", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := bench.ReadLatencies(strings.NewReader(tc.text), "x.hlog")
			require.ErrorContains(t, err, tc.want, tc.why)
			require.ErrorContains(t, err, "read latencies: x.hlog:")
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestALogHasLimits(t *testing.T) {
	h := hdrhistogram.NewPacked(1, int64(time.Hour), 2)
	require.NoError(t, h.RecordValues(1000, math.MaxInt64))
	many, err := h.Encode()
	require.NoError(t, err)
	_, err = bench.ReadLatencies(strings.NewReader("Tag=a/round=0,0,1,0.001003,"+string(many)), "x")
	require.ErrorContains(t, err, "x:1: the histogram: it has more samples than can be counted")

	one := ",0,1,0.001003," + encoded(t, time.Hour, 2)
	two := "Tag=a/round=0" + one + "\nTag=a/round=1" + one
	all, err := bench.ReadLog(strings.NewReader(two), "x", 2)
	require.NoError(t, err)
	require.Len(t, all, 2)
	_, err = bench.ReadLog(strings.NewReader(two), "x", 1)
	require.ErrorContains(t, err, "x:2: more than 1 buckets up to here; divide the file")
}

// Names have everything in them that a user calls a store.
func TestNamesComeBack(t *testing.T) {
	turn := one(t, &fake{}, upserts(1, 0), quick())
	for _, name := range []string{"wal,readers=2", "100%2C", "./a b/round=7 c,%", "größe"} {
		turn.Subject.Store = name
		all := readBack(t, turn)
		require.Len(t, all, 1)
		require.Contains(t, written(t, turn), all[0].Name)
	}
}

func TestTurnsComeBackInTheirOrder(t *testing.T) {
	first := one(t, &fake{}, upserts(1, 0), quick())
	second := one(t, &fake{}, upserts(2, 9), quick())
	second.Round = 1
	all := see(readBack(t, second, first))
	require.Equal(t, "Upsert/store=fake/clients=2/rate=9", all[0].Name)
	require.Equal(t, "Upsert/store=fake/clients=1", all[1].Name)
	require.Empty(t, cmp.Diff([]int{1, 0}, []int{all[0].Round, all[1].Round}))
	require.ErrorContains(t, bench.WriteLatencies(full{}, []*bench.Turn{first}),
		"write latencies: no space left")
}

// What can be read is written and read again as it was.
func FuzzReadLatencies(f *testing.F) {
	good := encoded(f, time.Hour, 2)
	f.Add("Tag=Get/store=a%2Cb%0A/round=7,0,0.25,0.001003," + good)
	f.Add("Tag=a/round=1,0,0.1,1," + good[:20])
	f.Add("#\nTag=a/round=0,0,3600,0.001003," + encoded(f, time.Hour, 5))
	f.Fuzz(func(t *testing.T, text string) {
		all, err := bench.ReadLatencies(strings.NewReader(text), "x")
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		var log bytes.Buffer
		require.NoError(t, bench.WriteLog(&log, all))
		again, err := bench.ReadLatencies(&log, "y")
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(see(all), see(again)))
	})
}
