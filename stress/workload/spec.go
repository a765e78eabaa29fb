package workload

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"memrace/stress/history"
)

// The limits of a Spec.
const (
	// MaxClients is the largest number of clients.
	MaxClients = 10_000
	// MaxSlots is the largest number of slots, which is sessions times keys.
	MaxSlots = 1 << 20
	// MaxValueSize is the largest size of a value, in bytes.
	MaxValueSize = 16 << 20
	// MaxListed is the largest number of keys of a session that is listed or cleared.
	MaxListed = 256
	// MaxThink is the longest time that a client thinks.
	MaxThink = time.Second
)

// Spec is a workload in numbers. It is plain data, comparable and printable; a zero field other
// than Seed takes the default of the profile.
type Spec struct {
	// Profile is the name of a profile; empty means "uniform".
	Profile string
	// Seed is where all choices start; 0 is a seed like any other.
	Seed uint64
	// Clients is how many clients there are at once.
	Clients int
	// Sessions is how many sessions there are, Keys how many keys each of them has.
	Sessions, Keys int
	// Mix is how often each kind of operation comes.
	Mix Mix
	// ValueSize is the length of a value in bytes. A value is never shorter than the head of its
	// tag, which takes some 30 bytes.
	ValueSize int
	// Bound is how many items a session of the profile chat gets at most; 0 means any number. It is
	// for stores that keep so many and forget the oldest.
	Bound int
	// Think is how long a client thinks, in one of four updates, between what it sees and what it
	// writes in its place. A nanosecond is as good as not at all.
	Think time.Duration
}

// WithDefaults returns the spec with each zero field replaced by its profile's default. A default
// number of sessions or keys is made smaller where the two would else be more than MaxSlots.
// The error names the field that is out of range.
func (s Spec) WithDefaults() (Spec, error) {
	p, err := findProfile(s.Profile)
	if err != nil {
		return s, err
	}
	d := p.Defaults
	s.Profile = p.Name
	s.Clients = orDefault(s.Clients, d.Clients)
	s.Sessions = orDefault(s.Sessions, fitting(d.Sessions, s.Keys))
	s.Keys = orDefault(s.Keys, fitting(d.Keys, s.Sessions))
	s.ValueSize = orDefault(s.ValueSize, d.ValueSize)
	s.Think = orDefault(s.Think, d.Think)
	if s.Mix == (Mix{}) {
		s.Mix = d.Mix
	}
	return s, s.checkRanges()
}

// Validate returns the error of WithDefaults: what is out of range, by name and value.
func (s Spec) Validate() error {
	_, err := s.WithDefaults()
	return err
}

func orDefault[T int | time.Duration](n, instead T) T {
	if n == 0 {
		return instead
	}
	return n
}

// fitting returns n, or what MaxSlots leaves beside other.
func fitting(n, other int) int {
	if other <= 0 {
		return n
	}
	return max(1, min(n, MaxSlots/other))
}

func (s Spec) checkRanges() error {
	for _, f := range []struct {
		name       string
		value, max int
	}{
		{"clients", s.Clients, MaxClients},
		{"sessions", s.Sessions, MaxSlots},
		{"keys", s.Keys, MaxSlots},
		{"value size", s.ValueSize, MaxValueSize},
	} {
		if f.value < 1 || f.value > f.max {
			return fmt.Errorf("%s is %d; it goes from 1 to %d, and 0 means the default",
				f.name, f.value, f.max)
		}
	}
	if s.Sessions*s.Keys > MaxSlots {
		return fmt.Errorf("sessions times keys is %d times %d; it cannot be more than %d",
			s.Sessions, s.Keys, MaxSlots)
	}
	if s.Bound < 0 {
		return fmt.Errorf("bound is %d; it goes from 1, and 0 means no bound", s.Bound)
	}
	if s.Think < 0 || s.Think > MaxThink {
		return fmt.Errorf("think is %v; it goes from 1ns to %v, and 0 means the default",
			s.Think, MaxThink)
	}
	if err := s.Mix.validate(); err != nil {
		return fmt.Errorf("mix: %w", err)
	}
	return s.checkWhole()
}

// checkWhole checks what goes together with calls on whole sessions.
func (s Spec) checkWhole() error {
	p, err := findProfile(s.Profile)
	switch {
	case err != nil:
		return err
	case p.items && s.Mix.slots(), !p.items && s.Mix.items():
		return fmt.Errorf("mix is %s; add and items go with the profile chat, and nothing else "+
			"does", s.Mix)
	case p.items && s.Keys != 1:
		return fmt.Errorf("keys is %d; in the profile %s a session has one list, so it is 1",
			s.Keys, s.Profile)
	case s.Mix.List+s.Mix.Clear > 0 && s.Keys > MaxListed:
		return fmt.Errorf("keys is %d; of a session that is listed or cleared it goes to %d",
			s.Keys, MaxListed)
	}
	return nil
}

// Meta returns the spec as header lines of a history.
func (s Spec) Meta() []history.Meta {
	meta := []history.Meta{
		{Name: "profile", Value: s.Profile},
		{Name: "seed", Value: strconv.FormatUint(s.Seed, 10)},
		{Name: "clients", Value: strconv.Itoa(s.Clients)},
		{Name: "sessions", Value: strconv.Itoa(s.Sessions)},
		{Name: "keys", Value: strconv.Itoa(s.Keys)},
		{Name: "mix", Value: s.Mix.String()},
		{Name: "value-size", Value: strconv.Itoa(s.ValueSize)},
	}
	if s.Bound != 0 {
		meta = append(meta, history.Meta{Name: "bound", Value: strconv.Itoa(s.Bound)})
	}
	if s.Think != 0 {
		meta = append(meta, history.Meta{Name: "think", Value: s.Think.String()})
	}
	return meta
}

// String returns the spec on one line, for people.
func (s Spec) String() string {
	var parts []string
	for _, m := range s.Meta() {
		parts = append(parts, m.Name+" "+m.Value)
	}
	return strings.Join(parts, ", ")
}
