package check

// dueItem is a delete, or a block that is used as one or that begins where nothing is, and the
// time at which it has to be placed.
type dueItem struct {
	due  int64
	item int32
}

// dueHeap is a binary heap, that which is due first in front.
type dueHeap []dueItem

func (h dueHeap) due() int64 {
	if len(h) == 0 {
		return never
	}
	return h[0].due
}

func (h *dueHeap) push(d dueItem) {
	*h = append(*h, d)
	a := *h
	for i := len(a) - 1; i > 0 && a[i].due < a[(i-1)/2].due; i = (i - 1) / 2 {
		a[i], a[(i-1)/2] = a[(i-1)/2], a[i]
	}
}

func (h *dueHeap) pop() int32 {
	a := *h
	item := a[0].item
	n := len(a) - 1
	a[0] = a[n]
	*h = a[:n]
	a = a[:n]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child < min(2*i+3, n); child++ {
			if a[child].due < a[least].due {
				least = child
			}
		}
		if least == i {
			return item
		}
		a[i], a[least] = a[least], a[i]
		i = least
	}
}
