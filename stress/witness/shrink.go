package witness

import "slices"

// MaxCalls is how often Shrink asks its predicate at most. A failure of a few operations among
// a hundred thousand takes some two hundred calls; the limit is for predicates that answer
// capriciously and for failures that hardly get smaller.
const MaxCalls = 2000

// Shrink returns a small part of the operations that is still wrong, in ascending order.
//
// A unit is a set of operations that may be left out together; units may share operations. An
// operation that stands in keep stays, even where a unit names it. Shrink leaves out big groups
// of neighbouring units first, then smaller ones, then one at a time for as long as one can go
// (delta debugging, Zeller and Hildebrandt 2002, without its tests of a group on its own).
//
// The result satisfies wrong, and it is 1-minimal: with any one unit less it would not. Where
// wrong was asked MaxCalls times before that was reached, the result still satisfies wrong but
// may be larger than it need be. Where even all operations together do not satisfy wrong, they
// are returned as they are.
func Shrink(units [][]int, keep []int, wrong func(ops []int) bool) []int {
	s := shrinker{keep: union([][]int{keep}), units: slices.Clone(units), wrong: wrong}
	s.ops = union(append([][]int{keep}, units...))
	if !s.ask(s.ops) {
		return s.ops
	}
	for size := (len(units) + 1) / 2; size > 1; size = (size + 1) / 2 {
		s.pass(size)
	}
	for s.pass(1) { // one that could not go may be able to, now that others went
	}
	return s.ops
}

// Reduce is Shrink for units that depend on what is left: an operation that explains others has
// to stay only as long as they do. It asks units anew after each Shrink, until nothing more can
// go; operations that stand in no unit stay. Each round may ask wrong MaxCalls times, and each
// round but the last makes the result smaller.
func Reduce(ops []int, units func(ops []int) [][]int, wrong func(ops []int) bool) []int {
	ops = union([][]int{ops})
	for {
		removable := units(ops)
		smaller := Shrink(removable, without(ops, union(removable)), wrong)
		if len(smaller) >= len(ops) {
			return smaller
		}
		ops = smaller
	}
}

// shrinker is the state of one Shrink: the operations that are left, and the units that may
// still go.
type shrinker struct {
	ops, keep []int
	units     [][]int
	wrong     func(ops []int) bool
	calls     int
}

// pass tries to leave out each group of size neighbouring units, and says whether one could go.
// A pass of size 1 after which none could proves that the result is minimal.
func (s *shrinker) pass(size int) bool {
	gone := false
	for from := 0; from < len(s.units) && s.calls < MaxCalls; {
		to := min(from+size, len(s.units))
		rest := without(s.ops, without(union(s.units[from:to]), s.keep))
		switch {
		case len(rest) == len(s.ops): // other units took all that these had, or it must stay
			s.units = slices.Delete(s.units, from, to)
		case s.ask(rest):
			s.ops, gone = rest, true
			s.units = slices.Delete(s.units, from, to)
		default:
			from = to
		}
	}
	return gone
}

// ask hands out a copy, so that a predicate that sorts or keeps its argument does no harm.
func (s *shrinker) ask(ops []int) bool {
	s.calls++
	return s.wrong(slices.Clone(ops))
}

// union returns the members of all sets in ascending order, each once.
func union(sets [][]int) []int {
	all := slices.Concat(sets...)
	slices.Sort(all)
	return slices.Compact(all)
}

// without returns the members of a that are not in b, for ascending a and b.
func without(a, b []int) []int {
	left := make([]int, 0, len(a))
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != x {
			left = append(left, x)
		}
	}
	return left
}
