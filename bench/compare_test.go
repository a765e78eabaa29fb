package bench_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
)

// lines are ten lines of a benchmark, with values around the one that is given.
func lines(name string, around float64, unit string) string {
	var text strings.Builder
	for i := range 10 {
		fmt.Fprintf(&text, "Benchmark%s-2 10 %f %s\n", name, around*(1+float64(i)/1000), unit)
	}
	return text.String()
}

const units = "Unit ops/sec better=higher\nUnit p99-ns/op better=lower\n"

func results(t *testing.T, by string, files ...string) *bench.Results {
	t.Helper()
	r, err := bench.NewResults(by)
	require.NoError(t, err)
	for i, text := range files {
		require.NoError(t, r.Read(strings.NewReader(text), fmt.Sprintf("%c.txt", 'a'+i)))
	}
	return r
}

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		name        string
		unit        string
		old, new    float64
		worse       float64 // by how much
		significant bool
		why         string
	}{
		{"fewer operations", "ops/sec", 1000, 800, 0.2, true, "more are better"},
		{"more operations", "ops/sec", 1000, 1200, 0, true, "more are better"},
		{"later", "p99-ns/op", 1000, 1500, 0.5, true, "less is better"},
		{"sooner", "p99-ns/op", 1000, 500, 0, true, "less is better"},
		{"as many", "ops/sec", 1000, 1000.1, 0, false, "they overlap"},
		{"errors at last", "p99-ns/op", 0, 5, math.Inf(1), true, "there were none"},
		{"of no matter", "things", 1000, 500, 0, true, "nobody says what is better"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := results(t, "", units+lines("A", c.old, c.unit), units+lines("A", c.new, c.unit))
			tables, err := r.Tables(c.unit)
			require.NoError(t, err)
			require.Len(t, tables, 1)
			row := tables[0].Rows[0]
			change := row.Estimates[1].Change(row.Estimates[0])
			require.Equal(t, c.significant, change.Significant, c.why)
			require.True(t, change.Decidable)
			worse := change.Worse(tables[0].Better)
			if math.IsInf(c.worse, 1) {
				require.True(t, math.IsInf(worse, 1), c.why)
			} else {
				require.InDelta(t, c.worse, worse, 1e-3, c.why)
			}
		})
	}
}

func TestColumnsByPartsOfNames(t *testing.T) {
	text := units + lines("A/store=wal/sync=full/clients=1", 10, "ops/sec") +
		lines("A/store=pool/sync=full/clients=1", 20, "ops/sec") +
		lines("A/store=pool/sync=full/clients=8", 30, "ops/sec")
	for _, c := range []struct {
		by   string
		want []string
		rows []string
	}{
		{"store", []string{"wal", "pool"},
			[]string{"A/sync=full/clients=1", "A/sync=full/clients=8"}},
		{"/store", []string{"wal", "pool"},
			[]string{"A/sync=full/clients=1", "A/sync=full/clients=8"}},
		{"store,sync", []string{"wal full", "pool full"}, []string{"A/clients=1", "A/clients=8"}},
	} {
		tables, err := results(t, c.by, text).Tables()
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(c.want, tables[0].Columns))
		var rows []string
		for _, row := range tables[0].Rows {
			rows = append(rows, row.Name)
		}
		require.Empty(t, cmp.Diff(c.rows, rows))
		require.Zero(t, tables[0].Rows[1].Estimates[0].N, "wal has no such line")
		require.Equal(t, 10, tables[0].Rows[1].Estimates[1].N)
	}
}

// How many processors a machine has is part of a name that go test makes, but of no benchmark.
func TestMachinesOfOtherSizesAreCompared(t *testing.T) {
	r := results(t, "", "machine: two\n"+lines("A", 1, "ns/op"),
		"machine: four\n"+strings.ReplaceAll(lines("A", 2, "ns/op"), "A-2", "A-4"))
	tables, err := r.Tables()
	require.NoError(t, err)
	require.Len(t, tables[0].Rows, 1)
	require.Equal(t, []string{"machine differs:\n  a.txt: machine: two\n  b.txt: machine: four"},
		r.Warnings())
	r = results(t, "", "machine: two\n"+lines("A", 1, "ns/op"), lines("A", 1, "ns/op"))
	require.Equal(t, []string{"machine differs:\n  a.txt: machine: two\n" +
		"  b.txt: machine: (not there)"}, r.Warnings())
}

func TestNothingToCompare(t *testing.T) {
	for _, c := range []struct {
		name, by string
		files    []string
		units    []string
		want     string
	}{
		{"other units", "", []string{lines("A", 1, "ops/s"), lines("A", 1, "ops/sec")}, nil,
			"a.txt has A in ops/s; b.txt has A in ops/sec"},
		{"other names", "", []string{lines("A", 1, "x"), lines("B", 1, "x")}, nil,
			"a.txt has A in x; b.txt has B in x"},
		{"one column", "store", []string{lines("A/store=wal", 1, "x")}, nil, "there is only"},
		{"no such part", "stor", []string{lines("A/store=wal", 1, "x")}, nil,
			"no name has such a part; one is A/store=wal"},
		{"no such unit", "", []string{lines("A", 1, "x"), lines("A", 1, "x")}, []string{"y"},
			"nothing is in y; the units are x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := results(t, c.by, c.files...).Tables(c.units...)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestEstimates(t *testing.T) {
	for _, c := range []struct {
		name     string
		values   []float64
		median   float64
		spread   string
		interval bool
	}{
		{"none", nil, 0, "±?", false},
		{"one", []float64{7}, 7, "±?", false},
		{"five", []float64{1, 2, 3, 4, 5}, 3, "±?", false},
		{"six", []float64{95, 96, 97, 103, 104, 110}, 100, "±10%", true},
		{"all alike", []float64{5, 5, 5, 5, 5, 5}, 5, "±0%", true},
		{"around nothing", []float64{-3, -2, 0, 0, 2, 3}, 0, "±∞", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := bench.NewEstimate(c.values)
			require.Equal(t, len(c.values), e.N)
			require.Equal(t, c.median, e.Median)
			require.Equal(t, c.spread, e.Spread())
			require.Equal(t, c.interval, e.Interval())
		})
	}
}

// Too few values can never make a difference significant, however large it is.
func TestDecidable(t *testing.T) {
	few, three := []float64{1}, []float64{1, 2, 3}
	ten := []float64{11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	for _, c := range []struct {
		name     string
		old, new []float64
		want     bool
	}{
		{"one and one", few, few, false},
		{"three and three", three, three, false},
		{"three and ten", three, ten, true},
		{"one and ten", few, ten, false},
		{"four and four", ten[:4], []float64{1, 2, 3, 4}, true},
	} {
		change := bench.NewEstimate(c.new).Change(bench.NewEstimate(c.old))
		require.Equal(t, c.want, change.Decidable, c.name)
		if !c.want {
			require.False(t, change.Significant, c.name)
		}
	}
	change := bench.NewEstimate(ten[:4]).Change(bench.NewEstimate([]float64{1, 2, 3, 4}))
	require.True(t, change.Significant, "so few, but none of one among the others")
}
