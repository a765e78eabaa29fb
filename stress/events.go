package stress

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"memrace/stress/fault"
	"memrace/stress/history"
)

// eventName is the header line of an event: when it was, and what.
const eventName = "event"

// eventMeta is an event as the header of a history has it: "event: 12345678 killed, back after
// 9ms".
func (x *experiment) eventMeta(e fault.Event) history.Meta {
	return history.Meta{Name: eventName, Value: fmt.Sprintf("%d %v", x.run.At(e.At), e)}
}

// meanwhile is a sentence on what was done to the store between the first call of the operations
// and the last return, with a blank before it; empty if nothing was.
func meanwhile(h *history.History, ops []int) string {
	if len(ops) == 0 {
		return ""
	}
	from, to := h.Ops[ops[0]].Call, int64(0)
	for _, i := range ops {
		from, to = min(from, h.Ops[i].Call), max(to, h.Ops[i].Call, h.Ops[i].Return)
	}
	var events []string
	for _, m := range h.Meta {
		when, what, _ := strings.Cut(m.Value, " ")
		at, err := strconv.ParseInt(when, 10, 64)
		if m.Name != eventName || err != nil || at < from || at > to {
			continue
		}
		events = append(events, fmt.Sprintf("at %v it was %s",
			time.Duration(at).Round(10*time.Microsecond), what))
	}
	switch n := len(events); {
	case n == 0:
		return ""
	case n > maxEvents:
		events = append(events[:maxEvents], fmt.Sprintf("and so on, %d times in all", n))
	}
	return " Meanwhile the store was hurt: " + strings.Join(events, "; ") + "."
}

// maxEvents is how many events a story names.
const maxEvents = 3
