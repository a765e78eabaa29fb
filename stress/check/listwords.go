package check

import (
	"fmt"

	"memrace/stress/history"
)

// explain loads the list again, which is violated at the stage, and puts its fault into words.
func (c *listCheck) explain(slot uint32, at stage) Violation {
	c.load(slot, at)
	w := listWording{wording: wording{h: c.x.h}, listCheck: c}
	v := Violation{Property: Linearizability, Slot: slot}
	switch f := c.find(); f.kind {
	case doubledItem:
		w.doubled(&v, c.reads[f.at], c.items[f.a], c.items[f.b])
	case readsDisagree:
		w.disagree(&v, f)
	default:
		w.misplaced(&v, c.calls[f.a], c.calls[f.b])
	}
	if at == operations {
		return v
	}
	v.Property = FinalValue
	if v.Anomaly != DoubledItem && v.Anomaly != ReorderedItems {
		v.Anomaly = LostWrite
		if at == withReopened {
			v.Anomaly = LostAfterReopen
		}
	}
	return v
}

// listWording puts a fault of a list into words.
type listWording struct {
	wording
	*listCheck
}

func (w listWording) doubled(v *Violation, read listRead, first, second listItem) {
	add := w.addOf(second)
	v.Anomaly, v.Ops = DoubledItem, distinct(add, first.op, second.op)
	v.Sentence = fmt.Sprintf("%s has %s twice, as its items %d and %d, although %s added it once",
		w.list(read.op), w.value(second.op), first.op-read.op+1, second.op-read.op+1, w.who(add))
}

// disagree: two reads have different items at the same place. One may lack the other's.
func (w listWording) disagree(v *Violation, f listFault) {
	x, y := f.a, f.b
	xItem, yItem := w.itemsOf(x)[f.at], w.itemsOf(y)[f.at]
	yInX, yHas := w.itemIn(x, yItem.add)
	xInY, xHas := w.itemIn(y, xItem.add)
	xList, yList := w.lists(w.reads[x].op, w.reads[y].op)
	xName, yName := w.value(xItem.op), w.value(yItem.op)
	v.Anomaly = LostItem
	switch {
	case yHas && xHas:
		v.Anomaly, v.Ops = ReorderedItems, distinct(xItem.op, yInX.op, yItem.op, xInY.op)
		v.Sentence = fmt.Sprintf("%s has %s before %s, and %s has %s before %s",
			xList, xName, yName, yList, yName, xName)
	case yHas:
		v.Ops = distinct(xItem.op, yInX.op, yItem.op)
		v.Sentence = w.lacks(yList, yName, xName, xList)
	case xHas:
		v.Ops = distinct(xItem.op, yItem.op, xInY.op)
		v.Sentence = w.lacks(xList, xName, yName, yList)
	default:
		v.Ops = distinct(xItem.op, yItem.op)
		v.Sentence = fmt.Sprintf("%s has %s and lacks %s, and %s has %s and lacks %s",
			xList, xName, yName, yList, yName, xName)
	}
}

// lacks says that a list has one item and lacks another, which comes first in the other list.
func (w listWording) lacks(list, has, lacks, other string) string {
	return fmt.Sprintf("%s has %s and lacks %s, which stands before it in %s",
		list, has, lacks, other)
}

// itemIn returns the item of a read that is the same as another's.
func (w listWording) itemIn(read, add int32) (listItem, bool) {
	for _, item := range w.itemsOf(read) {
		if item.add == add {
			return item, true
		}
	}
	return listItem{}, false
}

// misplaced: the early call had returned before the late one, which stands before it.
func (w listWording) misplaced(v *Violation, early, late listCall) {
	switch {
	case late.read >= 0:
		w.missing(v, early, late)
	case early.read >= 0:
		item := w.itemsOf(early.read)[w.places[late.add]-1]
		v.Anomaly, v.Ops = ReadFromFuture, distinct(item.op, late.op)
		v.Sentence = fmt.Sprintf("%s and returned %sbefore %s began to add it",
			w.read(item.op), w.lead(item.op, late.op), w.who(late.op))
	default:
		w.addedLater(v, early, late)
	}
}

