package workload

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"memrace/stress/history"
)

// Mix is how often each kind of operation comes: their weights, of which only the proportion
// counts. In a Spec the zero Mix stands for the profile's own.
type Mix struct{ Upsert, Get, Delete, Update, Take int }

// mixKinds are the kinds that clients do, in the order of Mix. A seed means the same steps for
// ever, so a kind that is added comes last.
var mixKinds = []history.Kind{
	history.Upsert, history.Get, history.Delete, history.Update, history.Take,
}

// maxWeight is far above any use and keeps the sum of the weights small.
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
		weight := m.named(name)
		switch {
		case !ok:
			return Mix{}, fmt.Errorf("mix %q: %q has no weight; %s", text, part, mixExample)
		case weight == nil:
			return Mix{}, fmt.Errorf("mix %q: unknown kind %q; there are %s",
				text, name, kindNames())
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

func kindNames() string {
	var names []string
	for _, kind := range mixKinds {
		names = append(names, kind.String())
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// named returns the weight of the kind of that name; nil if no client does it.
func (m *Mix) named(name string) *int {
	for _, kind := range mixKinds {
		if kind.String() == name {
			return m.weight(kind)
		}
	}
	return nil
}

func (m *Mix) weight(kind history.Kind) *int {
	switch kind {
	case history.Upsert:
		return &m.Upsert
	case history.Get:
		return &m.Get
	case history.Delete:
		return &m.Delete
	case history.Update:
		return &m.Update
	case history.Take:
		return &m.Take
	}
	return nil
}

// String returns the mix in the form that ParseMix reads, without the kinds that do not come.
func (m Mix) String() string {
	var parts []string
	for _, kind := range mixKinds {
		if w := *m.weight(kind); w != 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", kind, w))
		}
	}
	return strings.Join(parts, ",")
}

func (m Mix) validate() error {
	for _, kind := range mixKinds {
		if w := *m.weight(kind); w < 0 || w > maxWeight {
			return fmt.Errorf("weight %d of %s is out of range; it goes from 0 to %d",
				w, kind, maxWeight)
		}
	}
	if m.sum() == 0 {
		return errors.New("all weights are 0; at least one has to be more")
	}
	return nil
}

func (m Mix) sum() int { return m.Upsert + m.Get + m.Delete + m.Update + m.Take }

func (m Mix) pick(r *rand.Rand) history.Kind {
	n := r.IntN(m.sum())
	for _, kind := range mixKinds {
		if n -= *m.weight(kind); n < 0 {
			return kind
		}
	}
	return history.Get // not reached, since n was below the sum
}
