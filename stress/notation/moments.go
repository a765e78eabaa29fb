package notation

import (
	"cmp"
	"math"
	"slices"

	"memrace/stress/history"
)

// moment is a call or a return.
type moment struct {
	at int64
	op int
	// rank orders what is at one time. Calls have even ranks, returns odd ones.
	rank int
}

func (m moment) isReturn() bool { return m.rank%2 == 1 }

// moments returns the calls and returns of h in the order of time, each with the first operation
// of its call. Of those at one time the calls come first, since nobody knows which was first,
// unless a client returns and calls again. Calls stay in the order of the operations.
func moments(h *history.History) []moment {
	all := make([]moment, 0, 2*len(h.Ops))
	last := make(map[history.Client]moment) // the last return of each client
	var before moment                       // the last call
	for i := range h.Ops {
		if continues(h, i) {
			continue
		}
		op := &h.Ops[i]
		call := moment{at: op.Call, op: i}
		if l, returned := last[op.Client]; returned && l.at == op.Call {
			call.rank = l.rank + 1
		}
		if before.at == call.at {
			call.rank = max(call.rank, before.rank)
		}
		before = call
		all = append(all, call)
		if op.Outcome == history.Unknown {
			continue
		}
		ret := moment{at: op.Return, op: i, rank: 1}
		if op.Return == op.Call {
			ret.rank = call.rank + 1
		}
		all = append(all, ret)
		last[op.Client] = ret
	}
	slices.SortFunc(all, func(a, b moment) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank), cmp.Compare(a.op, b.op))
	})
	return all
}

// processes returns the process of each operation: its client's number, but another one while a
// call has not returned, and one for each of the reads after all clients are done, which may
// overlap.
func processes(h *history.History) []uint32 {
	free := newFree()
	for i := range h.Ops {
		free.use(h.Ops[i].Client)
	}
	of := make([]uint32, len(h.Ops))
	now := make(map[history.Client]busy)
	for i := range h.Ops {
		op := &h.Ops[i]
		b, known := now[op.Client]
		switch {
		case continues(h, i):
		case !op.Client.Numbered() || known && b.until > op.Call:
			b.process = free.next()
		case !known:
			b.process = op.Client
		}
		if b.until = op.Return; op.Outcome == history.Unknown {
			b.until = math.MaxInt64
		}
		of[i], now[op.Client] = uint32(b.process), b
	}
	return of
}

// busy is the process under which a client called last, and when that call returned.
type busy struct {
	process history.Client
	until   int64
}
