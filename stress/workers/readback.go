package workers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"memrace/store"
	"memrace/stress/history"
)

// used returns the slots that the workload has used, in ascending order. Rather than to note
// each slot at each call, the clients' steps are taken once more: they are the same.
func (r *Run) used() []uint32 {
	set := make(map[uint32]bool)
	for i, w := range r.workers {
		if w.recorder == nil && !w.left.Load() {
			continue
		}
		steps := r.plan.Client(i)
		for range w.begun {
			step, _ := steps.Next()
			if step.Kind.Writes() || !step.Whole {
				set[step.Slot] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// ReadBack reads every slot that the workload used once, in the order of their numbers, and
// records that as the given client, which is history.Final or history.Reopened, on the clock of
// the run. A read that fails is recorded like any other; the error says that the reading itself
// was ended, by ctx or by History. Each read gets ctx as it is, whatever Config.CallTimeout
// says, and a store that hangs keeps ReadBack.
func (r *Run) ReadBack(ctx context.Context, s store.Store, client history.Client) error {
	slots := r.used()
	log := r.newRecorder(len(slots))
	defer log.Done()
	c := newCaller(ctx, s, 0)
	for i, slot := range slots {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read back: ended after %d of %d slots: %w", i, len(slots), err)
		}
		if !r.readOne(log, &c, client, slot) {
			return fmt.Errorf("read back: %w after %d of %d slots", errGivenUp, i, len(slots))
		}
	}
	return nil
}

// readOne reads one slot, or the list of a session where the workload is about lists.
func (r *Run) readOne(
	log *history.Recorder, c *caller, client history.Client, slot uint32,
) bool {
	a := ask{act: history.Act{Kind: history.Get}, slot: r.plan.Slot(slot)}
	if r.itemized() {
		a.act = history.Act{Kind: history.Items, Whole: true}
		log.CallWhole(client, history.Items, []uint32{slot}, r.now())
	} else {
		log.Call(client, history.Get, slot, 0, r.now())
	}
	return r.settle(log, slot, c.call(a, func(reply) {}))
}

// itemized reports whether the workload is about lists of items rather than slots.
func (r *Run) itemized() bool { return r.spec.Mix.Add+r.spec.Mix.Items > 0 }

var errGivenUp = errors.New("given up")

// settle notes the reply to a read. It reports false if the reader was given up.
func (r *Run) settle(log *history.Recorder, slot uint32, reply reply) bool {
	at := r.now()
	if reply.err == nil && r.itemized() {
		return log.FoundWhole(at, itemFindings(nil, slot, reply.items))
	}
	if reply.err == nil {
		return log.Found(at, reply.text, reply.found)
	}
	outcome, class := judge(reply.err)
	text := reply.err.Error()
	if !log.Return(at, outcome, class) {
		return false
	}
	if _, known := r.FirstErrors[class]; !known {
		r.FirstErrors[class] = text
	}
	return true
}

// Dump lists the rows of a store and records for each slot that the workload used what its row
// says, as a read by the client history.Dumped from the beginning to the end of the listing.
// A slot that has several rows, or one that is not all text, says nothing and is left out.
// Items are no rows. The error is that of the store, as it is.
func (r *Run) Dump(ctx context.Context, d store.Dumper) ([]store.Row, error) {
	from := r.now()
	rows, err := d.Dump(ctx)
	if err != nil {
		return nil, err
	}
	to := r.now()
	if r.itemized() {
		return rows, nil
	}
	slots, texts := r.used(), textsBySlot(rows)
	log := r.newRecorder(len(slots))
	defer log.Done()
	for _, slot := range slots {
		text, found := texts[r.plan.Slot(slot)]
		if found && text == nil {
			continue
		}
		log.Call(history.Dumped, history.Get, slot, 0, from)
		if found {
			log.Found(to, *text, true)
		} else {
			log.Found(to, "", false)
		}
	}
	return rows, nil
}

// textsBySlot returns the value of each slot that has a row. The value is nil where rows do not
// say what a Get would find: a key that is kept as a blob, or as the number that it looks like,
// is the slot's as well.
func textsBySlot(rows []store.Row) map[history.Slot]*string {
	texts := make(map[history.Slot]*string, len(rows))
	for i := range rows {
		row := &rows[i]
		slot := history.Slot{Session: row.Session.Text, Key: row.Key.Text}
		_, twice := texts[slot]
		text := row.Session.Type == store.Text && row.Key.Type == store.Text &&
			row.Value.Type == store.Text
		if twice || !text {
			texts[slot] = nil
		} else {
			texts[slot] = &row.Value.Text
		}
	}
	return texts
}
