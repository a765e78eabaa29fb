package check

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// answer is what was found out about one slot with the reads of one stage.
type answer struct {
	state State // Holds, Undecided or Violated
	fault fault
	// reason says why the state is Undecided.
	reason string
}

// decide judges a slot with the reads of a stage: by zones and sweep, or by search where values
// repeat.
func (c *slotCheck) decide(slot uint32, until stage) answer {
	c.load(slot, until)
	return c.decideLoaded()
}

func (c *slotCheck) decideLoaded() answer {
	if c.unclear {
		return c.search()
	}
	f, ok := c.classify()
	if ok {
		f, ok = c.place()
	}
	if !ok {
		return answer{state: Violated, fault: f}
	}
	if err := c.verify(); err != nil {
		return answer{state: Undecided, reason: fmt.Sprintf("the check of %s contradicts itself "+
			"(%v); please report this as a bug of memrace, with the history",
			slotName(c.x.h, c.slot), err)}
	}
	return answer{state: Holds}
}

// slotVerdict is what is to be said of a slot that does not simply hold. Operations is about what
// clients did, final about the reads after that.
type slotVerdict struct {
	slot       uint32
	items      bool // it is about the list of that number
	operations State
	final      State
	stage      stage // the first one that is violated
	reason     string
}

// judge judges the slot that is loaded with all reads. It begins with these, since a history that
// is linearizable stays so without some of them; only what fails is looked at closer.
func (c *slotCheck) judge() slotVerdict {
	slot := c.slot
	return judgeStages(slot, c.decideLoaded(), func(until stage) answer {
		return c.decide(slot, until)
	})
}

// judgeStages is judge, given the answer with all reads.
func judgeStages(slot uint32, all answer, decide func(stage) answer) slotVerdict {
	v := slotVerdict{slot: slot, operations: Holds, final: Holds, stage: withReopened}
	if all.state == Holds {
		return v
	}
	v.final, v.reason = all.state, all.reason
	base := decide(operations)
	v.operations = base.state
	switch base.state {
	case Violated:
		v.stage = operations
		return v
	case Undecided:
		v.reason = base.reason
		return v
	}
	if all.state == Violated && decide(withFinal).state == Violated {
		v.stage = withFinal
	}
	return v
}

// slotCheck returns a check of slots, one after the other.
func (j *judge) slotCheck() *slotCheck { return &slotCheck{x: j.x, searchLimit: j.searchLimit} }

// slotsJudged is what was found out about all slots.
type slotsJudged struct {
	// verdicts are those of slots that do not simply hold, by slot.
	verdicts []slotVerdict
	// notes are about slots whose values repeat.
	notes []string
	// reads is how many reads succeeded, clientReads how many of them were by clients of the
	// workload and judged, accused how many were left to isolation and integrity.
	reads, clientReads, accused int
	// cut says why not all slots were judged; nil if they were.
	cut error
}

// judgeSlots judges all slots, several at a time.
func (j *judge) judgeSlots(ctx context.Context) *slotsJudged {
	var (
		all  slotsJudged
		mu   sync.Mutex
		next atomic.Int64
	)
	group, ctx := errgroup.WithContext(ctx)
	for range min(runtime.GOMAXPROCS(0), len(j.h.Slots)) {
		group.Go(func() error {
			c, lists := j.slotCheck(), j.listCheck()
			var mine slotsJudged
			for {
				slot := uint32(next.Add(1) - 1)
				if int(slot) >= len(j.h.Slots) {
					break
				}
				if err := ctx.Err(); err != nil {
					mine.cut = err
					break
				}
				mine.add(c, slot)
				mine.addList(lists, slot)
			}
			mu.Lock()
			defer mu.Unlock()
			all.merge(&mine)
			return mine.cut
		})
	}
	all.cut = group.Wait()
	slices.SortStableFunc(all.verdicts, func(a, b slotVerdict) int {
		return cmp.Compare(a.slot, b.slot)
	})
	slices.Sort(all.notes)
	return &all
}

func (s *slotsJudged) merge(other *slotsJudged) {
	s.verdicts = append(s.verdicts, other.verdicts...)
	s.notes = append(s.notes, other.notes...)
	s.reads += other.reads
	s.clientReads += other.clientReads
	s.accused += other.accused
}

func (s *slotsJudged) add(c *slotCheck, slot uint32) {
	if c.x.start[slot] == c.x.start[slot+1] {
		return
	}
	c.load(slot, withReopened)
	s.reads += c.reads
	s.clientReads += c.clientReads
	s.accused += c.accused
	if c.unclear {
		s.notes = append(s.notes, c.whySearch())
	}
	s.addVerdict(c.judge())
}

// addList adds the list of that number, if there is one.
func (s *slotsJudged) addList(c *listCheck, slot uint32) {
	if c.x == nil || c.x.start[slot] == c.x.start[slot+1] {
		return
	}
	all := c.decide(slot, withReopened)
	s.reads += len(c.reads)
	s.clientReads += c.clientReads
	s.accused += c.accused
	v := judgeStages(slot, all, func(until stage) answer { return c.decide(slot, until) })
	v.items = true
	s.addVerdict(v)
}

func (s *slotsJudged) addVerdict(v slotVerdict) {
	if v.operations != Holds || v.final != Holds {
		s.verdicts = append(s.verdicts, v)
	}
}

// linearizability makes the verdict on what clients did.
func (j *judge) linearizability(slots *slotsJudged) Verdict {
	t := j.tally(Linearizability)
	t.verdict.Notes = limitNotes(slots.notes)
	switch {
	case slots.clientReads == 0:
		t.undecided(noReads)
	case j.blind:
		t.undecided(noValues)
	}
	for _, v := range slots.verdicts {
		switch v.operations {
		case Violated:
			t.add(func() Violation { return j.explainSlot(v) })
		case Undecided:
			t.undecided(v.reason)
		}
	}
	if slots.cut != nil {
		t.undecided(fmt.Sprintf("judging was cut short: %v", slots.cut))
	}
	return t.verdict
}

const maxNotes = 3

// limitNotes keeps the first notes and says how many more there are.
func limitNotes(notes []string) []string {
	if len(notes) <= maxNotes {
		return notes
	}
	more := fmt.Sprintf("so it is on %d more slots", len(notes)-maxNotes)
	return append(slices.Clone(notes[:maxNotes]), more)
}

// explainSlot finds the violation of a slot again and puts it into words.
func (j *judge) explainSlot(v slotVerdict) Violation {
	if v.items {
		return j.listCheck().explain(v.slot, v.stage)
	}
	c := j.slotCheck()
	found := c.decide(v.slot, v.stage)
	if found.state != Violated {
		return Violation{Slot: v.slot, Anomaly: NotLinearizable,
			Sentence: "a search found no order of the operations, but did not find that again"}
	}
	return c.reduce(found.fault).violationAt(v.stage, j.h)
}
