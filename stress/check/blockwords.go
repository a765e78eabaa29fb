package check

import (
	"fmt"

	"memrace/stress/history"
)

// seenTwice: two operations saw the same value last, which only one can.
func (w wording) seenTwice() (Anomaly, string) {
	first, second := w.y.write, w.item
	if w.h.Ops[first].Call > w.h.Ops[second].Call {
		first, second = second, first
	}
	sentence := fmt.Sprintf("%s in its place, although %s in its place too",
		w.replaced(second), w.replaced(first))
	if w.h.Ops[first].Kind == history.Take && w.h.Ops[second].Kind == history.Take {
		return TakenTwice, fmt.Sprintf("%s, although %s had taken it too", w.read(second),
			w.who(first))
	}
	return LostUpdate, sentence
}

// replaced is a clause on what an operation did with the value that it saw.
func (w wording) replaced(i int) string {
	if w.h.Ops[i].Kind == history.Take {
		return w.read(i) + " and left nothing"
	}
	return w.read(i)
}

// otherMaker returns another update that found nothing, where the item is one; else -1.
func (w wording) otherMaker() int {
	for _, i := range w.ops {
		if i != w.item && made(&w.h.Ops[i]) && made(&w.h.Ops[w.item]) {
			return i
		}
	}
	return -1
}

// madeTwice: two updates found nothing, and nothing was ever deleted.
func (w wording) madeTwice(other int) string {
	return fmt.Sprintf("%s, and %s too, although no delete can have come between",
		w.read(min(other, w.item)), w.read(max(other, w.item)))
}

// againstBlock: y comes after x, since updates link the two; but something of y had returned
// before something of x began.
func (w wording) againstBlock() string {
	had := fmt.Sprintf("%s had returned", w.update(w.y.write))
	if w.y.early != w.y.write {
		had = fmt.Sprintf("%s and that had returned", w.read(w.y.early))
	}
	sentence := fmt.Sprintf("%s although %s %s", w.read(w.x.late), had,
		w.before(w.y.early, w.x.late))
	if w.h.Ops[w.y.write].Seen == w.h.Ops[w.x.write].Value {
		return sentence + fmt.Sprintf("; %s took the place of %s", w.value(w.y.write),
			w.value(w.x.write))
	}
	return sentence + fmt.Sprintf("; %s comes after %s by updates, each of which saw the value "+
		"before", w.value(w.y.write), w.value(w.x.write))
}

// afterTake: the last value was taken before something of it, or of one before it, was seen.
func (w wording) afterTake() string {
	sentence := fmt.Sprintf("%s although %s and that had returned %s", w.read(w.x.late),
		w.read(w.item), w.before(w.item, w.x.late))
	if w.h.Ops[w.item].Value == w.h.Ops[w.x.write].Value {
		return sentence
	}
	return sentence + fmt.Sprintf("; %s comes after %s by updates, each of which saw the value "+
		"before", w.value(w.item), w.value(w.x.write))
}

// update names a write: "c2's update of v1.0 to v2.7", "c2's write of v2.7".
func (w wording) update(i int) string {
	op := w.h.Ops[i]
	if op.Kind == history.Update {
		return fmt.Sprintf("%s's update of %s to %s", w.who(i), w.h.Text(op.Seen),
			w.h.Text(op.Value))
	}
	return fmt.Sprintf("%s's write of %s", w.who(i), w.h.Text(op.Value))
}

// between: two blocks, or a block and a miss or delete, must each come before the other.
func (w wording) between() string {
	if w.item >= 0 {
		return fmt.Sprintf("%s between %s and %s, whose values updates link, so that nothing can "+
			"have come between", w.itemName(), w.name(w.x.early), w.name(w.x.late))
	}
	return fmt.Sprintf("%s came before %s, and %s before %s, but updates link the values of the "+
		"first and the last and those of the others, so that one has to come as a whole before "+
		"the other", w.name(w.x.early), w.name(w.y.late), w.name(w.y.early), w.name(w.x.late))
}

func (w wording) itemName() string {
	if w.h.Ops[w.item].Kind == history.Delete {
		return fmt.Sprintf("%s's delete came", w.who(w.item))
	}
	return w.read(w.item)
}

// name names an operation: "c2's update of v1.0 to v2.7", "c3's read of v2.7".
func (w wording) name(i int) string {
	op := w.h.Ops[i]
	switch {
	case op.Kind.Writes():
		return w.update(i)
	case op.Kind == history.Take:
		return fmt.Sprintf("%s's take of %s", w.who(i), w.h.Text(op.Value))
	case op.Client.Numbered():
		return fmt.Sprintf("%s's read of %s", w.who(i), w.h.Text(op.Value))
	}
	return fmt.Sprintf("%s of %s", w.who(i), w.h.Text(op.Value))
}
