package check

import (
	"fmt"
	"strings"

	"memrace/stress/history"
)

// violation words a cycle.
func (c *cycle) violation(h *history.History, s *session) Violation {
	v := Violation{Anomaly: ReadSkew}
	ops := []int{}
	clauses := make([]string, len(c.hops))
	for i, hop := range c.hops {
		ops = append(ops, int(hop.fromOp), int(hop.toOp))
		if hop.why == sawEarlier {
			ops = append(ops, int(hop.earlier.first), int(hop.later.last))
		}
		clauses[i] = hop.clause(h)
	}
	v.Ops = distinct(ops...)
	v.Slot = h.Ops[c.hops[0].fromOp].Slot
	v.Sentence = fmt.Sprintf("no order of these calls on session %s is possible: %s", quote(s.name),
		strings.Join(clauses, "; "))
	return v
}

// clause says why one call comes before the other.
func (p hop) clause(h *history.History) string {
	w := wording{h: h}
	from, to := int(p.fromOp), int(p.toOp)
	key := quote(h.Slots[h.Ops[to].Slot].Key)
	switch p.why {
	case sawNothing:
		return fmt.Sprintf("%s found nothing in %s, so it came before %s wrote %s there",
			w.what(from), key, w.who(to), w.value(to))
	case sawWrite:
		return fmt.Sprintf("%s found %s in %s, so it came after %s wrote that", w.what(to),
			w.value(from), key, w.who(from))
	case sawEarlier:
		if from == int(p.earlier.write) {
			return fmt.Sprintf("%s wrote %s to %s before %s wrote %s there", w.who(from),
				w.value(from), key, w.who(to), w.value(to))
		}
		return fmt.Sprintf("%s still found %s in %s, so it came before %s wrote %s there",
			w.what(from), h.Text(p.earlier.value), key, w.who(to), w.value(to))
	}
	return fmt.Sprintf("%s had returned %s", w.what(from), w.before(from, to))
}

// what names a call: "c3's list", "c1's upsert of v1.2".
func (w wording) what(i int) string {
	op := &w.h.Ops[i]
	if op.Kind.Writes() {
		return fmt.Sprintf("%s's %v of %s", w.who(i), op.Act(), w.value(i))
	}
	return fmt.Sprintf("%s's %v", w.who(i), op.Act())
}
