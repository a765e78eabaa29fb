package check

import (
	"fmt"

	"memrace/stress/history"
)

// loss collects what was lost when the power failed.
type loss struct {
	Loss
	at    int64 // when it did; -1 if it did not
	since int64 // when the first of them had returned
}

func (j *judge) newLoss() *loss {
	l := &loss{at: lastEvent(j.h, powerless), since: never}
	l.Allowed = j.h.MetaValue("lossy") == "true"
	return l
}

// forgives reports whether a slot may be wrong at a stage: after a loss of power, a store that says
// that it loses what it acknowledged last may have done so.
func (l *loss) forgives(v slotVerdict) bool {
	return l.at >= 0 && v.stage == withReopened && l.Allowed
}

// add counts what of a slot or list was lost.
func (l *loss) add(x *index, v slotVerdict) {
	if v.items {
		x = x.other
		l.addItems(x, x.order[x.start[v.slot]:x.start[v.slot+1]])
		return
	}
	l.addWrites(x, x.order[x.start[v.slot]:x.start[v.slot+1]])
}

// addItems counts the items that were acknowledged and are not in the list any more.
func (l *loss) addItems(x *index, ops []int32) {
	left := map[history.ValueID]bool{}
	for _, i := range ops {
		if op := &x.h.Ops[i]; op.Client == history.Reopened {
			left[op.Value] = true
		}
	}
	for _, i := range ops {
		op := &x.h.Ops[i]
		if op.Kind == history.Add && op.Outcome == history.OK && !left[op.Value] {
			l.Items++
			l.since = min(l.since, op.Return)
		}
	}
}

// addWrites counts all that was called after what is left in a slot had been written. Where nothing
// is left, it is all since the last delete.
func (l *loss) addWrites(x *index, ops []int32) {
	left, found := history.None, false
	for _, i := range ops {
		if op := &x.h.Ops[i]; op.Client == history.Reopened && op.Outcome == history.OK {
			left, found = op.Value, true
		}
	}
	if !found {
		return
	}
	from := int64(-1)
	for _, i := range ops {
		op := &x.h.Ops[i]
		leaves := writes(op) && op.Value == left || deletes(op) && left == history.None
		if leaves && op.Outcome == history.OK {
			from = max(from, op.Return)
		}
	}
	for _, i := range ops {
		op := &x.h.Ops[i]
		if op.Outcome == history.OK && (writes(op) || deletes(op)) && op.Call > from {
			l.Writes++
			l.since = min(l.since, op.Return)
		}
	}
}

// deletes reports whether an operation leaves nothing in the slot, and changed that.
func deletes(op *history.Op) bool {
	return op.Kind == history.Delete || op.Kind == history.Take && op.Value != history.None
}

// result returns what was lost, and a note that says so; nil if the power did not fail.
func (l *loss) result() (*Loss, string) {
	if l.at < 0 {
		return nil, ""
	}
	text := fmt.Sprintf("the power was cut at %s: ", span(l.at))
	if l.Writes+l.Items == 0 {
		return &l.Loss, text + "nothing that was acknowledged is gone"
	}
	l.Span = max(l.at-l.since, 0)
	return &l.Loss, text + l.Loss.String()
}

// String says what was lost: "lost 3 acknowledged writes of the last 2.4ms".
func (l Loss) String() string {
	var parts []string
	if l.Writes > 0 {
		parts = append(parts, count(l.Writes, "acknowledged write"))
	}
	if l.Items > 0 {
		parts = append(parts, count(l.Items, "acknowledged item"))
	}
	if len(parts) == 0 {
		return "lost nothing"
	}
	text := fmt.Sprintf("lost %s of the last %s", joined(parts), span(l.Span))
	if l.Allowed {
		text += ", which the store says may happen"
	}
	return text
}
