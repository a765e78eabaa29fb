package check

import "fmt"

// before is a clause of time in a sentence about the late operation, with by how much the early
// one, which had returned by then, was earlier: "28us before c3 asked", "3.4ms before it".
func (w wording) before(early, late int) string {
	if w.h.Ops[late].Client.Numbered() {
		return w.lead(early, late) + "before " + w.asked(late)
	}
	return w.lead(early, late) + "before it"
}

// lead is by how much an operation had returned before another was called, "28us ". It is empty
// where both stamps are whole microseconds: so are those of a file without times, in which they
// are no more than an order.
func (w wording) lead(early, late int) string {
	from, to := w.h.Ops[early].Return, w.h.Ops[late].Call
	if from%1000 == 0 && to%1000 == 0 {
		return ""
	}
	return span(to-from) + " "
}

// span returns a number of nanoseconds as people say it, rounded down: "850ns", "2.4us", "28ms".
func span(ns int64) string {
	for _, unit := range []struct {
		name string
		ns   int64
	}{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}} {
		if whole := ns / unit.ns; whole >= 10 {
			return fmt.Sprintf("%d%s", whole, unit.name)
		} else if whole > 0 {
			return fmt.Sprintf("%d.%d%s", whole, ns%unit.ns/(unit.ns/10), unit.name)
		}
	}
	return fmt.Sprintf("%dns", ns)
}
