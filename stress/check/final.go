package check

import (
	"fmt"
	"strings"

	"memrace/stress/history"
)

// stageNames are what the clients that read after the workload do, in the order in which they do.
var stageNames = []struct {
	client history.Client
	name   string
}{
	{history.Final, "reading back"},
	{history.Dumped, "the dump"},
	{history.Reopened, "reading after reopening"},
}

// finalValue makes the verdict on what was read after the end of the workload.
func (j *judge) finalValue(slots *slotsJudged) Verdict {
	t := j.tally(FinalValue)
	attempted, succeeded := j.countStages()
	if attempted == [3]int{} {
		t.verdict.State = Skipped
		t.verdict.Reason = "nothing was read after the end of the workload"
		return t.verdict
	}
	t.verdict.Notes = stageNotes(attempted, succeeded)
	before, lost := 0, j.newLoss()
	for _, v := range slots.verdicts {
		if v.operations != Violated && v.final == Violated && v.stage == withReopened {
			lost.add(j.x, v)
		}
		switch {
		case v.operations == Violated:
			before++
		case v.final == Violated && lost.forgives(v):
		case v.final == Violated:
			t.add(func() Violation { return j.explainSlot(v) })
		case v.final == Undecided:
			t.undecided(v.reason)
		}
	}
	loss, note := lost.result()
	if t.verdict.Loss = loss; loss != nil {
		t.verdict.Notes = append(t.verdict.Notes, note)
	}
	j.finishFinal(t, slots, before)
	for i, stage := range stageNames {
		switch failed := attempted[i] - succeeded[i]; {
		case attempted[i] == 0:
		case succeeded[i] == 0:
			t.undecided(fmt.Sprintf("%s failed on every slot", stage.name))
		case failed > succeeded[i]:
			t.undecided(fmt.Sprintf("%s failed on %d of %s", stage.name, failed,
				count(attempted[i], "slot")))
		}
	}
	return t.verdict
}

// finishFinal accounts for the slots whose final reads were not judged.
func (j *judge) finishFinal(t *tally, slots *slotsJudged, before int) {
	if before > 0 {
		t.verdict.Notes = append(t.verdict.Notes, fmt.Sprintf(
			"left out: %s on which the operations before are wrong already", count(before, "slot")))
	}
	if before > 0 && before == j.slotsReadAtEnd(slots) {
		t.undecided("on every slot the operations before are wrong already")
	}
	if slots.cut != nil {
		t.undecided(fmt.Sprintf("judging was cut short: %v", slots.cut))
	}
}

// slotsReadAtEnd returns on how many slots a read after the end of the workload succeeded, and
// those that are wrong already whether it did or not.
func (j *judge) slotsReadAtEnd(slots *slotsJudged) int {
	type home struct {
		slot  uint32
		items bool
	}
	read := map[home]bool{}
	for _, v := range slots.verdicts {
		if v.operations == Violated {
			read[home{v.slot, v.items}] = true
		}
	}
	for i := range j.h.Ops {
		if op := &j.h.Ops[i]; !op.Client.Numbered() && op.Outcome == history.OK {
			read[home{op.Slot, isItem(op)}] = true
		}
	}
	return len(read)
}

// countStages counts the reads that were attempted after the workload, and those that succeeded,
// in the order of stageNames.
func (j *judge) countStages() (attempted, succeeded [3]int) {
	for i := range j.h.Ops {
		op := &j.h.Ops[i]
		if op.Client.Numbered() || j.h.Continues(i) {
			continue
		}
		for s, stage := range stageNames {
			if stage.client != op.Client {
				continue
			}
			attempted[s]++
			if op.Outcome == history.OK {
				succeeded[s]++
			}
		}
	}
	return attempted, succeeded
}

// stageNotes say which stages failed in part or in full, which were judged and which not done. One
// of which every read failed was not judged.
func stageNotes(attempted, succeeded [3]int) (notes []string) {
	var done, missing []string
	for i, stage := range stageNames {
		if failed := attempted[i] - succeeded[i]; failed > 0 {
			notes = append(notes, fmt.Sprintf("%s failed on %d of %s", stage.name, failed,
				count(attempted[i], "slot")))
		}
		switch {
		case attempted[i] == 0:
			missing = append(missing, stage.name)
		case succeeded[i] > 0:
			done = append(done, stage.name)
		}
	}
	if len(done) > 0 {
		notes = append(notes, "judged: "+strings.Join(done, ", "))
	}
	if len(missing) > 0 {
		notes = append(notes, "not done: "+strings.Join(missing, ", "))
	}
	return notes
}

// count returns a number and what it counts: "1 slot", "2 slots".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
