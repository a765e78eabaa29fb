package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memrace/stress/history"
)

// progress makes the verdict on whether the run is worth judging at all: a store that refuses
// everything breaks no other promise.
func (j *judge) progress() Verdict {
	t := j.tally(Progress)
	clients, err := strconv.Atoi(j.h.MetaValue("clients"))
	foreign := err != nil // made by nobody who says how hard each kind was tried
	faults := j.h.MetaValue("faults")
	tried := attempts(j.h)
	for _, v := range failures(j.h, tried) {
		switch {
		case foreign && v.Anomaly == NothingSucceeds:
			t.undecided(v.Sentence)
		case excuses(faults, v.Anomaly):
			t.undecided(v.Sentence + "; perhaps since the store was hurt")
		default:
			t.add(func() Violation { return v })
		}
	}
	if t.verdict.State == Undecided {
		return t.verdict
	}
	switch {
	case !hasOperations(j.h):
		t.undecided(noOperations)
	case !answered(tried):
		t.undecided("no call of a client was answered by the store")
	case !wrote(j.h):
		t.undecided("no client wrote anything, so there was nothing to get wrong")
	case clients > 1 && !overlaps(j.h):
		t.undecided("no two operations of different clients on one slot overlapped, " +
			"so nothing was tried at once; run it with more operations or fewer slots")
	}
	return t.verdict
}

// excuses reports whether what was done to a store may be why its calls came to nothing. To be
// killed is no reason to hang: one that is back has nothing to wait for.
func excuses(faults string, a Anomaly) bool {
	switch a {
	case NothingSucceeds:
		return faults != ""
	case Hang:
		return strings.Contains(faults, "hold write lock") || strings.Contains(faults, "disk ")
	}
	return false
}

// failures are the calls of which nothing came, where that is the store's doing: those that hung or
// panicked, and the kinds that never succeeded.
func failures(h *history.History, tried []attempt) (all []Violation) {
	if hang := h.MetaValue("hang"); hang != "" {
		all = append(all, Violation{Anomaly: Hang, Slot: NoSlot, Sentence: hang})
	}
	if op, hung := ended(h, history.ClassHang); hung > 0 {
		all = append(all, Violation{Anomaly: Hang, Slot: h.Ops[op].Slot, Ops: []int{op},
			Sentence: fmt.Sprintf("%s never came back: %v of %s", count(hung, "call"),
				h.Ops[op].Act(), who(h.Ops[op].Client))})
	}
	if op, n := ended(h, history.ClassPanic); n > 0 {
		all = append(all, Violation{Anomaly: Panic, Slot: h.Ops[op].Slot, Ops: []int{op},
			Sentence: fmt.Sprintf("%s panicked: the first of them is %v of %s", count(n, "call"),
				h.Ops[op].Act(), who(h.Ops[op].Client))})
	}
	for _, a := range tried {
		if a.count > 0 && a.succeeded == 0 {
			all = append(all, a.violation())
		}
	}
	return all
}

// ended returns the first call that ended with an error of a class, and how many there are.
func ended(h *history.History, class history.Class) (first, n int) {
	for i := range h.Ops {
		if h.Ops[i].Class != class || h.Continues(i) {
			continue
		}
		if n++; n == 1 {
			first = i
		}
	}
	return first, n
}

// answered reports whether any call of a client counts as an attempt.
func answered(tried []attempt) bool {
	return slices.ContainsFunc(tried, func(a attempt) bool { return a.count > 0 })
}

// wrote reports whether a client tried to write.
func wrote(h *history.History) bool {
	return slices.ContainsFunc(h.Ops, func(op history.Op) bool { return op.Kind.Writes() })
}

// attempt is what came of the calls of one kind.
type attempt struct {
	act              history.Act
	count, succeeded int
	// classes counts those that did not succeed, by the class of their error.
	classes map[history.Class]int
}

// attempts returns those of all kinds, calls on one slot before those on whole sessions. A call
// that nobody waited for any more, that could not be asked or was answered by what is no answer, or
// that ended with the store when that was killed, tells nothing of what the store can do.
func attempts(h *history.History) []attempt {
	const kinds = int(history.Items) + 1
	all := make([]attempt, 2*kinds)
	for i := range all {
		act := history.Act{Kind: history.Kind(i % kinds), Whole: i >= kinds}
		all[i] = attempt{act: act, classes: map[history.Class]int{}}
	}
	death := lastEvent(h, killed, powerless)
	for i := range h.Ops {
		op := &h.Ops[i]
		if !op.Client.Numbered() || h.Continues(i) || op.Class == history.ClassCanceled ||
			op.Class == history.ClassProtocol ||
			op.Class == history.ClassExit && op.Call <= death {
			continue
		}
		a := &all[op.Kind]
		if op.Whole {
			a = &all[kinds+int(op.Kind)]
		}
		a.count++
		if op.Outcome == history.OK || refuted(op) {
			a.succeeded++
		} else {
			a.classes[op.Class]++
		}
	}
	return all
}

func (a attempt) violation() Violation {
	classes := slices.SortedFunc(maps.Keys(a.classes), func(x, y history.Class) int {
		return cmp.Or(cmp.Compare(a.classes[y], a.classes[x]), cmp.Compare(x, y))
	})
	var parts []string
	for _, class := range classes {
		name := class.String()
		if class == history.ClassNone {
			name = "without a known error"
		}
		parts = append(parts, fmt.Sprintf("%d %s", a.classes[class], name))
	}
	return Violation{
		Anomaly: NothingSucceeds, Slot: NoSlot,
		Sentence: fmt.Sprintf("none of %s succeeded: %s", count(a.count, a.name()),
			strings.Join(parts, ", ")),
	}
}

// name is what one call is called: a word that takes an s where there are several.
func (a attempt) name() string {
	if a.act.Kind == history.Items {
		return "items call"
	}
	return a.act.String()
}

// overlaps reports whether two operations of different clients on one slot were under way at the
// same time. One of unknown outcome is not counted on: it may have ended at once.
func overlaps(h *history.History) bool {
	// The last operation on a slot is also the one that returned last, for as long as none of
	// different clients overlap: those of one client follow each other.
	type last struct {
		returned int64
		client   history.Client
	}
	slots := make([]last, len(h.Slots))
	for i := range slots {
		slots[i].returned = -never
	}
	for i := range h.Ops {
		op := &h.Ops[i]
		if !op.Client.Numbered() || op.Outcome == history.Unknown {
			continue
		}
		l := &slots[op.Slot]
		if l.client != op.Client && l.returned >= op.Call {
			return true
		}
		*l = last{op.Return, op.Client}
	}
	return false
}
