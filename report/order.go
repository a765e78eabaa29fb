package report

import "memrace/stress/history"

// edge says that an operation had returned before another was called. They are given by their
// places in the list that the order is asked of.
type edge struct{ from, to int }

// forced returns the order of the operations that is beyond doubt, without what follows from the
// rest of it: its transitive reduction.
func forced(h *history.History, ops []int) (edges []edge) {
	between := func(a, b int) bool {
		for _, c := range ops {
			if h.Precedes(a, c) && h.Precedes(c, b) {
				return true
			}
		}
		return false
	}
	for i, a := range ops {
		for j, b := range ops {
			if h.Precedes(a, b) && !between(a, b) {
				edges = append(edges, edge{i, j})
			}
		}
	}
	return edges
}
