package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memrace/stress/history"
)

// violation words a proof. Anomaly is what it is during the workload.
func (p proof) violation(h *history.History) Violation {
	w := wording{h: h, proof: p}
	v := Violation{Ops: p.ops, Slot: h.Ops[p.ops[0]].Slot, Anomaly: NotLinearizable}
	if p.linked() {
		v.Sentence = w.between()
		return v
	}
	switch p.kind {
	case readBeforeWrite:
		v.Anomaly, v.Sentence = ReadFromFuture, w.readBeforeWrite()
	case clustersConflict:
		v.Anomaly, v.Sentence = w.conflict()
	case insideZone:
		v.Anomaly, v.Sentence = w.inside()
	case unexplainedMiss:
		v.Anomaly, v.Sentence = w.unexplained()
	case seenTwice:
		v.Anomaly, v.Sentence = w.seenTwice()
	case againstBlock:
		v.Anomaly, v.Sentence = StaleRead, w.againstBlock()
	case afterTake:
		v.Anomaly, v.Sentence = ResurrectedValue, w.afterTake()
	default:
		v.Sentence = fmt.Sprintf("no order of %s gives each read the value that it returned",
			count(len(p.ops), "operation"))
	}
	return v
}

// violationAt is violation with the property that is violated at a stage. What the reads after the
// workload break is a write that was lost, whatever else it looks like.
func (p proof) violationAt(at stage, h *history.History) Violation {
	v := p.violation(h)
	v.Property = FinalValue
	switch at {
	case operations:
		v.Property = Linearizability
	case withFinal:
		v.Anomaly = LostWrite
	case withReopened:
		v.Anomaly = LostAfterReopen
	}
	return v
}

// wording puts a proof into words.
type wording struct {
	h *history.History
	proof
}

// who names the client of an operation.
func (w wording) who(i int) string { return who(w.h.Ops[i].Client) }

func who(c history.Client) string {
	switch c {
	case history.Final:
		return "the final read"
	case history.Dumped:
		return "the dump"
	case history.Reopened:
		return "the read after reopening"
	}
	return c.String()
}

func (w wording) value(i int) string { return w.h.Text(w.h.Ops[i].Value) }

// read is a clause: "c3 read v1.4", "the final read found nothing".
func (w wording) read(i int) string { return read(w.h, i) }

func read(h *history.History, i int) string {
	op := h.Ops[i]
	switch {
	case op.Kind == history.Update:
		return fmt.Sprintf("%s saw %s and wrote %s", who(op.Client), h.Text(op.Seen),
			h.Text(op.Value))
	case op.Kind == history.Take && op.Value != history.None:
		return who(op.Client) + " took " + h.Text(op.Value)
	case op.Value == history.None:
		return who(op.Client) + " found nothing"
	case op.Client.Numbered():
		return who(op.Client) + " read " + h.Text(op.Value)
	}
	return who(op.Client) + " returned " + h.Text(op.Value)
}

// asked is a clause: "c3 asked", "the final read began".
func (w wording) asked(i int) string {
	if w.h.Ops[i].Client.Numbered() {
		return w.who(i) + " asked"
	}
	return w.who(i) + " began"
}

// readOf is read, with the client that wrote the value.
func (w wording) readOf(i, write int) string {
	return fmt.Sprintf("%s, which %s wrote,", w.read(i), w.who(write))
}

func (w wording) readBeforeWrite() string {
	read, write := w.x.early, w.x.write
	return fmt.Sprintf("%s and returned %sbefore %s began to write it", w.read(read),
		w.lead(read, write), w.who(write))
}

func (w wording) conflict() (Anomaly, string) {
	x, y := w.x, w.y
	overwrite := fmt.Sprintf("%s's overwrite %s had returned", w.who(y.write), w.value(y.write))
	if y.early != y.write {
		overwrite = fmt.Sprintf("%s had read %s's overwrite %s", w.who(y.early), w.who(y.write),
			w.value(y.write))
	}
	sentence := fmt.Sprintf("%s although %s %s", w.readOf(x.late, x.write), overwrite,
		w.before(y.early, x.late))
	if x.early != x.write || y.late != y.write {
		sentence += fmt.Sprintf("; %s came first, since %s before %s", w.value(x.write),
			w.wasThere(x), w.laterPart(y))
	}
	if w.neverRead() {
		return LostUpdate, sentence + fmt.Sprintf("; nobody ever read %s", w.value(y.write))
	}
	return StaleRead, sentence
}

// wasThere is a clause on the operation that had returned: "c1's write of it had returned".
func (w wording) wasThere(e evidence) string {
	if e.early == e.write {
		return fmt.Sprintf("%s's write of it had returned", w.who(e.write))
	}
	return fmt.Sprintf("%s had read it", w.who(e.early))
}

// laterPart is a clause on the operation that was called later: "c2 began to write v2.7".
func (w wording) laterPart(e evidence) string {
	if e.late == e.write {
		return fmt.Sprintf("%s began to write %s", w.who(e.late), w.value(e.write))
	}
	return fmt.Sprintf("%s and got %s", w.asked(e.late), w.value(e.write))
}

