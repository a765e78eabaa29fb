package bench

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"

	"memrace/stress/history"
)

// apart says what each column has, where they have nothing in common.
func (r *Results) apart() string {
	var parts []string
	for _, c := range r.columns {
		has := r.has(c, nil)
		parts = append(parts, fmt.Sprintf("%s has %s in %s", columnName(c), some(has.names),
			some(has.units)))
	}
	return strings.Join(parts, "; ")
}

// had is what a column has: names, units, which name in which unit, and those of them of which it
// has enough values to tell a change by.
type had struct{ names, units, both, enough []string }

// has returns what a column has, of some units or all if there are none.
func (r *Results) has(column benchproc.Key, units []string) (h had) {
	for _, l := range r.lines {
		n := len(r.values[place{l, column}])
		if n == 0 || len(units) > 0 && !slices.Contains(units, l.unit) || countsErrors(l.unit) {
			continue
		}
		name := r.shown(l)
		h.names = with(h.names, name)
		h.units = with(h.units, l.unit)
		h.both = with(h.both, name+" in "+l.unit)
		if leastP(n, n) < benchmath.DefaultThresholds.CompareAlpha {
			h.enough = with(h.enough, name+" in "+l.unit)
		}
	}
	return h
}

// countsErrors reports whether a unit counts the errors of one class, of which there is none where
// there were none. All of them together are in errors/op.
func countsErrors(unit string) bool {
	class, is := strings.CutSuffix(unit, "/op")
	class = strings.TrimPrefix(class, "unknown_")
	return is && history.ClassNamed(class).String() == class
}

// with adds a text that is not in a list to it.
func with(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// some joins the first few names.
func some(names []string) string {
	const few = 1
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

// Missing says what the first column has and others have not, and the other way round, in some
// units, or in all if none is named. Lost is true if another column lacks what the first has: a
// line, a unit, or a line in a unit of which there are enough values to tell a change by.
func (r *Results) Missing(units ...string) (notes []string, lost bool) {
	var tidied []string
	for _, unit := range units {
		tidied = append(tidied, tidy(unit))
	}
	first := r.has(r.columns[0], tidied)
	for _, c := range r.columns[1:] {
		other, names := r.has(c, tidied), [2]string{columnName(r.columns[0]), columnName(c)}
		gone := first.without(other, names[0], names[1])
		lost = lost || len(gone) > 0
		notes = append(append(notes, gone...), other.without(first, names[1], names[0])...)
	}
	return notes, lost
}

// without says what others lack: lines, units, and else which line in which unit.
func (h had) without(others had, name, other string) (notes []string) {
	for _, part := range []struct {
		what         string
		mine, theirs []string
	}{{"lines ", h.names, others.names}, {"units ", h.units, others.units},
		{"", h.enough, others.both}} {
		gone := slices.DeleteFunc(slices.Clone(part.mine), func(s string) bool {
			return slices.Contains(part.theirs, s)
		})
		if len(gone) > 0 && (part.what != "" || len(notes) == 0) {
			notes = append(notes, fmt.Sprintf("%sonly in %s, and not in %s: %s", part.what, name,
				other, some(gone)))
		}
	}
	return notes
}
