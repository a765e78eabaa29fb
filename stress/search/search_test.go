package search_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"memrace/stress/search"
)

// The actions of register, each with two small numbers.
const (
	read = iota
	write
	swap    // from the first number to the second
	mistake // a swap that failed since the register was not what it was taken for
)

func action(kind, a, b int32) int32 { return kind<<16 | a<<8 | b }

// register keeps a small number.
type register struct{}

func (register) Step(s search.State, action int32) (search.State, bool) {
	a, b := search.State(action>>8&255), search.State(action&255)
	switch action >> 16 {
	case read:
		return s, s == a
	case write:
		return a, true
	case swap:
		return b, s == a
	}
	return s, s != a
}

func (register) Changes(action int32) bool {
	kind, a, b := action>>16, action>>8&255, action&255
	return kind == write || kind == swap && a != b
}

func op(call, ret int64, action int32) search.Op {
	return search.Op{Call: call, Return: ret, Action: action}
}

func unknown(call int64, action int32) search.Op {
	return search.Op{Call: call, Unknown: true, Action: action}
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name string
		ops  []search.Op
		want search.Verdict
		why  string
	}{
		{"nothing", nil, search.Found, "there is nothing to put in order"},
		{"first state", []search.Op{op(1, 2, action(read, 0, 0))}, search.Found, "it starts in 0"},
		{"from nowhere", []search.Op{op(1, 2, action(read, 1, 0))}, search.None, "nobody wrote 1"},
		{"repeated value", []search.Op{
			op(1, 2, action(write, 1, 0)), op(3, 4, action(write, 2, 0)),
			op(5, 6, action(write, 1, 0)), op(7, 8, action(read, 1, 0)),
		}, search.Found, "1 was written again"},
		{"stale", []search.Op{
			op(1, 2, action(write, 1, 0)), op(3, 4, action(write, 2, 0)),
			op(5, 6, action(read, 1, 0)),
		}, search.None, "2 had been written over it"},
		{"touching", []search.Op{
			op(1, 2, action(write, 1, 0)), op(2, 3, action(write, 2, 0)),
			op(4, 5, action(read, 1, 0)),
		}, search.Found, "what touches may be in either order"},
		{"unknown took effect", []search.Op{
			unknown(1, action(write, 1, 0)), op(5, 6, action(read, 0, 0)),
			op(7, 8, action(read, 1, 0)),
		}, search.Found, "late, but it did"},
		{"unknown cannot come back", []search.Op{
			unknown(1, action(write, 1, 0)), op(5, 6, action(read, 1, 0)),
			op(7, 8, action(write, 2, 0)), op(9, 10, action(read, 1, 0)),
		}, search.None, "one write takes effect once"},
		{"two unknown ones", []search.Op{
			unknown(1, action(write, 1, 0)), unknown(2, action(write, 1, 0)),
			op(5, 6, action(read, 1, 0)),
			op(7, 8, action(write, 2, 0)), op(9, 10, action(read, 1, 0)),
		}, search.Found, "each took effect once"},
		{"unknown before its call", []search.Op{
			op(1, 2, action(read, 1, 0)), unknown(3, action(write, 1, 0)),
		}, search.None, "nothing takes effect before it is called"},
		{"swap that failed", []search.Op{
			op(1, 2, action(write, 1, 0)), op(3, 4, action(mistake, 1, 0)),
		}, search.None, "it would have succeeded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := search.Order(c.ops, register{}, 1000)
			require.Equal(t, c.want, got.Verdict, c.why)
			requireProof(t, c.ops, got)
		})
	}
}

func TestOrderSaysWhyItGivesUp(t *testing.T) {
	var ops []search.Op
	for i := range int32(12) {
		ops = append(ops, op(0, 100, action(write, i%6, 0)))
	}
	ops = append(ops, op(101, 102, action(read, 7, 0)))
	got := search.Order(ops, register{}, 10)
	require.Equal(t, search.OutOfBudget, got.Verdict)
	require.Equal(t, "the search for an order gave up after 10 states", got.Reason)
	for range 300 {
		ops = append(ops, op(0, 100, action(write, 1, 0)))
	}
	got = search.Order(ops, register{}, 10)
	require.Equal(t, search.OutOfBudget, got.Verdict)
	require.Contains(t, got.Reason, "312 operations are under way at once")
}

