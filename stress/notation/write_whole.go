package notation

import "memrace/stress/history"

// continues reports whether operation i is written in the event of the one before it. Calls that
// seem to be one by their times alone are not.
func continues(h *history.History, i int) bool {
	if !h.Continues(i) {
		return false
	}
	before, op := &h.Ops[i-1], &h.Ops[i]
	return before.Class == op.Class && (op.Kind != history.Items || op.Outcome == history.OK)
}

// partsOf returns the operations that are written in one event, of which i is the first.
func partsOf(h *history.History, i int) []history.Op {
	end := i + 1
	for end < len(h.Ops) && continues(h, end) {
		end++
	}
	return h.Ops[i:end]
}

// appendWhole appends the value of a call on a whole session, or of its return if that is ok.
func (e *ednWriter) appendWhole(dst []byte, parts []history.Op, ok bool) []byte {
	items := parts[0].Kind == history.Items
	if items && !ok {
		return append(dst, "nil"...)
	}
	if items && len(parts) == 1 && parts[0].Value == history.None {
		return append(dst, "[]"...)
	}
	opening := byte('[')
	for _, p := range parts {
		dst = append(dst, opening)
		opening = ' '
		switch key := e.h.Slots[p.Slot].Key; {
		case items:
			dst = e.appendValue(dst, p.Value)
		case ok && p.Kind == history.Get:
			dst = append(appendText(append(dst, '['), key), ' ')
			dst = append(e.appendValue(dst, p.Value), ']')
		default:
			dst = appendText(dst, key)
		}
	}
	return append(dst, ']')
}
