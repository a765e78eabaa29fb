package report

import (
	"cmp"
	"slices"
	"strings"
)

// lineup is what was measured, and how each store is called and drawn.
type lineup struct {
	measured []*measured
	labels   map[string]int // the indices of all labels
	stores   map[string]int // the indices of the names of stores alone
	// drivers and files are true if there are several, so that they belong to a label.
	drivers, files bool
}

func newLineup(b *benchmarks) *lineup {
	l := &lineup{measured: b.measured, labels: map[string]int{}, stores: map[string]int{},
		files: len(b.files) > 1}
	for _, m := range b.measured {
		l.drivers = l.drivers || m.driver != b.measured[0].driver
	}
	for _, m := range b.measured {
		number(l.labels, l.label(m))
		number(l.stores, m.store)
	}
	return l
}

// number gives a name that has none the next index.
func number(indices map[string]int, name string) {
	if _, known := indices[name]; !known {
		indices[name] = len(indices)
	}
}

// label is what a store is called where all stand side by side.
func (l *lineup) label(m *measured) string {
	return strings.Join(append([]string{m.store}, l.origin(m)...), ", ")
}

// origin is what tells two stores of one name from each other.
func (l *lineup) origin(m *measured) (parts []string) {
	if l.drivers && m.driver != "" {
		parts = append(parts, m.driver)
	}
	if l.files {
		parts = append(parts, m.file)
	}
	return parts
}

// curve is how a store is drawn where it has a colour and a shape to be known by. Where there are
// too many, charts are of one origin each, and stores of one name look alike in all of them.
func (l *lineup) curve(m *measured) series {
	if label := l.label(m); len(l.labels) <= styles {
		return series{label: label, index: l.labels[label]}
	}
	return series{label: m.store, index: l.stores[m.store]}
}

// part is which chart a store is on where there are too many for one, and what that is called.
func (l *lineup) part(m *measured) (name string, index int) {
	if len(l.labels) <= styles {
		return "", 0
	}
	return strings.Join(l.origin(m), ", "), l.stores[m.store] / styles
}

// wholes are those that have a unit, by what they have side by side, in the order of synchronous.
// Kinds of operations of a mix are none of them.
func (l *lineup) wholes(unit string) [][]*measured {
	groups := split(l.having(unit, load.whole), func(m *measured) load { return m.group() })
	for i, group := range groups {
		groups[i] = slices.Concat(split(group, func(m *measured) string { return m.sync })...)
	}
	return groups
}

// having are those that have a unit, of some loads.
func (l *lineup) having(unit string, of func(load) bool) (some []*measured) {
	for _, m := range l.measured {
		if len(m.values[unit]) > 0 && of(m.load) {
			some = append(some, m)
		}
	}
	return some
}

// split puts those together that have the same key, in the order of the first of each.
func split[K comparable](all []*measured, key func(*measured) K) (parts [][]*measured) {
	at := map[K]int{}
	for _, m := range all {
		i, known := at[key(m)]
		if !known {
			i = len(parts)
			at[key(m)] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], m)
	}
	return parts
}

// panel is what is the same for all in a chart.
type panel struct {
	operation, sync string
	clients         int
	origin          string
	part            int
}

// sides are the charts of bars of a group: those of one number of clients.
func (l *lineup) sides(group []*measured) [][]*measured {
	const bars = 40
	return split(group, func(m *measured) panel {
		return panel{m.operation, m.sync, m.clients, "", l.labels[l.label(m)] / bars}
	})
}

// panels are the charts of curves of a group: those of one number of clients, as many of them as
// can be told from each other.
func (l *lineup) panels(group []*measured) [][]*measured {
	return split(group, func(m *measured) panel {
		origin, part := l.part(m)
		return panel{m.operation, m.sync, m.clients, origin, part}
	})
}

// rows are the charts of a group that have the number of clients on an axis.
func (l *lineup) rows(group []*measured) [][]*measured {
	return split(group, func(m *measured) panel {
		origin, part := l.part(m)
		return panel{m.operation, m.sync, 0, origin, part}
	})
}

// clientsOf are the numbers of clients that there are, the fewest first.
func clientsOf(group []*measured) (numbers []int) {
	for _, m := range group {
		if m.clients > 0 {
			numbers = append(numbers, m.clients)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// curves are the points of each series, in the order of the clients.
func (l *lineup) curves(row []*measured) [][]*measured {
	parts := split(row, l.curve)
	for _, part := range parts {
		slices.SortStableFunc(part, func(a, b *measured) int {
			return cmp.Compare(a.clients, b.clients)
		})
	}
	return parts
}

// names are the series of a chart.
func (l *lineup) names(all []*measured) (names []series) {
	for _, part := range split(all, l.curve) {
		names = append(names, l.curve(part[0]))
	}
	return names
}

// withClients names a chart of so many clients.
func withClients(m *measured) string {
	var parts []string
	if m.clients > 0 {
		parts = append(parts, count(m.clients, "client"))
	}
	return cmp.Or(strings.Join(append(parts, synchronous(m)...), ", "), m.load.String())
}

// withSync names a chart of all numbers of clients.
func withSync(m *measured) string {
	return strings.Join(append([]string{m.load.String()}, synchronous(m)...), ", ")
}

// of adds to the name of a chart of curves which stores are on it, if they are not all.
func (l *lineup) of(m *measured, name string) string {
	if origin, _ := l.part(m); origin != "" {
		return name + ", " + origin
	}
	return name
}

func synchronous(m *measured) []string {
	if m.sync == "" {
		return nil
	}
	return []string{"synchronous " + m.sync}
}