// requireProof plays a found order back.
func requireProof(t *testing.T, ops []search.Op, r search.Result) {
	t.Helper()
	if r.Verdict != search.Found {
		require.Empty(t, r.Order)
		return
	}
	seen := map[int]bool{}
	var state search.State
	latest := int64(math.MinInt64)
	for _, i := range r.Order {
		require.False(t, seen[i], "operation %d comes twice", i)
		seen[i] = true
		next, allowed := register{}.Step(state, ops[i].Action)
		require.True(t, allowed, "operation %d is not allowed", i)
		state = next
		require.True(t, ops[i].Unknown || ops[i].Return >= latest, "operation %d is late", i)
		latest = max(latest, ops[i].Call)
	}
	for i, o := range ops {
		require.True(t, o.Unknown || seen[i], "operation %d is missing", i)
	}
}

// draw makes n operations whose values repeat, in an order that the register allows, unless
// wrong says that one of three is to be changed at random.
func draw(r *rand.Rand, n, values int, span int64, wrong bool) []search.Op {
	points := make([]int64, n)
	for i := range points {
		points[i] = r.Int64N(span)
	}
	slices.Sort(points)
	var ops []search.Op
	var state search.State
	for _, at := range points {
		a, b := r.Int32N(int32(values)), r.Int32N(int32(values))
		kind := r.Int32N(3)
		switch {
		case wrong && r.IntN(3) == 0:
			kind = r.Int32N(4)
		case kind == read:
			a = int32(state)
		case kind == swap && search.State(a) != state:
			kind = mistake
		}
		if next, allowed := (register{}).Step(state, action(kind, a, b)); allowed {
			state = next
		}
		wide := min(span/4, 60)
		o := op(at-r.Int64N(wide+1), at+r.Int64N(wide+1), action(kind, a, b))
		o.Unknown = r.IntN(8) == 0
		ops = append(ops, o)
	}
	r.Shuffle(n, func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	return ops
}

// bruteForce tries every order of every choice of the unknown operations.
func bruteForce(ops []search.Op, state search.State, left []int) bool {
	done := true
	for k, i := range left {
		if !ops[i].Unknown {
			done = false
		}
		if !mayComeNext(ops, i, left) {
			continue
		}
		next, allowed := register{}.Step(state, ops[i].Action)
		rest := append(append([]int{}, left[:k]...), left[k+1:]...)
		if allowed && bruteForce(ops, next, rest) {
			return true
		}
	}
	return done
}

func mayComeNext(ops []search.Op, i int, left []int) bool {
	for _, j := range left {
		if !ops[j].Unknown && ops[j].Return < ops[i].Call {
			return false
		}
	}
	return true
}

// histories returns how many random histories are tried: MEMRACE_ORACLE, or few.
func histories(t *testing.T, few int) int {
	t.Helper()
	text := os.Getenv("MEMRACE_ORACLE")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "MEMRACE_ORACLE")
	return n
}

func TestOracleBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found := map[search.Verdict]int{}
	for range histories(t, 20_000) {
		ops := draw(r, 1+r.IntN(7), 2+r.IntN(3), 12, r.IntN(2) == 0)
		all := make([]int, len(ops))
		for i := range all {
			all[i] = i
		}
		got := search.Order(ops, register{}, 1<<20)
		want := search.None
		if bruteForce(ops, 0, all) {
			want = search.Found
		}
		require.Equal(t, want, got.Verdict, "%v", ops)
		requireProof(t, ops, got)
		found[want]++
	}
	t.Logf("%d with an order, %d without", found[search.Found], found[search.None])
	require.Greater(t, 20*min(found[search.Found], found[search.None]),
		found[search.Found]+found[search.None], "too few of one kind compare little")
}

var model = porcupine.Model{
	Init: func() any { return search.State(0) },
	Step: func(state, input, _ any) (bool, any) {
		next, allowed := register{}.Step(state.(search.State), input.(int32))
		return allowed, next
	},
}

func TestOraclePorcupine(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := map[search.Verdict]int{}
	for range histories(t, 20_000) / 20 {
		ops := draw(r, 20+r.IntN(20), 3, 1000, r.IntN(2) == 0)
		for i := range ops {
			ops[i].Unknown = false // porcupine has no operations that never happened
		}
		var theirs []porcupine.Operation
		for _, o := range ops {
			theirs = append(theirs, porcupine.Operation{
				Input: o.Action, Call: o.Call, Return: o.Return,
			})
		}
		got := search.Order(ops, register{}, 1<<20)
		want := search.None
		if porcupine.CheckOperations(model, theirs) {
			want = search.Found
		}
		require.Equal(t, want, got.Verdict, "%v", ops)
		requireProof(t, ops, got)
		found[want]++
	}
	t.Logf("%d with an order, %d without", found[search.Found], found[search.None])
}
