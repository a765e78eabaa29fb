package check

import "memrace/stress/history"

// Replay plays an order of the operations of a history of one slot back, as Judge does with the
// order that it found, and returns why the order proves nothing.
func Replay(h *history.History, order ...int32) error {
	c := &slotCheck{x: newIndex(h)}
	c.load(0, withReopened)
	c.sweep.order = order
	return c.verify()
}
