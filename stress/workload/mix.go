package workload

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"memrace/stress/history"
)

// Mix is how often each kind of operation comes: the weights of the three, of which only the
// proportion counts. In a Spec the zero Mix stands for the profile's own.
type Mix struct{ Upsert, Get, Delete int }

// maxWeight is far above any use and keeps the sum of three weights small.
const maxWeight = 1_000_000

const mixExample = `write it like "upsert=50,get=40,delete=10"`

// ParseMix reads what Mix.String writes: names and weights such as "upsert=50,get=40,delete=10",
// in any order. A kind that is not named does not come. The error says what is wrong, and what
// would be right.
func ParseMix(text string) (Mix, error) {
	var m Mix
	seen := make(map[string]bool)
	for part := range strings.SplitSeq(text, ",") {
		name, number, ok := strings.Cut(part, "=")
		name, number = strings.TrimSpace(name), strings.TrimSpace(number)
		weight := m.weight(name)
		switch {
		case !ok:
			return Mix{}, fmt.Errorf("mix %q: %q has no weight; %s", text, part, mixExample)
		case weight == nil:
			return Mix{}, fmt.Errorf("mix %q: unknown kind %q; there are upsert, get and delete",
				text, name)
		case seen[name]:
			return Mix{}, fmt.Errorf("mix %q: %s is given twice; give it once", text, name)
		}
		seen[name] = true
		var err error
		if *weight, err = strconv.Atoi(number); err != nil {
			return Mix{}, fmt.Errorf("mix %q: weight %q of %s is no whole number; %s",
				text, number, name, mixExample)
		}
	}
	if err := m.validate(); err != nil {
		return Mix{}, fmt.Errorf("mix %q: %w", text, err)
	}
	return m, nil
}

func (m *Mix) weight(name string) *int {
	switch name {
	case "upsert":
		return &m.Upsert
	case "get":
		return &m.Get
	case "delete":
		return &m.Delete
	}
	return nil
}

// String returns the mix in the form that ParseMix reads.
func (m Mix) String() string {
	return fmt.Sprintf("upsert=%d,get=%d,delete=%d", m.Upsert, m.Get, m.Delete)
}

func (m Mix) validate() error {
	for _, name := range []string{"upsert", "get", "delete"} {
		if w := *m.weight(name); w < 0 || w > maxWeight {
			return fmt.Errorf("weight %d of %s is out of range; it goes from 0 to %d",
				w, name, maxWeight)
		}
	}
	if m.sum() == 0 {
		return errors.New("all weights are 0; at least one has to be more")
	}
	return nil
}

func (m Mix) sum() int { return m.Upsert + m.Get + m.Delete }

func (m Mix) pick(r *rand.Rand) history.Kind {
	n := r.IntN(m.sum())
	switch {
	case n < m.Upsert:
		return history.Upsert
	case n < m.Upsert+m.Get:
		return history.Get
	}
	return history.Delete
}
