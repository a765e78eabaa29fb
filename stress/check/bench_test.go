package check_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"memrace/store"
	"memrace/stress/check"
	"memrace/stress/history"
)

// BenchmarkJudge measures operations judged on one core and several. Each history is right,
// since a wrong one is given up at the first fault.
func BenchmarkJudge(b *testing.B) {
	for _, size := range []struct{ ops, clients, slots int }{
		{10_000, 64, 1}, {100_000, 64, 1}, {1_000_000, 64, 1}, {1_000_000, 64, 1000},
		{1_000_000, 8, 100_000}, {4_000_000, 64, 1},
	} {
		name := fmt.Sprintf("ops=%d/clients=%d/slots=%d", size.ops, size.clients, size.slots)
		b.Run(name, func(b *testing.B) {
			h := rightHistory(size.ops, size.clients, size.slots)
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				judgeAll(b, h)
			}
			n := float64(b.N) * float64(size.ops)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/operation")
		})
	}
}

func judgeAll(b testing.TB, h *history.History) {
	evidence := history.Evidence{History: h}
	for _, v := range check.Judge(context.Background(), evidence, check.Options{}) {
		if v.State == check.Violated || v.State == check.Undecided {
			b.Fatal(v)
		}
	}
}

// rightHistory makes a history of n operations, half of them reads and 15 of 100 deletes, in
// which each operation takes effect at an instant between call and return.
func rightHistory(n, clients, slots int) *history.History {
	random := rand.New(rand.NewPCG(1, 2))
	h := &history.History{Values: []history.Value{0}}
	for s := range slots {
		h.Slots = append(h.Slots, history.Slot{Session: "s", Key: fmt.Sprint(s)})
	}
	values := make([]history.ValueID, slots)
	free := make([]int64, clients)
	for i := range n {
		at := int64(i+1) * 100
		client := random.IntN(clients)
		for free[client] >= at {
			client = random.IntN(clients)
		}
		op := history.Op{
			Call: max(free[client]+1, at-random.Int64N(100*int64(clients))), Outcome: history.OK,
			Return: at + random.Int64N(50*int64(clients)), Client: history.Client(client),
			Slot: uint32(random.IntN(slots)), Kind: history.Get,
		}
		free[client] = op.Return
		switch choice := random.IntN(100); {
		case choice < 35:
			op.Kind = history.Upsert
			h.Values = append(h.Values, history.TagValue(op.Client, uint32(i)))
			values[op.Slot] = history.ValueID(len(h.Values) - 1)
			op.Value = values[op.Slot]
		case choice < 50:
			op.Kind = history.Delete
			values[op.Slot] = history.None
		default:
			op.Value = values[op.Slot]
		}
		h.Ops = append(h.Ops, op)
	}
	slices.SortStableFunc(h.Ops, func(a, b history.Op) int { return int(a.Call - b.Call) })
	return h
}

// BenchmarkRows measures judging a dump with many slots and few operations on each.
func BenchmarkRows(b *testing.B) {
	h := rightHistory(400_000, 64, 200_000)
	evidence := history.Evidence{History: h, Dumped: true, Rows: rowsLeft(h)}
	b.ReportAllocs()
	for b.Loop() {
		for _, v := range check.Judge(context.Background(), evidence, check.Options{}) {
			if v.State == check.Violated || v.State == check.Undecided {
				b.Fatal(v)
			}
		}
	}
	b.ReportMetric(float64(len(evidence.Rows)), "rows")
}

// rowsLeft returns the rows that a right history leaves, if writes took effect in its order.
func rowsLeft(h *history.History) (rows []store.Row) {
	last := make([]history.ValueID, len(h.Slots))
	for _, op := range h.Ops {
		if op.Kind != history.Get {
			last[op.Slot] = op.Value
		}
	}
	for i, slot := range h.Slots {
		if client, step, ok := h.Values[last[i]].Tag(); ok {
			tag := history.Tag{Run: 1, Slot: uint32(i), Client: client, Step: step}
			rows = append(rows, row(slot.Session, slot.Key, string(tag.Append(nil, 30))))
		}
	}
	return rows
}

// busyHistory makes a history like rightHistory of one slot, in which each client has a call under
// way nearly all the time, as clients of a store in a closed loop have.
func busyHistory(n, clients int) *history.History {
	random := rand.New(rand.NewPCG(3, 4))
	h := &history.History{
		Values: []history.Value{0}, Slots: []history.Slot{{Session: "s", Key: "k"}},
	}
	free, points := make([]int64, clients), make([]int64, 0, n)
	for i := range n {
		client := i % clients
		op := history.Op{Call: free[client] + 1 + random.Int64N(20), Client: history.Client(client),
			Outcome: history.OK, Kind: history.Get}
		op.Return = op.Call + 200 + random.Int64N(1000)
		free[client] = op.Return
		points = append(points, op.Call+random.Int64N(op.Return-op.Call+1))
		switch choice := random.IntN(100); {
		case choice < 35:
			op.Kind = history.Upsert
			h.Values = append(h.Values, history.TagValue(op.Client, uint32(i)))
			op.Value = history.ValueID(len(h.Values) - 1)
		case choice < 50:
			op.Kind = history.Delete
		}
		h.Ops = append(h.Ops, op)
	}
	playAt(h.Ops, points)
	slices.SortStableFunc(h.Ops, func(a, b history.Op) int { return int(a.Call - b.Call) })
	return h
}

// playAt lets each operation take effect at its point, so that reads find what is there.
func playAt(ops []history.Op, points []int64) {
	order := make([]int, len(ops))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(points[a] - points[b]) })
	value := history.None
	for _, i := range order {
		if ops[i].Kind == history.Get {
			ops[i].Value = value
		} else {
			value = ops[i].Value
		}
	}
}
