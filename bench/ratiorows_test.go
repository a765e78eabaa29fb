package bench_test

import (
	"math"
	"testing"
	"time"

	"memrace/bench"
	"memrace/store/sqlite"
	"memrace/stress/workload"
)

// experiment is turns that are measured together, and what is wanted of them.
type experiment struct {
	name string
	// flushes is true where the ratios say nothing unless a flush takes its time.
	flushes  bool
	load     bench.Load
	lasts    time.Duration
	subjects []bench.Subject
	rows     []row
}

// row is a row of the table.
type row struct {
	bench.Ratio
	// absolute is true for what is no ratio but a time, which fails nothing.
	absolute bool
	of       func([]bench.Round) bench.Estimate
}

// The programs that make builds.
const (
	cLoopFile   = "../bin/cloop"
	memraceFile = "../bin/memrace"
	raceFile    = "../bin/memrace-race"
)

func more(name string, goal, floor float64) bench.Ratio {
	return bench.Ratio{Name: name, Goal: goal, Floor: floor}
}

func less(name string, goal, floor float64) bench.Ratio {
	return bench.Ratio{Name: name, Goal: goal, Floor: floor, Lower: true}
}

// beside is the row of a number of one store beside that of another.
func beside(r bench.Ratio, a, b string, number func(*bench.Turn) float64) row {
	return row{Ratio: r, of: func(rounds []bench.Round) bench.Estimate {
		return bench.Ratios(rounds, a, b, number)
	}}
}

// alone is the row of a number of one store.
func alone(r bench.Ratio, store string, number func(*bench.Turn) float64) row {
	return row{Ratio: r, of: func(rounds []bench.Round) bench.Estimate {
		return bench.Numbers(rounds, func(r bench.Round) float64 { return number(r[store]) })
	}}
}

var perSecond = (*bench.Turn).PerSecond

// p99 is in milliseconds.
func p99(t *bench.Turn) float64 {
	if d := t.All().Latency(99); d > 0 {
		return float64(d) / float64(time.Millisecond)
	}
	return math.NaN()
}

func fairness(t *bench.Turn) float64 { return float64(t.Fewest) / float64(t.Most) }

func failing(t *bench.Turn) float64 {
	all := t.All()
	return float64(all.Failed()) / float64(all.Failed()+all.OK)
}

func loadOf(clients int, mix workload.Mix) bench.Load {
	return bench.Load{Clients: clients, Mix: mix}
}

var (
	upsertOnly = workload.Mix{Upsert: 1}
	getOnly    = workload.Mix{Get: 1}
	mixedLoad  = workload.Mix{Upsert: 45, Get: 50, Delete: 5}
)

// experiments are those of all rows that turns can tell of.
func experiments(t *testing.T) []experiment {
	return append(writing(t), []experiment{
		{name: "gets, 64 clients", load: loadOf(64, getOnly), lasts: 500 * time.Millisecond,
			subjects: []bench.Subject{variant(t, "wal", "wal"),
				variant(t, "wal-batch", "wal-batch"), cLoop(cLoopFile, "normal")},
			rows: []row{
				beside(more("wal / C loop, gets, 64 clients", 0.8, 0.4),
					"wal", "c-loop", perSecond),
				{Ratio: less("p99 of these gets of wal, ms", 1, 1), absolute: true,
					of: alone(bench.Ratio{}, "wal", p99).of},
			}},
		{name: "mixed, 8 clients, by a program of its own", load: loadOf(8, mixedLoad),
			lasts: 500 * time.Millisecond,
			subjects: []bench.Subject{ofMemrace("plain", memraceFile, "wal"),
				ofMemrace("race", raceFile, "wal")},
			rows: []row{beside(less("slowdown by -race, wal, mixed, 8 clients", 2, 3),
				"plain", "race", perSecond)}},
		{name: "mixed, 8 clients", load: loadOf(8, mixedLoad), lasts: 200 * time.Millisecond,
			subjects: variants(t)},
		{name: "upserts, 64 clients, FULL, a pool that reads first", flushes: true,
			load: loadOf(64, upsertOnly), lasts: 500 * time.Millisecond,
			subjects: []bench.Subject{{Store: reader, Open: openReadThenWrite}},
			rows: []row{alone(more("failed / tried, pool that reads first (a control)", 0.5, 0.5),
				reader, failing)}},
	}...)
}

// counted is the experiment that counts commits, for which a layer lies below SQLite.
func counted(t *testing.T) experiment {
	perCommit := func(t *bench.Turn) float64 { return float64(t.All().Done) / float64(t.Commits) }
	return experiment{name: "upserts, 64 clients, FULL, commits counted", flushes: true,
		load: loadOf(64, upsertOnly), lasts: 500 * time.Millisecond,
		subjects: []bench.Subject{variant(t, "wal-batch", "wal-batch,synchronous=full")},
		rows: []row{alone(more("upserts / commit, wal-batch, 64 clients (counted)", 45, 20),
			"wal-batch", perCommit)}}
}

// writing are the experiments in which stores with different ways to commit differ.
func writing(t *testing.T) []experiment {
	full := []bench.Subject{variant(t, "wal", "wal,synchronous=full"),
		variant(t, "wal-batch", "wal-batch,synchronous=full")}
	return []experiment{
		{name: "upserts, 64 clients, FULL", flushes: true, load: loadOf(64, upsertOnly),
			// In a longer turn the clients that a pool starves would be fewer than one call in 100.
			lasts: time.Second,
			subjects: append(full[:2:2], cLoop(cLoopFile, "full"),
				variant(t, "wal-pool-64", "wal-pool,writers=64,txlock=auto,synchronous=full")),
			rows: []row{
				beside(more("wal-batch / wal, upserts, 64 clients, FULL", 14, 8),
					"wal-batch", "wal", perSecond),
				beside(more("wal-batch / C loop, upserts, 64 clients, FULL", 12, 7),
					"wal-batch", "c-loop", perSecond),
				beside(more("wal / C loop, upserts, 64 clients, FULL", 0.8, 0.5),
					"wal", "c-loop", perSecond),
				beside(less("p99 of wal-batch / wal", 0.05, 0.2), "wal-batch", "wal", p99),
				beside(more("p99 of wal-pool-64 / wal-batch", 100, 20),
					"wal-pool-64", "wal-batch", p99),
				alone(more("fewest / most of a client, wal-batch", 0.9, 0.7),
					"wal-batch", fairness),
			}},
		{name: "upserts, 8 clients, FULL", flushes: true, load: loadOf(8, upsertOnly),
			lasts: time.Second, subjects: full,
			rows: []row{beside(more("wal-batch / wal, upserts, 8 clients, FULL", 4.5, 2.5),
				"wal-batch", "wal", perSecond)}},
		{name: "upserts, 64 clients, NORMAL", load: loadOf(64, upsertOnly), flushes: true,
			lasts: time.Second,
			subjects: []bench.Subject{variant(t, "wal", "wal"),
				variant(t, "wal-batch", "wal-batch"), cLoop(cLoopFile, "normal")},
			rows: []row{
				beside(more("wal-batch / wal, upserts, 64 clients, NORMAL", 2.4, 1.8),
					"wal-batch", "wal", perSecond),
				beside(more("wal / C loop, upserts, 64 clients, NORMAL", 0.7, 0.4),
					"wal", "c-loop", perSecond),
			}},
	}
}

// variants are all right ones.
func variants(t *testing.T) (subjects []bench.Subject) {
	for _, v := range sqlite.Variants() {
		subjects = append(subjects, variant(t, v.Name, v.Name))
	}
	return subjects
}