// neverRead reports whether the overwrite took effect by its own account and yet nobody ever
// read it, while two clients or more still got the value before: the write was lost then, rather
// than one read stale. It looks at the whole history, since a few operations cannot tell.
func (w wording) neverRead() bool {
	overwrite := w.h.Ops[w.y.write]
	if w.y.early != w.y.write || overwrite.Outcome != history.OK {
		return false
	}
	before := w.h.Ops[w.x.write]
	first, second := w.h.Ops[w.x.late].Client, false
	for i := w.y.write; i < len(w.h.Ops); i++ {
		op := &w.h.Ops[i]
		if op.Slot != overwrite.Slot || op.Outcome != history.OK {
			continue
		}
		if seenBy(op) == overwrite.Value {
			return false
		}
		if op.Kind != history.Get {
			continue
		}
		if op.Value == before.Value && op.Call > overwrite.Return && op.Client != first {
			second = true
		}
	}
	return second && !w.readBefore(w.y.write, overwrite)
}

// readBefore reports whether one of the operations called before the write read its value.
func (w wording) readBefore(write int, op history.Op) bool {
	return slices.ContainsFunc(w.h.Ops[:write], func(other history.Op) bool {
		return seenBy(&other) == op.Value && other.Slot == op.Slot
	})
}

func (w wording) inside() (Anomaly, string) {
	x, item := w.x, w.item
	if w.h.Ops[item].Kind == history.Delete {
		return ResurrectedValue, fmt.Sprintf(
			"%s although %s's delete had returned %s, and %s before that delete began",
			w.readOf(x.late, x.write), w.who(item), w.before(item, x.late), w.wasThere(x))
	}
	return LostValue, fmt.Sprintf("%s although %s %s, and after that %s",
		w.read(item), w.hadShown(x), w.before(x.early, item), w.read(x.late))
}

// hadShown is wasThere with the name of the value: "c1's write of v1.4 had returned".
func (w wording) hadShown(e evidence) string {
	if e.early == e.write {
		return fmt.Sprintf("%s's write of %s had returned", w.who(e.write), w.value(e.write))
	}
	return fmt.Sprintf("%s had read %s", w.who(e.early), w.value(e.write))
}

func (w wording) unexplained() (Anomaly, string) {
	deletes, misses := w.others()
	if other := w.otherMaker(); other >= 0 && len(deletes) == 0 && w.x.write < 0 {
		return LostUpdate, w.madeTwice(other)
	}
	return LostValue, w.missed(deletes, misses)
}

func (w wording) missed(deletes, misses []int) string {
	if w.x.write < 0 {
		return fmt.Sprintf("%s although no order of these %s explains that", w.read(w.item),
			count(len(w.ops), "operation"))
	}
	sentence := fmt.Sprintf("%s although %s %s", w.read(w.item), w.hadShown(w.x),
		w.before(w.x.early, w.item))
	switch {
	case len(deletes) == 0:
		return sentence + ", and no delete can have come between"
	case len(misses) == 0:
		return sentence + fmt.Sprintf(", and %s cannot have come between", w.deletesOf(deletes))
	}
	return sentence + fmt.Sprintf(", and %s cannot explain both that and what %s missed",
		w.deletesOf(deletes), w.names(misses))
}

// others returns the deletes of a proof and the misses other than the one in question.
func (w wording) others() (deletes, misses []int) {
	for _, i := range w.ops {
		op := w.h.Ops[i]
		switch {
		case op.Kind == history.Delete || op.Kind == history.Take && op.Value != history.None:
			deletes = append(deletes, i)
		case !op.Kind.Writes() && op.Kind != history.Delete && op.Value == history.None &&
			i != w.item:
			misses = append(misses, i)
		}
	}
	return deletes, misses
}

// deletesOf names deletes: "c4's delete", "c4's take", "2 deletes (c4 and c5)".
func (w wording) deletesOf(deletes []int) string {
	if len(deletes) == 1 {
		return w.who(deletes[0]) + "'s " + w.h.Ops[deletes[0]].Kind.String()
	}
	return strconv.Itoa(len(deletes)) + " deletes (" + w.names(deletes) + ")"
}

const maxNames = 4

// names lists the clients of operations.
func (w wording) names(ops []int) string {
	var names []string
	for _, i := range ops {
		if name := w.who(i); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more := len(names) - maxNames; more > 0 {
		names = append(names[:maxNames], fmt.Sprintf("%d more", more))
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// slotName names a slot: session "a", key "k".
func slotName(h *history.History, slot uint32) string {
	s := h.Slots[slot]
	return fmt.Sprintf("session %s, key %s", quote(s.Session), quote(s.Key))
}

// joined lists what there is: "a", "a and b", "a, b and c".
func joined(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

const maxQuoted = 40

// quote returns a text in quotes, without anything that a terminal might obey, and shortened.
func quote(text string) string {
	if len(text) <= maxQuoted {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%s... (%d bytes)", strconv.Quote(text[:maxQuoted]), len(text))
}
