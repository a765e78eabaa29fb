package check

import (
	"errors"
	"fmt"

	"memrace/stress/history"
)

// replay plays an order of operations back against a register. It shares nothing with the code
// that found the order, so that no "holds" rests on that code alone.
type replay struct {
	seen []uint64 // one bit for each position
	// latest is the last call among the operations played so far.
	latest int64
	value  history.ValueID
}

func (r *replay) reset(n int) {
	words := (n + 63) / 64
	if cap(r.seen) < words {
		r.seen = make([]uint64, words)
	}
	r.seen = r.seen[:words]
	clear(r.seen)
	r.latest, r.value = -never, history.None
}

// verify plays the order that the sweep left and returns why it is no proof, or nil.
func (c *slotCheck) verify() error {
	r := &c.replay
	r.reset(len(c.order))
	for _, position := range c.sweep.order {
		if err := r.play(position, c.op(position)); err != nil {
			return err
		}
		if c.what[position] < 0 {
			continue
		}
		cl := &c.clusters[c.what[position]]
		for i := cl.first; i >= 0; i = c.next[i] {
			if i == cl.write {
				continue
			}
			if err := r.play(i, c.op(i)); err != nil {
				return err
			}
		}
	}
	return c.verifyComplete()
}

// verifyComplete returns an error if an operation is missing that took effect. It asks the
// history what that is, not what the search for the order made of it.
func (c *slotCheck) verifyComplete() error {
	for i := range c.order {
		op := c.op(int32(i))
		if op.Outcome != history.OK {
			continue
		}
		if op.Kind == history.Get && (!c.stage.includes(op.Client) || c.isAccused(op)) {
			continue
		}
		if c.replay.seen[i/64]>>(i%64)&1 == 0 {
			return fmt.Errorf("operation %d is missing", c.order[i])
		}
	}
	return nil
}

// isAccused reports whether isolation or integrity accuse the read.
func (c *slotCheck) isAccused(op *history.Op) bool {
	if op.Value == history.None {
		return false
	}
	_, from := c.x.source(c.slot, op.Value)
	return from == fromElsewhere || from == fromNowhere
}

var errDoesNotFit = errors.New("the value does not fit")

// play plays one operation. All operations before it must have been called by the time that it
// returned, or it would have come after one that it preceded.
func (r *replay) play(position int32, op *history.Op) error {
	bit := uint64(1) << (position % 64)
	switch {
	case r.seen[position/64]&bit != 0:
		return fmt.Errorf("position %d comes twice", position)
	case returned(op) < r.latest:
		return fmt.Errorf("position %d comes after one that was called later", position)
	case op.Outcome == history.NotApplied:
		return fmt.Errorf("position %d was not applied", position)
	}
	r.seen[position/64] |= bit
	r.latest = max(r.latest, op.Call)
	switch op.Kind {
	case history.Upsert:
		r.value = op.Value
	case history.Delete:
		r.value = history.None
	default:
		if op.Outcome != history.OK || op.Value != r.value {
			return fmt.Errorf("position %d: %w", position, errDoesNotFit)
		}
	}
	return nil
}
