package check_test

import (
	"fmt"
	"slices"

	"memrace/store"
	"memrace/stress/history"
)

// deed is a call of a small history of one session, in which each value is a number and 0 is
// nothing.
type deed struct {
	call, ret int64
	client    int
	kind      history.Act
	key       int // of a call on one slot
	value     int // that it writes
	// sees is what it saw, by key; -1 for a key that it did not look at.
	sees    []int
	unknown bool
}

// touches reports whether the deed changes the key.
func (d *deed) touches(key int) bool {
	return d.kind.Kind != history.Get && (d.kind.Whole || d.key == key)
}

// after returns what the keys hold after the deed, and false if it cannot have seen what it saw.
func (d *deed) after(keys []int) ([]int, bool) {
	for k, seen := range d.sees {
		if seen >= 0 && keys[k] != seen {
			return nil, false
		}
	}
	keys = slices.Clone(keys)
	for k := range keys {
		if d.touches(k) {
			keys[k] = d.value
		}
	}
	return keys, true
}

// look makes the deed see what the keys hold.
func (d *deed) look(keys []int) {
	for k := range d.sees {
		if d.unknown {
			return
		}
		one := d.key == k && (d.kind.Kind == history.Update || d.kind.Kind == history.Take ||
			d.kind.Kind == history.Get)
		if d.kind.Whole && d.kind.Kind == history.Get || !d.kind.Whole && one {
			d.sees[k] = keys[k]
		}
	}
}

// orders tries all orders, and remembers where it has been.
type orders struct {
	deeds     []deed
	journaled bool
	done      []bool
	tried     map[place]bool
}

// place is where a search has been: which deeds are done, what the keys hold, and how many commits
// are to come.
type place struct {
	done, keys string
	commits    int
}

// possible tries all orders. With commits, only those count that make the same changes.
func possible(deeds []deed, keys int, commits []store.Commit, journaled bool) bool {
	o := orders{deeds, journaled, make([]bool, len(deeds)), map[place]bool{}}
	return o.try(make([]int, keys), commits)
}

func (o *orders) try(state []int, commits []store.Commit) bool {
	missing := o.journaled && len(commits) > 0
	for i := range o.deeds {
		missing = missing || !o.done[i] && !o.deeds[i].unknown
	}
	if !missing {
		return true
	}
	here := place{fmt.Sprint(o.done), fmt.Sprint(state), len(commits)}
	if o.tried[here] {
		return false
	}
	o.tried[here] = true
	for i := range o.deeds {
		if o.done[i] || !o.free(i) {
			continue
		}
		next, ok := o.deeds[i].after(state)
		rest := commits
		if ok && o.journaled {
			rest, ok = cutCommits(commits, changes(0, state, next))
		}
		if !ok {
			continue
		}
		o.done[i] = true
		found := o.try(next, rest)
		o.done[i] = false
		if found {
			return true
		}
	}
	return false
}

// free reports whether nothing that is still to come had returned before the deed was called.
func (o *orders) free(i int) bool {
	for j, d := range o.deeds {
		if !o.done[j] && !d.unknown && d.ret < o.deeds[i].call {
			return false
		}
	}
	return true
}

// cutCommits takes the changes off the front of the commits, as one transaction.
func cutCommits(commits, made []store.Commit) ([]store.Commit, bool) {
	if len(made) > len(commits) {
		return nil, false
	}
	for i, m := range made {
		c := commits[i]
		if c.Transaction != commits[0].Transaction || c.Key != m.Key || c.Value != m.Value {
			return nil, false
		}
	}
	rest := commits[len(made):]
	whole := len(made) == 0 || len(rest) == 0 || rest[0].Transaction != commits[0].Transaction
	return rest, whole
}
