package verbs

import (
	"fmt"
	"slices"
	"strings"

	"memrace/stress/check"
)

const propertyFlag = "a `property` to judge; may be repeated (default all)"

// wantedProperties returns the properties that the names stand for; no name stands for all.
func wantedProperties(names []string) ([]check.Property, error) {
	all := check.Properties()
	if len(names) == 0 {
		return all, nil
	}
	var wanted []check.Property
	for _, name := range names {
		p := check.Property(name)
		if !slices.Contains(all, p) {
			return nil, fmt.Errorf("--property %q: no such property; there are %s",
				name, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(all)), ", "), "[]"))
		}
		wanted = append(wanted, p)
	}
	return wanted, nil
}
