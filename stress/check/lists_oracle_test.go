package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memrace/stress/check"
	"memrace/stress/history"
)

// listMaker makes the history of one list. Slot 0 is the list, slot 1 that of another session.
type listMaker struct {
	source
	ops    []history.Op
	points []int // twice the time at which each takes effect; -1: never
	final  bool
	faults int // of 8 reads and adds, how many go wrong
}

const listSpan = 12

// makeList makes a history whose calls take effect at one instant each, except for the faults.
func makeList(s source) *history.History {
	m := &listMaker{source: s, final: s.below(3) == 0, faults: s.below(4)}
	most := 8
	if m.final {
		most = 6
	}
	for range 2 + m.below(most-1) {
		m.addCall()
	}
	if m.final {
		m.readAfter()
	}
	h := &history.History{
		Slots:  []history.Slot{{Session: "s"}, {Session: "other"}},
		Values: []history.Value{0},
	}
	for i := range m.ops {
		h.Values = append(h.Values, history.TagValue(1, uint32(i)))
	}
	h.Ops = m.play()
	return h
}

func (m *listMaker) addCall() {
	call := int64(m.below(listSpan))
	op := history.Op{
		Call: call, Return: call + int64(m.below(6)), Client: history.Client(len(m.ops)),
		Kind: history.Add, Value: history.ValueID(len(m.ops) + 1), Outcome: history.OK,
	}
	point := 2*int(op.Call) + m.below(2*int(op.Return-op.Call)+1)
	switch m.below(12) {
	case 0:
		op.Outcome = history.NotApplied
		point = -1
	case 1, 2:
		op.Outcome = history.Unknown
		if point = 2*int(op.Call) + m.below(2*listSpan); m.below(2) == 0 {
			point = -1
		}
	case 3:
		op.Slot = 1
	}
	if m.below(2) == 0 {
		op.Kind, op.Value, op.Whole, op.Slot = history.Items, history.None, true, 0
	}
	m.ops, m.points = append(m.ops, op), append(m.points, point)
}

func (m *listMaker) readAfter() {
	at := int64(listSpan + 8)
	for _, client := range []history.Client{history.Final, history.Reopened} {
		m.ops = append(m.ops, history.Op{
			Call: at, Return: at + 1, Client: client, Kind: history.Items, Whole: true,
			Outcome: history.OK,
		})
		m.points = append(m.points, 2*int(at))
		at += 2
	}
}

// play plays the calls in the order of their instants and returns the operations of all.
func (m *listMaker) play() (all []history.Op) {
	order := make([]int, len(m.ops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return m.points[a] - m.points[b] })
	var list []history.ValueID
	found := make([][]history.ValueID, len(m.ops))
	for _, i := range order {
		op := &m.ops[i]
		switch {
		case op.Kind == history.Items:
			found[i] = m.read(list)
		case m.points[i] >= 0 && op.Slot == 0 && (m.faults == 0 || m.below(24) >= m.faults):
			list = append(list, op.Value)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(m.ops[a].Call - m.ops[b].Call) })
	for _, i := range order {
		op := m.ops[i]
		if op.Kind == history.Add || op.Outcome != history.OK || len(found[i]) == 0 {
			all = append(all, op)
			continue
		}
		for _, op.Value = range found[i] {
			all = append(all, op)
		}
	}
	return all
}

// read returns what a read finds, which may be wrong.
func (m *listMaker) read(list []history.ValueID) []history.ValueID {
	list = slices.Clone(list)
	if m.below(8) >= m.faults || len(list) == 0 {
		return list
	}
	at := m.below(len(list))
	switch m.below(9) {
	case 0:
		return slices.Delete(list, at, at+1)
	case 1:
		list[at], list[0] = list[0], list[at]
	case 2:
		return append(list, list[at])
	case 3:
		return list[:at]
	case 4:
		return slices.Insert(list, at, history.ValueID(1+m.below(len(m.ops))))
	case 5:
		return list[at:]
	}
	return append(list, history.ValueID(1+m.below(len(m.ops))))
}

// TestOracleLists compares verdicts on small random histories of a list with those of an
// exhaustive search, and holds each accusation to what it claims.
func TestOracleLists(t *testing.T) {
	n := oracleRuns(t, 200_000)
	found := map[string]int{}
	for i := range n {
		h := makeList(randomSource{rand.New(rand.NewPCG(3, uint64(i)))})
		result, err := compareList(h)
		if err != nil {
			t.Fatalf("history %d: %v\n%s", i, err, lines(h))
		}
		found[result]++
	}
	t.Logf("%d histories of lists compared with brute force: %v", n, found)
	for _, what := range []string{
		"legal", "lost item", "doubled item", "reordered items", "stale read",
		"read before its write", "lost write", "lost write after reopen",
	} {
		if found[what] < n/1000 {
			t.Errorf("only %d of %d histories are %s, which compares little", found[what], n, what)
		}
	}
}

