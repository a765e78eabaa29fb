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
	c.replay.reset(len(c.order))
	for _, position := range c.sweep.order {
		if err := c.playNext(position); err != nil {
			return err
		}
		if c.what[position] < 0 {
			continue
		}
		if err := c.playBlock(c.what[position]); err != nil {
			return err
		}
	}
	return c.verifyComplete()
}

// playBlock plays all operations of a block but the first write.
func (c *slotCheck) playBlock(head int32) error {
	for number := head; ; {
		cl := &c.clusters[number]
		for i := cl.first; i >= 0; i = c.next[i] {
			if i == cl.write {
				continue
			}
			if err := c.playNext(i); err != nil {
				return err
			}
		}
		if len(c.chains) == 0 || c.chains[number].consumer == 0 {
			return nil
		}
		if err := c.playNext(c.chains[number].consumer - 1); err != nil {
			return err
		}
		if c.chains[number].after == 0 {
			return nil
		}
		number = c.chains[number].after - 1
	}
}

// playNext plays an operation. What it saw does not count if that is accused.
func (c *slotCheck) playNext(position int32) error {
	op := c.op(position)
	err := c.replay.play(position, op)
	if errors.Is(err, errDoesNotFit) && op.Kind != history.Get && c.isAccused(op) {
		return nil
	}
	return err
}

// verifyComplete returns an error if an operation is missing that took effect. It asks the
// history what that is, not what the search for the order made of it.
func (c *slotCheck) verifyComplete() error {
	for i := range c.order {
		op := c.op(int32(i))
		if op.Outcome != history.OK || c.replay.seen[i/64]>>(i%64)&1 == 1 {
			continue
		}
		if op.Kind != history.Get || c.stage.includes(op.Client) && !c.isAccused(op) {
			return fmt.Errorf("operation %d is missing", c.order[i])
		}
	}
	return nil
}

// isAccused reports whether isolation or integrity accuse what the operation saw.
func (c *slotCheck) isAccused(op *history.Op) bool {
	value := seenBy(op)
	if value == history.None {
		return false
	}
	_, from := c.x.source(c.slot, value)
	return from == fromElsewhere || from == fromNowhere
}

// seenBy returns the value that an operation found, took or replaced, and None for one that says
// nothing of what it saw.
func seenBy(op *history.Op) history.ValueID {
	switch op.Kind {
	case history.Get, history.Take, history.Items:
		return op.Value
	case history.Update:
		return op.Seen
	}
	return history.None
}

var errDoesNotFit = errors.New("the value does not fit")

// play plays one operation. All operations before it must have been called by the time that it
// returned, or it would have come after one that it preceded. If only what it saw does not fit, it
// has taken effect.
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
	seen := seenBy(op)
	known := op.Outcome == history.OK
	telling := op.Kind.Reads() && (known || seen != history.None)
	fits := (!telling || seen == r.value) && (op.Kind != history.Get || known)
	switch op.Kind {
	case history.Upsert, history.Update:
		r.value = op.Value
	case history.Delete, history.Take:
		r.value = history.None
	}
	if !fits {
		return fmt.Errorf("position %d: %w", position, errDoesNotFit)
	}
	return nil
}
