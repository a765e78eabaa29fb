package check

import (
	"slices"
	"strconv"
	"strings"

	"memrace/stress/history"
)

// What the header line of an event says, behind its time, of a store that was killed or lost power.
const (
	killed    = "killed"
	powerless = "cut off from power"
)

// lastEvent returns when one of the events with these beginnings happened last, in nanoseconds from
// the start of the run; -1 if none did.
func lastEvent(h *history.History, beginnings ...string) (at int64) {
	at = -1
	for _, m := range h.Meta {
		when, what, _ := strings.Cut(m.Value, " ")
		is := slices.ContainsFunc(beginnings, func(b string) bool {
			return strings.HasPrefix(what, b)
		})
		if t, err := strconv.ParseInt(when, 10, 64); m.Name == "event" && is && err == nil {
			at = max(at, t)
		}
	}
	return at
}
