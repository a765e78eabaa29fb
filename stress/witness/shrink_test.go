package witness_test

import (
	"hash/fnv"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memrace/stress/witness"
)

func containsAll(need ...int) func([]int) bool {
	return func(ops []int) bool { return covers(ops, need) }
}

func covers(ops, need []int) bool {
	for _, n := range need {
		if !slices.Contains(ops, n) {
			return false
		}
	}
	return true
}

func singles(n int) [][]int {
	var units [][]int
	for i := range n {
		units = append(units, []int{i})
	}
	return units
}

func TestShrink(t *testing.T) {
	tests := []struct {
		name  string
		units [][]int
		keep  []int
		wrong func([]int) bool
		want  []int
		why   string
	}{
		{"single", singles(100), nil, containsAll(3, 77), []int{3, 77},
			"whatever does not matter goes"},
		{"clusters", [][]int{{5, 0}, {1, 2}, {3, 4}}, nil, containsAll(4), []int{3, 4},
			"a unit goes as a whole or stays as a whole"},
		{"shared", [][]int{{0, 1, 2}, {1}, {2}}, nil, containsAll(0, 2), []int{0, 2},
			"a read can go although the write that it shares a unit with must stay"},
		{"keep", singles(4), []int{9, 2}, containsAll(1), []int{1, 2, 9},
			"what stands in keep stays, even where it is a unit"},
		{"keep in unit", [][]int{{0, 1}, {2}}, []int{1}, containsAll(2), []int{1, 2},
			"the rest of a unit goes although one of it stays"},
		{"not wrong", [][]int{{2}, {0}}, []int{1}, func([]int) bool { return false },
			[]int{0, 1, 2}, "what is not wrong at all is not made smaller"},
		{"always wrong", singles(9), nil, func([]int) bool { return true }, []int{},
			"nothing is left where nothing is needed"},
		{"late", singles(4), nil, func(ops []int) bool {
			return len(ops) == 4 || cmp.Equal(ops, []int{0, 1, 3}) || cmp.Equal(ops, []int{1, 3})
		}, []int{1, 3}, "one that could not go at first goes once others have"},
		{"wrong in part", singles(4), nil, func(ops []int) bool { return len(ops) < 4 },
			[]int{0, 1, 2, 3}, "what is right as a whole is no failure, whatever its parts are"},
		{"none", nil, nil, func([]int) bool { return true }, []int{}, "no units are no failure"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := append([]int{}, witness.Shrink(tt.units, tt.keep, tt.wrong)...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.why, diff)
			}
		})
	}
}

func TestShrinkLeavesArgumentsAlone(t *testing.T) {
	units, keep := [][]int{{3, 1}, {2}, {0}}, []int{5, 4}
	got := witness.Shrink(units, keep, func(ops []int) bool {
		wrong := slices.Contains(ops, 2)
		slices.Reverse(ops)
		return wrong
	})
	if diff := cmp.Diff([]int{2, 4, 5}, got); diff != "" {
		t.Errorf("a predicate that reorders its argument changed the result:\n%s", diff)
	}
	if diff := cmp.Diff([][]int{{3, 1}, {2}, {0}}, units); diff != "" {
		t.Errorf("units changed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{5, 4}, keep); diff != "" {
		t.Errorf("keep changed (-want +got):\n%s", diff)
	}
}

// A delete that explains others may go only once they are gone.
func TestReduce(t *testing.T) {
	units := func(ops []int) [][]int {
		var units [][]int
		for _, i := range ops {
			if i != 0 || !slices.Contains(ops, 7) {
				units = append(units, []int{i})
			}
		}
		return units
	}
	got := witness.Reduce([]int{8, 7, 3, 2, 0}, units, containsAll(3, 8))
	if diff := cmp.Diff([]int{3, 8}, got); diff != "" {
		t.Errorf("the operation that had to stay at first must go in a later round:\n%s", diff)
	}
}

func TestShrinkCost(t *testing.T) {
	calls := 0
	got := witness.Shrink(singles(100_000), nil, func(ops []int) bool {
		calls++
		return covers(ops, []int{17, 40_000, 40_001, 99_999})
	})
	if diff := cmp.Diff([]int{17, 40_000, 40_001, 99_999}, got); diff != "" {
		t.Error(diff)
	}
	if calls > 300 {
		t.Errorf("four among 100000 operations took %d calls; want at most 300", calls)
	}
}

// Any predicate at all, one that answers by a hash of the operations included: the result is
// wrong, nothing of keep is missing, and no unit can go any more unless the calls ran out.
func TestShrinkProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		op := rapid.IntRange(0, 60)
		units := rapid.SliceOfN(rapid.SliceOfN(op, 0, 4), 0, 60).Draw(t, "units")
		keep := rapid.SliceOfN(op, 0, 3).Draw(t, "keep")
		core := rapid.SliceOfN(op, 0, 5).Draw(t, "core")
		one := rapid.Uint32Range(0, 20).Draw(t, "one in")
		all := sorted(slices.Concat(append(units, keep)...))
		calls := 0
		wrong := func(ops []int) bool {
			calls++
			return len(ops) == len(all) || covers(ops, core) && (one == 0 || hash(ops)%one == 0)
		}
		got := witness.Shrink(units, keep, wrong)
		if calls > witness.MaxCalls {
			t.Fatalf("%d calls", calls)
		}
		if !wrong(got) || !covers(got, keep) || !covers(all, got) {
			t.Fatalf("%v is not wrong, lacks some of keep, or has others", got)
		}
		if calls < witness.MaxCalls {
			requireMinimal(t, got, units, keep, wrong)
		}
	})
}

func requireMinimal(t *rapid.T, got []int, units [][]int, keep []int, wrong func([]int) bool) {
	for _, u := range units {
		rest := slices.DeleteFunc(slices.Clone(got), func(op int) bool {
			return slices.Contains(u, op) && !slices.Contains(keep, op)
		})
		if len(rest) < len(got) && wrong(rest) {
			t.Fatalf("%v is still wrong without %v", got, u)
		}
	}
}

func TestShrinkBudget(t *testing.T) {
	calls := 0
	got := witness.Shrink(singles(3000), nil, func(ops []int) bool {
		calls++
		return len(ops) > 2900 && slices.Contains(ops, 0)
	})
	if calls != witness.MaxCalls || len(got) <= 2900 {
		t.Errorf("%d calls, %d operations left; want all %d calls and a result that is wrong",
			calls, len(got), witness.MaxCalls)
	}
}

func sorted(ops []int) []int {
	slices.Sort(ops)
	return slices.Compact(ops)
}

func hash(ops []int) uint32 {
	h := fnv.New32a()
	for _, op := range ops {
		h.Write([]byte{byte(op)})
	}
	return h.Sum32()
}
