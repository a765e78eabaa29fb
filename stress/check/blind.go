package check

import "memrace/stress/history"

// noValues is why nothing is judged where values were written and none was ever read.
const noValues = "values were written, reads failed, and no read returned a value, so there is " +
	"nothing to judge"

// blind reports whether writes were acknowledged and reads tried, and no read returned a value
// while some failed: the reads that found nothing are perhaps the only ones that can succeed.
func blind(h *history.History) bool {
	failed, written := false, false
	for i := range h.Ops {
		op := &h.Ops[i]
		switch ok := op.Outcome == history.OK; {
		case ok && seenBy(op) != history.None:
			return false
		case ok && op.Kind.Writes() && op.Value != history.None:
			written = true
		case !ok && op.Kind.Reads():
			failed = true
		}
	}
	return failed && written
}
