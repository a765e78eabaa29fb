package verbs

import (
	"fmt"
	"slices"
	"time"

	"memrace/bench"
	"memrace/store/sqlite"
	"memrace/stress"
)

// driverName is the driver of package sqlite.
const driverName = "mattn"

// subjects are the stores that are to be measured; every right variant if none is named.
func (f *benchFlags) subjects() ([]bench.Subject, error) {
	if len(f.stores)+len(f.commands)+len(f.files) == 0 {
		f.stores = []string{"all"}
	}
	named, err := findTargets(f.stores, 1)
	if err != nil {
		return nil, err
	}
	commands, err := findCommands(f.commands)
	if err != nil {
		return nil, err
	}
	files, err := findFiles(f.files)
	if err != nil {
		return nil, err
	}
	var subjects []bench.Subject
	for _, t := range named {
		found, err := f.ofVariant(t)
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, found...)
	}
	for _, t := range commands {
		s := f.ofTarget(t)
		s.Driver, s.Outside = "", true
		subjects = append(subjects, s)
	}
	for _, t := range files {
		subjects = append(subjects, f.ofTarget(t))
	}
	return subjects, twice(subjects)
}

// ofVariant returns a variant with each level of --sync. A mutant has no such setting.
func (f *benchFlags) ofVariant(t target) ([]bench.Subject, error) {
	v, err := sqlite.ParseVariant(t.name)
	if err != nil {
		if len(f.syncs) > 0 {
			return nil, fmt.Errorf("--sync goes with variants, and %s is none", t.name)
		}
		return []bench.Subject{f.ofTarget(t)}, nil
	}
	syncs := f.syncs
	if len(syncs) == 0 {
		syncs = []string{v.Synchronous}
	}
	base, err := sqlite.ParseVariant(v.Name)
	if err != nil {
		return nil, err
	}
	var subjects []bench.Subject
	for _, level := range syncs {
		v.Synchronous = level
		if err := v.Validate(); err != nil {
			return nil, fmt.Errorf("--sync %s: %w", level, err)
		}
		plain := v
		plain.Synchronous = base.Synchronous
		subjects = append(subjects, bench.Subject{Store: plain.String(), Driver: driverName,
			Sync: level, SyncNamed: len(f.syncs) > 0, Open: v.Opener()})
	}
	return subjects, nil
}

func (f *benchFlags) ofTarget(t target) bench.Subject {
	c := stress.Config{Clients: slices.Max(f.clients), Stall: callTimeout}
	return bench.Subject{Store: t.name, Driver: driverName, Open: t.open(c, 0)}
}

// callTimeout is long after a call to a store in a child is given up.
const callTimeout = 30 * time.Second

// twice refuses a store that is named twice: its values would be taken for those of one.
func twice(subjects []bench.Subject) error {
	for i, s := range subjects {
		same := func(o bench.Subject) bool { return o.Store == s.Store && o.Sync == s.Sync }
		if slices.ContainsFunc(subjects[:i], same) {
			return fmt.Errorf("%s is named twice; name it once", s.Store)
		}
	}
	return nil
}
