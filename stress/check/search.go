package check

import (
	"fmt"
	"maps"

	"memrace/stress/history"
	"memrace/stress/search"
)

// search judges a slot that zones cannot: values are written more than once, so that reads do not
// tell which write they saw; or an operation says something of what was there that is no value.
func (c *slotCheck) search() answer {
	m := newMachine(c.x.h)
	ops := c.searched(m)
	found := search.Order(ops, m, c.searchLimit)
	c.searchCost += found.States
	switch found.Verdict {
	case search.Found:
		return answer{state: Holds}
	case search.None:
		return answer{state: Violated, fault: fault{kind: searchFailed}}
	}
	return answer{state: Undecided, reason: fmt.Sprintf("%s; %s, of %s", c.whySearch(),
		found.Reason, count(len(ops), "operation"))}
}

// searched returns the operations that have to be put in order.
func (c *slotCheck) searched(m *machine) []search.Op {
	useful := c.usefulUnknown()
	var ops []search.Op
	for i, what := range c.what {
		op := *c.op(int32(i))
		unknown := op.Outcome == history.Unknown
		if what == leftOut && !refuted(&op) || unknown && !useful(&op) {
			continue
		}
		if c.isAccused(&op) && !refuted(&op) {
			op = unseeing(op)
		}
		ops = append(ops, search.Op{
			Call: op.Call, Return: op.Return, Unknown: unknown, Action: m.action(&op),
		})
	}
	return ops
}

// unseeing returns an update or take as the upsert or delete that it is besides.
func unseeing(op history.Op) history.Op {
	switch op.Kind {
	case history.Update:
		op.Kind, op.Seen = history.Upsert, history.None
	case history.Take:
		op.Kind, op.Value = history.Delete, history.None
	}
	return op
}

// usefulUnknown returns what tells whether an operation of unknown outcome may be what makes an
// order possible. A write of a value that nobody ever saw is not, unless somebody says what was not
// there.
func (c *slotCheck) usefulUnknown() func(*history.Op) bool {
	seen, anything := map[history.ValueID]bool{}, false
	for i := range c.what {
		op := c.op(int32(i))
		seen[seenBy(op)] = true
		anything = anything || refuted(op) || op.Kind == history.Append
	}
	return func(op *history.Op) bool {
		return anything || !op.Kind.Writes() || seen[op.Value]
	}
}

// slotsToSearch returns how many slots a search may have to judge, at least 1.
func (x *index) slotsToSearch() int {
	slots := map[uint32]bool{}
	maps.Copy(slots, x.hard)
	for key, r := range x.repeats {
		if r.second >= 0 {
			slots[key.slot] = true
		}
	}
	return max(len(slots), 1)
}

// isUnique reports whether the value of a cluster was written to the slot only once.
func (c *slotCheck) isUnique(number int32) bool {
	_, from := c.x.source(c.slot, c.op(c.clusters[number].write).Value)
	return from == fromSlot
}

// whySearch says why a slot needs a search, by what comes first: a value that was written more than
// once and then seen, or an operation that says what was not there.
func (c *slotCheck) whySearch() string {
	where := slotName(c.x.h, c.slot)
	for i := range c.what {
		op := c.op(int32(i))
		r, repeated := c.x.repeats[slotValue{c.slot, seenBy(op)}]
		switch at := place(c.x.h, c.at(int32(i))); {
		case repeated && r.second >= 0:
			return fmt.Sprintf("%s was written to %s more than once, by %s and %s",
				c.x.h.Text(seenBy(op)), where,
				place(c.x.h, int(c.x.order[r.first])), place(c.x.h, int(c.x.order[r.second])))
		case op.Kind == history.Append:
			return fmt.Sprintf("%s appends to what is at %s", at, where)
		case refuted(op):
			return fmt.Sprintf("%s says of %s only what was not there", at, where)
		}
	}
	return ""
}

// place says where an operation stands: its line in a file, or else its number.
func place(h *history.History, i int) string {
	if i < len(h.Lines) {
		return fmt.Sprintf("line %d", h.Lines[i])
	}
	return fmt.Sprintf("operation %d", i)
}
