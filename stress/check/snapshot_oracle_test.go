package check_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/stress/check"
	"memrace/stress/history"
)

// gone is the time of a client that makes no more calls.
const gone = 1 << 40

// event is the instant at which a deed takes effect, or does so for one key.
type event struct {
	at   int64
	deed int
	key  int // -1 for all of it
}

// drawDeeds draws a history in which all is right but that some calls on the whole session take
// effect for one key after the other; and the order of its commits.
func drawDeeds(r *rand.Rand, keys int, kinds []history.Act) (deeds []deed, commits []store.Commit) {
	clients := make([]int64, 2+r.IntN(5))
	span := int64(4 + r.IntN(40))
	var events []event
	for range 4 + r.IntN(6) {
		c := r.IntN(len(clients))
		if clients[c] == gone {
			continue
		}
		d := deed{client: c, kind: kinds[r.IntN(len(kinds))], key: r.IntN(keys)}
		d.call = clients[c] + 1 + r.Int64N(3)
		d.ret = d.call + 1 + r.Int64N(span)
		clients[c] = d.ret
		if d.kind.Kind.Writes() {
			d.value = len(deeds) + 1
		}
		d.unknown = d.kind.Kind != history.Get && r.IntN(6) == 0
		if d.unknown {
			clients[c] = gone
		}
		d.sees = slices.Repeat([]int{-1}, keys)
		events = append(events, d.events(r, len(deeds))...)
		deeds = append(deeds, d)
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	commits = play(deeds, events, keys)
	slices.SortStableFunc(deeds, func(a, b deed) int {
		return cmp.Or(cmp.Compare(a.call, b.call), cmp.Compare(a.client, b.client))
	})
	return deeds, commits
}

// events draws when the deed takes effect; never, for some that are unknown.
func (d *deed) events(r *rand.Rand, number int) (all []event) {
	instant := func() int64 { return d.call + r.Int64N(d.ret-d.call+1) }
	switch {
	case d.unknown && r.IntN(2) == 0:
		return nil
	case !d.kind.Whole || r.IntN(2) == 0:
		return []event{{instant(), number, -1}}
	}
	for key := range d.sees {
		all = append(all, event{instant(), number, key})
	}
	return all
}

// play makes the deeds see what they see, and returns the commits.
func play(deeds []deed, events []event, keys int) (commits []store.Commit) {
	state := make([]int, keys)
	for n, e := range events {
		d := deeds[e.deed]
		before := slices.Clone(d.sees)
		d.look(state)
		next, _ := d.after(state)
		for k := range keys {
			if e.key >= 0 && e.key != k {
				d.sees[k], next[k] = before[k], state[k]
			}
		}
		commits = append(commits, changes(int64(n), state, next)...)
		state = next
	}
	return commits
}

func changes(transaction int64, from, to []int) (commits []store.Commit) {
	for k := range from {
		if from[k] == to[k] {
			continue
		}
		c := store.Commit{Transaction: transaction, Session: "s", Key: keyName(k)}
		if c.Deleted = to[k] == 0; !c.Deleted {
			c.Value = valueName(to[k])
		}
		commits = append(commits, c)
	}
	return commits
}

func keyName(k int) string   { return string(rune('a' + k)) }
func valueName(v int) string { return strings.Repeat("x", v) }

// spoil changes one thing that a deed saw to another that was in that key at some time.
func spoil(r *rand.Rand, deeds []deed) {
	d := &deeds[r.IntN(len(deeds))]
	k := r.IntN(len(d.sees))
	if d.sees[k] < 0 || d.unknown {
		return
	}
	d.sees[k] = 0
	if other := deeds[r.IntN(len(deeds))]; other.value > 0 && other.key == k {
		d.sees[k] = other.value
	}
}

// historyOf writes the deeds down.
func historyOf(deeds []deed, keys int) *history.History {
	h := &history.History{Values: []history.Value{0}}
	for k := range keys {
		h.Slots = append(h.Slots, history.Slot{Session: "s", Key: keyName(k)})
	}
	for v := range len(deeds) + 1 {
		h.Values = append(h.Values, history.ForeignValue(v))
		h.Foreign = append(h.Foreign, valueName(v+1))
	}
	for _, d := range deeds {
		op := history.Op{Call: d.call, Return: d.ret, Client: history.Client(d.client),
			Kind: d.kind.Kind, Whole: d.kind.Whole, Outcome: history.OK}
		if d.unknown {
			op.Outcome, op.Return = history.Unknown, 0
		}
		for k := range keys {
			if !d.kind.Whole && d.key != k {
				continue
			}
			op.Slot, op.Value, op.Seen = uint32(k), history.ValueID(d.value), 0
			switch seen := max(d.sees[k], 0); {
			case d.unknown:
			case d.kind.Kind == history.Update:
				op.Seen = history.ValueID(seen)
			case d.kind.Kind.Reads():
				op.Value = history.ValueID(seen)
			}
			h.Ops = append(h.Ops, op)
		}
	}
	return h
}

func act(kind history.Kind, whole bool) history.Act { return history.Act{Kind: kind, Whole: whole} }

// TestSnapshotsOracle compares the verdict with trying all orders, on small histories that
// are right or have been spoiled.
func TestSnapshotsOracle(t *testing.T) {
	upsert, list := act(history.Upsert, false), act(history.Get, true)
	only := []history.Act{upsert, upsert, upsert, upsert, list, list, list, list,
		act(history.Get, false)}
	everything := append(only[:len(only):len(only)], act(history.Delete, true),
		act(history.Delete, false), act(history.Update, false), act(history.Take, false))
	for name, tt := range map[string]struct {
		kinds     []history.Act
		journaled bool
		exact     bool
		why       string
	}{
		"searched":  {everything, false, true, "a search is exact"},
		"journaled": {only, true, true, "writes have a position each"},
		"deletes":   {everything, true, false, "the commits do not say who deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			var right, wrong int
			for seed := range uint64(oracleRuns(t, 20_000)) {
				r := rand.New(rand.NewPCG(seed, 77))
				keys := 2 + r.IntN(2)
				deeds, commits := drawDeeds(r, keys, tt.kinds)
				for range r.IntN(3) {
					spoil(r, deeds)
				}
				h := historyOf(deeds, keys)
				state := snapshotOf(h, commits, tt.journaled)
				if state == check.Skipped || state == check.Undecided {
					continue
				}
				is := possible(deeds, keys, commits, tt.journaled)
				if is {
					right++
				} else {
					wrong++
				}
				if state == check.Violated || tt.exact {
					require.Equal(t, is, state == check.Holds, "%s: seed %d:\n%s\n%v", tt.why, seed,
						text(h), commits)
				}
			}
			require.Greater(t, right, 30)
			require.Greater(t, wrong, 30)
			t.Logf("%d right, %d wrong", right, wrong)
		})
	}
}

func snapshotOf(
	h *history.History, commits []store.Commit, journaled bool,
) check.State {
	e := history.Evidence{History: h, Commits: commits, Journaled: journaled}
	for _, v := range check.Judge(context.Background(), e, check.Options{}) {
		if v.Property == check.Snapshot {
			return v.State
		}
	}
	return check.Skipped
}

func text(h *history.History) string {
	var b strings.Builder
	for i := range h.Ops {
		b.WriteString(h.Line(i) + "\n")
	}
	return b.String()
}