// missing: the late read lacks an item that had been added, or read, before it.
func (w listWording) missing(v *Violation, early, late listCall) {
	size := w.reads[late.read].size()
	shown, verb := early.op, "added"
	if early.read >= 0 {
		shown, verb = w.itemsOf(early.read)[size].op, "read"
	}
	if !w.h.Ops[shown].Client.Numbered() {
		verb = "returned"
	}
	end := late.op
	if size > 0 {
		end = w.itemsOf(late.read)[size-1].op
	}
	v.Ops = distinct(shown, end)
	v.Sentence = fmt.Sprintf("%s lacks %s, which %s had %s %s", w.ending(late, end), w.value(shown),
		w.who(shown), verb, w.before(shown, late.op))
	w.fate(v, shown, late.op)
}

// ending is what is said of a list that lacks something: "c3's list ends with v1.4 and". What it
// has from elsewhere is not told.
func (w listWording) ending(call listCall, end int) string {
	read, list := w.reads[call.read], w.list(call.op)
	switch {
	case read.size() == 0 && w.h.Ops[call.op].Value == history.None:
		return list + " is empty and"
	case end == read.op+read.lines-1 && read.size() > 0:
		return list + " ends with " + w.value(end) + " and"
	}
	return list
}

// addedLater: the early add had returned before the late one began, whose item is in the longest
// read without the other one before it.
func (w listWording) addedLater(v *Violation, early, late listCall) {
	longest := w.itemsOf(w.longest)
	item := longest[w.places[late.add]-1]
	has, name, other := w.list(item.op), w.value(late.op), w.value(early.op)
	had := fmt.Sprintf("although %s had added %s %sbefore %s began to add %s", w.who(early.op),
		other, w.lead(early.op, late.op), w.who(late.op), name)
	if place := w.places[early.add]; place > 0 {
		v.Anomaly, v.Ops = ReorderedItems, distinct(early.op, late.op, item.op, longest[place-1].op)
		v.Sentence = fmt.Sprintf("%s has %s before %s, %s", has, name, other, had)
		return
	}
	v.Ops = distinct(early.op, late.op, item.op)
	v.Sentence = fmt.Sprintf("%s has %s and lacks %s, %s", has, name, other, had)
	w.fate(v, early.op, item.op)
}

// fate says whether an item that a read lacks is lost: it is late only if a read that was called
// after that has it. It looks at the whole history, since a few operations cannot tell.
func (w listWording) fate(v *Violation, shown, read int) {
	list := &w.h.Ops[shown]
	ever := false
	for i := range w.h.Ops {
		op := &w.h.Ops[i]
		if op.Kind != history.Items || op.Slot != list.Slot || op.Value != list.Value {
			continue
		}
		ever = true
		if op.Call > w.h.Ops[read].Call {
			v.Anomaly = StaleRead
			return
		}
	}
	v.Anomaly = LostItem
	if !ever {
		v.Sentence += fmt.Sprintf("; nobody ever read %s", w.h.Text(list.Value))
	}
}

// addOf returns the operation that added an item.
func (w listWording) addOf(item listItem) int {
	return int(w.x.order[w.x.start[w.slot]+item.add])
}

// list names a list that was read: "c3's list".
func (w listWording) list(read int) string {
	switch w.h.Ops[read].Client {
	case history.Final:
		return "the final list"
	case history.Reopened:
		return "the list after reopening"
	}
	return w.who(read) + "'s list"
}

// lists names two lists, which may have been read by one client.
func (w listWording) lists(x, y int) (string, string) {
	switch {
	case w.h.Ops[x].Client != w.h.Ops[y].Client:
		return w.list(x), w.list(y)
	case x < y:
		return w.who(x) + "'s earlier list", w.who(y) + "'s later list"
	}
	return w.who(x) + "'s later list", w.who(y) + "'s earlier list"
}

// listName names a list: the list of session "a".
func listName(h *history.History, slot uint32) string {
	return "the list of session " + quote(h.Slots[slot].Session)
}

// home names the slot or list that an operation is on.
func home(h *history.History, op *history.Op) string {
	if isItem(op) {
		return listName(h, op.Slot)
	}
	return slotName(h, op.Slot)
}

// writing is a clause on a write: "c1 wrote to session "a", key "k"".
func writing(h *history.History, write int) string {
	op := &h.Ops[write]
	verb := " wrote to "
	if op.Kind == history.Add {
		verb = " added to "
	}
	return who(op.Client) + verb + home(h, op)
}
