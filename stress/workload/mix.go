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
type Mix struct{ Upsert, Get, Delete, Update, Take, List, Clear, Add, Items int }

// mixActs are what clients do, in the order of Mix. A seed means the same steps for ever, so what
// is added comes last.
var mixActs = []history.Act{
	{Kind: history.Upsert}, {Kind: history.Get}, {Kind: history.Delete}, {Kind: history.Update},
	{Kind: history.Take}, {Kind: history.Get, Whole: true}, {Kind: history.Delete, Whole: true},
	{Kind: history.Add}, {Kind: history.Items, Whole: true},
}

// weights returns the weights, in the order of mixActs.
func (m *Mix) weights() [9]*int {
	return [...]*int{&m.Upsert, &m.Get, &m.Delete, &m.Update, &m.Take, &m.List, &m.Clear,
		&m.Add, &m.Items}
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
	for _, act := range mixActs {
		names = append(names, act.String())
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// named returns the weight of what has that name; nil if no client does it.
func (m *Mix) named(name string) *int {
	for i, act := range mixActs {
		if act.String() == name {
			return m.weights()[i]
		}
	}
	return nil
}

// String returns the mix in the form that ParseMix reads, without the kinds that do not come.
func (m Mix) String() string {
	var parts []string
	for i, w := range m.weights() {
		if *w != 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", mixActs[i], *w))
		}
	}
	return strings.Join(parts, ",")
}

func (m Mix) validate() error {
	for i, w := range m.weights() {
		if *w < 0 || *w > maxWeight {
			return fmt.Errorf("weight %d of %s is out of range; it goes from 0 to %d",
				*w, mixActs[i], maxWeight)
		}
	}
	if m.sum() == 0 {
		return errors.New("all weights are 0; at least one has to be more")
	}
	return nil
}

func (m Mix) sum() (sum int) {
	for _, w := range m.weights() {
		sum += *w
	}
	return sum
}

// slots reports whether anything is done to slots, items whether anything is to lists of items.
func (m Mix) slots() bool { return m.sum() > m.Add+m.Items }
func (m Mix) items() bool { return m.Add+m.Items > 0 }

func (m Mix) pick(r *rand.Rand) history.Act {
	n := r.IntN(m.sum())
	for i, w := range m.weights() {
		if n -= *w; n < 0 {
			return mixActs[i]
		}
	}
	return mixActs[0] // not reached, since n was below the sum
}