// TestOracleListsProperty does the same with histories that are made smaller when they fail.
func TestOracleListsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &byteSource{rapid.SliceOfN(rapid.Byte(), 1, 80).Draw(t, "choices")}
		h := makeList(s)
		if _, err := compareList(h); err != nil {
			t.Fatalf("%v\n%s", err, lines(h))
		}
	})
}

// compareList returns what the history is, or an error if the verdicts are wrong.
func compareList(h *history.History) (string, error) {
	base := legalList(listCalls(h, func(op history.Op) bool { return op.Client.Numbered() }))
	final := legalList(listCalls(h, func(op history.Op) bool {
		return op.Client != history.Reopened
	}))
	all := legalList(listCalls(h, func(history.Op) bool { return true }))
	verdicts := verdictsOf(h)
	linear, last := verdicts[check.Linearizability], verdicts[check.FinalValue]
	if (linear.State == check.Violated) == base {
		return "", fmt.Errorf("linearizability is %v, brute force says %v", linear, base)
	}
	if (last.State == check.Violated) != (base && !all) {
		return "", fmt.Errorf("final is %v, brute force says %v %v", last, base, all)
	}
	if err := checkHalves(h); err != nil {
		return "", err
	}
	found := slices.Concat(linear.Violations, last.Violations)
	if len(found) == 0 {
		return "legal", nil
	}
	v := found[0] // there is one list, which is wrong once
	if err := checkListProof(h, v); err != nil {
		return "", err
	}
	reopened := v.Anomaly == check.LostAfterReopen
	if reopened && !final || v.Anomaly == check.LostWrite && final {
		return "", fmt.Errorf("%v, but brute force says %v before reopening", v, final)
	}
	return string(v.Anomaly), nil
}

// checkHalves checks that whatever Explain says of a part of a history is true of it all.
func checkHalves(h *history.History) error {
	for half := range 2 {
		var ops []int
		for i := half; i < len(h.Ops); i += 2 {
			ops = append(ops, i)
		}
		v, found := check.Explain(h, ops)
		order := v.Property == check.Linearizability || v.Property == check.FinalValue
		if found && order && legalList(proofCalls(h, v.Ops)) {
			return fmt.Errorf("Explain finds %q in %v, which is no proof", v.Sentence, ops)
		}
	}
	return nil
}

// checkListProof checks that the calls that a violation names are wrong by themselves, and that
// Explain says so in the same words.
func checkListProof(h *history.History, v check.Violation) error {
	if len(v.Ops) > 6 || legalList(proofCalls(h, v.Ops)) {
		return fmt.Errorf("the proof %v of %q is no proof", v.Ops, v.Sentence)
	}
	if strings.Contains(v.Sentence, " 0ns") || strings.Contains(v.Sentence, " -") {
		return fmt.Errorf("%q says that one was not earlier than the other", v.Sentence)
	}
	again, _ := check.Explain(h, v.Ops)
	if diff := cmp.Diff(v, again); diff != "" {
		return fmt.Errorf("Explain differs (-Judge +Explain):\n%s", diff)
	}
	if units := check.Units(h, v.Ops); len(units) > 0 {
		return fmt.Errorf("units %v of operations on lists", units)
	}
	return nil
}

// TestListsAndSlotsApart has lists and slots with the same numbers in one history: each must be
// judged as if it were alone, although they even share values.
func TestListsAndSlotsApart(t *testing.T) {
	want, got := [2]int{}, 0
	for seed := range uint64(2000) {
		random := randomSource{rand.New(rand.NewPCG(4, seed))}
		list, slot := makeList(random), makeHistory(random, shapes[seed%8])
		both := *list
		if len(slot.Values) > len(both.Values) {
			both.Values = slot.Values
		}
		both.Ops = slices.Concat(list.Ops, slot.Ops)
		for i := range slot.Ops {
			if op := &both.Ops[len(list.Ops)+i]; op.Client.Numbered() {
				op.Client += 100
			}
		}
		slices.SortStableFunc(both.Ops, func(a, b history.Op) int { return int(a.Call - b.Call) })
		for i, h := range []*history.History{list, slot} {
			want[i] += verdictsOf(h)[check.Linearizability].Count
		}
		got += verdictsOf(&both)[check.Linearizability].Count
	}
	if want[0] == 0 || want[1] == 0 || want[0]+want[1] != got {
		t.Errorf("%d violations of lists and %d of slots, but %d together", want[0], want[1], got)
	}
}
