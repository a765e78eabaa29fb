package check

import (
	"fmt"

	"memrace/stress/history"
)

// accused is what reads and rows say about isolation and integrity.
type accused struct{ isolation, integrity Verdict }

// accuse makes the verdicts on isolation and integrity, which both go by where a value comes
// from. The slots have been scanned already, so that the history need not be gone through again
// if no read of theirs was left out.
func (j *judge) accuse(slots *slotsJudged) accused {
	isolation, integrity := j.tally(Isolation), j.tally(Integrity)
	switch {
	case len(j.rows()) > 0:
	case slots.cut == nil && slots.reads == 0:
		isolation.undecided(noReads)
		integrity.undecided(noReads)
	case j.blind:
		isolation.undecided(noValues)
		integrity.undecided(noValues)
	}
	dumped := map[slotValue]bool{}
	if slots.cut != nil || slots.accused > 0 {
		dumped = j.accuseReads(isolation, integrity)
	}
	j.judgeRows(isolation, integrity, dumped)
	if damage := j.h.MetaValue("damage"); damage != "" {
		integrity.add(func() Violation {
			return Violation{Anomaly: DamagedStore, Slot: NoSlot,
				Sentence: "opened again, the store says that it is damaged: " + damage}
		})
	}
	return accused{isolation.verdict, integrity.verdict}
}

const noReads = "no read succeeded, so there is nothing to judge"

// accuseReads looks at each read, and returns what reads of the dump were accused of.
func (j *judge) accuseReads(isolation, integrity *tally) map[slotValue]bool {
	dumped := map[slotValue]bool{}
	for i := range j.h.Ops {
		from, is := j.x.accusation(i)
		if !is {
			continue
		}
		if op := &j.h.Ops[i]; op.Client == history.Dumped {
			dumped[slotValue{op.Slot, op.Value}] = true
		}
		t := isolation
		if from == fromNowhere {
			t = integrity
		}
		t.add(func() Violation { return j.explainRead(i, from) })
	}
	return dumped
}

// accusation reports whether the operation is a read of a value that no write to its slot
// explains, and where the value comes from instead.
func (x *index) accusation(i int) (origin, bool) {
	op := &x.h.Ops[i]
	value := seenBy(op)
	if op.Outcome != history.OK || value == history.None {
		return 0, false
	}
	_, from := x.of(op).source(op.Slot, value)
	return from, from == fromElsewhere || from == fromNowhere
}

func (j *judge) explainRead(i int, from origin) Violation {
	writer, written := writeOf(j.h, seenBy(&j.h.Ops[i]))
	if !written {
		writer = -1
	}
	return accusation(j.h, i, writer, from)
}

// accusation is the violation that a read is, together with the write of its value; writer is -1
// if there is none.
func accusation(h *history.History, reader, writer int, from origin) Violation {
	v := Violation{Property: Integrity, Slot: h.Ops[reader].Slot}
	v.Ops = distinct(reader, writer)
	switch {
	case from == fromElsewhere:
		v.Property = Isolation
		v.Anomaly = mixup(h.Slots[v.Slot], h.Slots[h.Ops[writer].Slot])
		v.Sentence = fmt.Sprintf("%s in %s, which %s", read(h, reader),
			home(h, &h.Ops[reader]), writing(h, writer))
	case writer >= 0:
		v.Anomaly = FailedWriteRead
		v.Sentence = fmt.Sprintf("%s, although %s", read(h, reader), refusal(h, writer))
	default:
		v.Anomaly = ValueFromNowhere
		v.Sentence = fmt.Sprintf("%s, which nobody wrote%s", read(h, reader),
			guess(h, seenBy(&h.Ops[reader])))
	}
	return v
}

// mixup names what it means that a value of one slot is found in another.
func mixup(found, written history.Slot) Anomaly {
	if found.Session == written.Session {
		return CrossKeyMixup
	}
	return CrossSessionLeak
}

// refusal is a clause on a write that was not applied.
func refusal(h *history.History, writer int) string {
	op := h.Ops[writer]
	why := ""
	if op.Class != 0 {
		why = " (" + op.Class.String() + ")"
	}
	return fmt.Sprintf("%s's write of it was refused%s and must leave nothing behind",
		who(op.Client), why)
}
