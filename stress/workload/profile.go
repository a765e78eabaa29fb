package workload

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"memrace/stress/history"
)

// Profile is a named workload.
type Profile struct {
	Name string
	// Purpose is one sentence on what the profile is good at.
	Purpose string
	// Defaults are the numbers that it takes where a Spec gives none.
	Defaults Spec
}

// chooser returns the next step of a client; false if there is none.
type chooser func(*Steps) (Step, bool)

type profile struct {
	Profile
	choose  chooser
	hostile bool // names are hostile
	items   bool // sessions have a list of items instead of keys
}

// Profiles returns the profiles, the default one first.
func Profiles() []Profile {
	var list []Profile
	for _, p := range profiles() {
		list = append(list, p.Profile)
	}
	return list
}

const (
	defaultClients   = 8
	defaultValueSize = 64
	// maxBirths is how many slots the profile births has by default.
	maxBirths = 1 << 18
	// birthSteps is how many steps each client makes on a newborn slot, churnSteps how many in
	// a row on one slot of the profile churn.
	birthSteps, churnSteps = 4, 4
	// chatSteps is how many steps each client makes on the list of one session: enough for others
	// to come between, and few enough that the lists stay short.
	chatSteps = 8
	// blockSteps is how many steps each client makes on one block of hostile names. A few are
	// enough, since all clients make them, and the fewer, the sooner all names have had a turn.
	blockSteps = 2
	// thinkOneIn is of how many updates one thinks: enough that others come between, and few
	// enough that a store which locks all others out meanwhile gets on.
	thinkOneIn = 4
)

func profiles() []profile {
	return []profile{
		define("uniform", "all slots alike: the everyday load", uniform, 8, 8,
			Mix{Upsert: 50, Get: 40, Delete: 10}),
		define("hot", "few slots and all clients on them: stale reads, lost writes", uniform, 2, 2,
			Mix{Upsert: 50, Get: 45, Delete: 5}),
		define("births",
			"all clients step onto fresh slots together: check-then-insert, duplicates",
			births, 4, maxBirths/4, Mix{Upsert: 60, Get: 30, Delete: 10}),
		define("churn", "delete and write again on few slots: resurrected deletes, lost values",
			churn, 2, 2, Mix{Upsert: 40, Get: 30, Delete: 30}),
		define("names", "session and key names that are easily taken for each other: isolation",
			hostile, hostileCount(), hostileCount(), Mix{Upsert: 45, Get: 45, Delete: 10}),
		define("updates", "read, change and write on few slots by all clients: lost updates",
			uniform, 2, 2, Mix{Upsert: 10, Get: 20, Update: 70}).thinking(100 * time.Microsecond),
		define("takes", "take what others write on few slots: values that two get, or nobody",
			uniform, 2, 2, Mix{Upsert: 35, Get: 15, Delete: 5, Update: 15, Take: 30}),
		define("sessions", "list and clear whole sessions while others write: read skew",
			uniform, 2, 4, Mix{Upsert: 55, Get: 10, List: 30, Clear: 5}),
		define("chat", "add items to lists and read them in order: lost, doubled, reordered items",
			chat, 1<<16, 1, Mix{Add: 60, Items: 40}),
	}
}

func (p profile) thinking(d time.Duration) profile {
	p.Defaults.Think = d
	return p
}

func define(name, purpose string, choose chooser, sessions, keys int, mix Mix) profile {
	return profile{
		Profile: Profile{Name: name, Purpose: purpose, Defaults: Spec{
			Profile: name, Clients: defaultClients, Sessions: sessions, Keys: keys,
			Mix: mix, ValueSize: defaultValueSize,
		}},
		choose: choose, hostile: name == "names", items: mix.items(),
	}
}

// findProfile returns the profile of that name; the empty name is that of the first.
func findProfile(name string) (profile, error) {
	list := profiles()
	if name == "" {
		return list[0], nil
	}
	var names []string
	for _, p := range list {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return profile{}, fmt.Errorf("unknown profile %q; there are %s",
		name, strings.Join(names, ", "))
}

// plainName names slots s0, s1, ... or k0, k1, ...
func plainName(letter byte) func(int) string {
	return func(n int) string { return string(letter) + strconv.Itoa(n) }
}

func (s *Steps) slots() int { return s.spec.Sessions * s.spec.Keys }

func uniform(s *Steps) (Step, bool) {
	return Step{Act: s.spec.Mix.pick(s.rand), Slot: uint32(s.rand.IntN(s.slots()))}, true
}

// churn stays on a slot for a few steps, so that a client writes again what it just deleted.
func churn(s *Steps) (Step, bool) {
	if s.done%churnSteps == 0 {
		s.slot = uint32(s.rand.IntN(s.slots()))
	}
	return Step{Act: s.spec.Mix.pick(s.rand), Slot: s.slot}, true
}

// births takes the slots in the order of their numbers, the same for all clients. Neighbours have
// different sessions, so the same key is born in several of them one shortly after the other.
func births(s *Steps) (Step, bool) {
	n := s.done / birthSteps
	if n >= s.slots() {
		return Step{}, false
	}
	step := Step{Act: s.spec.Mix.pick(s.rand), Slot: uint32(n)}
	step.Meet = s.done%birthSteps == 0
	if step.Meet && s.spec.Mix.Upsert > 0 {
		step.Act = history.Act{Kind: history.Upsert}
	}
	return step, true
}

// hostile takes the blocks one after the other, the same for all clients, so that the few slots
// of a block, which are easily taken for each other, are in use at the same time.
func hostile(s *Steps) (Step, bool) {
	b := s.blocks[s.done/blockSteps%len(s.blocks)]
	session := b.session + s.rand.IntN(b.sessions)
	key := b.key + s.rand.IntN(b.keys)
	return Step{
		Act: s.spec.Mix.pick(s.rand), Slot: uint32(key*s.spec.Sessions + session),
	}, true
}

// chat takes the sessions in the order of their numbers, the same for all clients. Where a list has
// a bound, whoever has used up a share of it reads.
func chat(s *Steps) (Step, bool) {
	n := s.done / chatSteps
	if n >= s.slots() {
		return Step{}, false
	}
	step := Step{Act: s.spec.Mix.pick(s.rand), Slot: uint32(n), Meet: s.done%chatSteps == 0}
	if step.Meet {
		s.added = 0
	}
	if step.Kind == history.Add {
		if s.added == s.quota {
			step.Act = history.Act{Kind: history.Items, Whole: true}
		} else {
			s.added++
		}
	}
	return step, true
}
