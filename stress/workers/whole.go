package workers

import (
	"memrace/stress/history"
	"memrace/stress/workload"
)

// performWhole makes one call on a whole session and notes it.
func (w *worker) performWhole(step workload.Step) bool {
	if step.Kind == history.Items {
		w.slots = append(w.slots[:0], step.Slot)
	} else {
		w.slots = w.plan.Session(w.slots[:0], step.Slot)
	}
	a := ask{act: step.Act, slot: w.plan.Slot(step.Slot)}
	w.begin()
	w.log.CallWhole(w.client, step.Kind, w.slots, w.called)
	return w.settle(w.store.call(a, func(r reply) { w.settle(r) }))
}

// findings are what the call on a whole session came back with. They are good until the next.
func (w *worker) findings(r reply) []history.Finding {
	if w.act.Kind == history.Items {
		w.found = itemFindings(w.found[:0], w.slots[0], r.items)
		return w.found
	}
	w.found = w.found[:0]
	for _, slot := range w.slots {
		w.found = append(w.found, history.Finding{Slot: slot})
	}
	for _, e := range r.entries {
		f := history.Finding{Text: e.Value, Found: true}
		place, known := w.plan.Key(e.Key)
		if known {
			f.Slot = w.slots[place]
		} else {
			session := w.plan.Slot(w.slots[0]).Session
			f.Stray = &history.Slot{Session: session, Key: e.Key}
		}
		if known && !w.found[place].Found {
			w.found[place] = f
		} else {
			w.found = append(w.found, f)
		}
	}
	return w.found
}

// itemFindings are what was found in the list of a session, in its order.
func itemFindings(dst []history.Finding, slot uint32, items []string) []history.Finding {
	for _, item := range items {
		dst = append(dst, history.Finding{Slot: slot, Text: item, Found: true})
	}
	return dst
}
