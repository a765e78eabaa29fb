// Package workload is what each client does next, from the seed alone: the same seed gives a
// client the same steps, whatever the scheduling, the number of operations or the other clients.
//
// It calls no store and knows no time; playing the steps is the business of workers.
package workload

import (
	"math/rand/v2"
	"time"

	"memrace/stress/history"
)

// Step is what a client is to do next.
type Step struct {
	history.Act
	// Slot is a number that Plan.Slot turns into names. For a call on a whole session it is the
	// first of the session's.
	Slot uint32
	// Meet asks the client to wait first for all others that still run, so that they step onto
	// the slot together. The n-th meeting of one client is the n-th of all.
	Meet bool
	// Think is how long the client is to think amid an Update; 0 means not at all.
	Think time.Duration
}

// Plan is a workload ready to be played. It does not change; clients may share it.
type Plan struct {
	spec           Spec
	run            uint32
	profile        profile
	sessions, keys []string // all names, so that Slot need not make them at each call
	keyNumbers     map[string]uint32
	blocks         []block // of the profile names, in the order of their turn
}

// New returns the plan of the spec, with defaults for its zero fields.
// The error is that of Spec.Validate.
func New(s Spec) (*Plan, error) {
	s, err := s.WithDefaults()
	if err != nil {
		return nil, err
	}
	profile, err := findProfile(s.Profile)
	if err != nil {
		return nil, err
	}
	p := &Plan{spec: s, profile: profile, run: uint32(source(s.Seed, streamRun).Uint64())}
	session, key := plainName('s'), plainName('k')
	if profile.items {
		key = func(int) string { return "" }
	}
	if profile.hostile {
		session, key = hostileName, hostileName
		p.blocks = hostileBlocks(s)
	}
	p.sessions, p.keys = nameAll(s.Sessions, session), nameAll(s.Keys, key)
	if s.Mix.List > 0 {
		p.keyNumbers = make(map[string]uint32, len(p.keys))
		for i, name := range p.keys {
			p.keyNumbers[name] = uint32(i)
		}
	}
	return p, nil
}

func nameAll(n int, name func(int) string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = name(i)
	}
	return list
}

// Spec returns the spec with its defaults filled in.
func (p *Plan) Spec() Spec { return p.spec }

// Profile returns the profile that the plan was made from.
func (p *Plan) Profile() Profile { return p.profile.Profile }

// Run returns the number of the run that goes into tags, so that a value which another run left
// behind is not taken for one of this run. It depends on the seed alone.
func (p *Plan) Run() uint32 { return p.run }

// Slot returns the names of slot i, which is below Sessions times Keys: session i%Sessions and
// key i/Sessions. Different numbers have different names.
func (p *Plan) Slot(i uint32) history.Slot {
	n := uint32(len(p.sessions))
	return history.Slot{Session: p.sessions[i%n], Key: p.keys[i/n]}
}

// Session appends the numbers of all slots of the session that slot i is of.
func (p *Plan) Session(dst []uint32, i uint32) []uint32 {
	n := uint32(len(p.sessions))
	for key := range uint32(len(p.keys)) {
		dst = append(dst, i%n+key*n)
	}
	return dst
}

// Key returns which of the keys that name is, as a place in what Session appends, and false if it
// is none of them. It knows keys only if the mix has listings.
func (p *Plan) Key(name string) (place int, ok bool) {
	n, ok := p.keyNumbers[name]
	return int(n), ok
}

// Client returns the steps of client i, which counts from 0, from the first on.
func (p *Plan) Client(i int) *Steps {
	return &Steps{
		spec: p.spec, choose: p.profile.choose, blocks: p.blocks, quota: p.quota(i),
		rand: rand.New(source(p.spec.Seed, streamClient+uint64(i))),
	}
}

// quota is how many items client i may add to a session: its share of the bound.
func (p *Plan) quota(i int) int {
	if p.spec.Bound == 0 {
		return chatSteps
	}
	quota := p.spec.Bound / p.spec.Clients
	if i < p.spec.Bound%p.spec.Clients {
		quota++
	}
	return quota
}

// Streams of random numbers that have nothing to do with each other; each client has its own.
const (
	streamRun uint64 = iota
	streamBlocks
	streamClient
)

// source returns a stream of the seed. Both are scattered first, since PCG would give seeds that
// are neighbours sequences that begin alike.
func source(seed, stream uint64) *rand.PCG {
	return rand.NewPCG(scatter(seed), scatter(seed^scatter(stream)))
}

// scatter is the finishing step of SplitMix64 (Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators", OOPSLA 2014): each bit of n changes half of the result.
func scatter(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// Steps is the sequence of steps of one client. It belongs to one goroutine.
type Steps struct {
	spec   Spec
	choose chooser
	blocks []block
	rand   *rand.Rand

	done int // steps so far
	// quota is how many items may be added to a session, added how many were to the present one.
	quota, added int
	slot         uint32 // slot of the step before
}

// Next returns the next step, or false if there are no more: the profile births ends when it
// has used up its slots, the others never do.
func (s *Steps) Next() (Step, bool) {
	step, ok := s.choose(s)
	// Drawn whatever Think is, so that it changes no step.
	if step.Kind == history.Update && s.rand.IntN(thinkOneIn) == 0 {
		step.Think = s.spec.Think
	}
	if step.Whole {
		step.Slot %= uint32(s.spec.Sessions)
	}
	s.done++
	s.slot = step.Slot
	return step, ok
}
