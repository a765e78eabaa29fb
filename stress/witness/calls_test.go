package witness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memrace/stress/history"
	"memrace/stress/witness"
)

const someCalls = `1 2 c1 add "s" "" v1.0 ok
	3 4 c2 items "s" "" v1.0 ok
	3 4 c2 items "s" "" v1.1 ok
	3 4 c2 items "s" "" v1.2 ok
	3 4 c2 items "s" "" v1.3 ok
	3 4 c3 list "s" "k0" v3.0 ok
	3 4 c3 list "s" "k 1" - ok
	3 4 c3 list "s" "" - ok
	5 6 c2 items "s" "" - ok
	7 8 c1 list "s" "k0" v3.0 ok`

func TestCalls(t *testing.T) {
	h := parse(t, someCalls)
	for _, c := range []struct {
		name   string
		ops    []int
		want   [][]int
		labels []string
		why    string
	}{
		{"all", everything(h), [][]int{{0}, {1, 2, 3, 4}, {5, 6, 7}, {8}, {9}},
			[]string{`add "s" v1.0`, `items "s": v1.0 v1.1 v1.2 v1.3`,
				`list "s": k0 v3.0, "k 1" -, "" -`, `items "s": nothing`, `list "s": k0 v3.0`},
			"a call is one bar"},
		{"first and last", []int{1, 4, 5, 7}, [][]int{{1, 4}, {5, 7}},
			[]string{`items "s": v1.0 ... v1.3`, `list "s": k0 v3.0, ..., "" -`},
			"what is left out between shows"},
		{"middle", []int{2, 3, 6}, [][]int{{2, 3}, {6}},
			[]string{`items "s": ... v1.1 v1.2 ...`, `list "s": ..., "k 1" -, ...`},
			"and so does what is left out at the ends"},
		{"one slot", []int{0, 4, 8}, [][]int{{0}, {4}, {8}},
			[]string{`add v1.0`, `items "s": ... v1.3`, `items "s": nothing`},
			"calls of one client are apart even if nothing between is given"},
		{"none", nil, nil, nil, "no operations are no calls"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, witness.Calls(h, c.ops)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.why, diff)
			}
			drawing := witness.Draw(h, c.ops, 1000)
			for _, label := range c.labels {
				if !strings.Contains(drawing, " "+label+" ") {
					t.Errorf("%s: no %s in\n%s", c.why, label, drawing)
				}
			}
		})
	}
}

// drawCalls draws a history of clients that make one call after the other, of one line or several
// each, and some of its operations.
func drawCalls(t *rapid.T) (h *history.History, ops []int) {
	h = &history.History{Values: []history.Value{0}}
	for i := range uint32(4) {
		key := fmt.Sprint("k", i)
		h.Slots = append(h.Slots, history.Slot{Session: "s", Key: key})
		h.Values = append(h.Values, history.TagValue(1, i))
	}
	free := map[history.Client]int64{}
	now := int64(0)
	for range rapid.IntRange(1, 12).Draw(t, "calls") {
		client := history.Client(rapid.IntRange(0, 3).Draw(t, "client"))
		now = max(now+rapid.Int64Range(0, 9).Draw(t, "later"), free[client])
		op := history.Op{Call: now, Return: now + rapid.Int64Range(0, 30).Draw(t, "length"),
			Client: client, Outcome: history.OK}
		act := rapid.SampledFrom([]history.Act{
			{Kind: history.Get}, {Kind: history.Get, Whole: true},
			{Kind: history.Delete, Whole: true}, {Kind: history.Items, Whole: true},
		}).Draw(t, "act")
		op.Kind, op.Whole = act.Kind, act.Whole
		free[client] = op.Return + 1
		lines := 1
		if op.Whole {
			lines = rapid.IntRange(1, 4).Draw(t, "lines")
		}
		for i := range lines {
			if op.Slot = uint32(i); op.Kind == history.Items {
				op.Slot = 0
			}
			if op.Kind != history.Delete {
				op.Value = history.ValueID(rapid.IntRange(0, 4).Draw(t, "value"))
			}
			if h.Ops = append(h.Ops, op); rapid.IntRange(0, 3).Draw(t, "given") > 0 {
				ops = append(ops, len(h.Ops)-1)
			}
		}
	}
	return h, ops
}

// Clients that make one call after the other have one lane each, in which each call has one bar:
// bars of a client never overlap, whichever operations of its calls are drawn.
func TestCallsAreOneBarEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, ops := drawCalls(t)
		type call struct {
			client history.Client
			at     int64
		}
		calls, clients := map[call]bool{}, map[history.Client]int{}
		for _, i := range ops {
			c := call{h.Ops[i].Client, h.Ops[i].Call}
			if !calls[c] {
				calls[c] = true
				clients[c.client]++
			}
		}
		drawing := witness.Draw(h, ops, 10_000)
		if len(ops) == 0 {
			return
		}
		panels, _ := lanesOf(drawing)
		if len(panels) != 1 || len(panels[0]) != len(clients) {
			t.Fatalf("%d clients:\n%s", len(clients), drawing)
		}
		for _, lane := range panels[0] {
			var client history.Client
			_, _ = fmt.Sscanf(lane, "c%d ", &client)
			bars := 0
			for _, name := range []string{" get", " list", " clear", " items"} {
				bars += strings.Count(lane, name)
			}
			if bars != clients[client] {
				t.Fatalf("%d bars of %d calls of %v:\n%s", bars, clients[client], client, drawing)
			}
		}
	})
}
