package verbs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"memrace/bench"
	"memrace/store/sqlite"
	"memrace/stress"
)

// subjects are the stores that are to be measured; every right variant if none is named.
func (f *benchFlags) subjects() ([]bench.Subject, error) {
	if len(f.stores)+len(f.commands)+len(f.files) == 0 {
		f.stores = []string{"all"}
	}
	if err := f.checkSettings(); err != nil {
		return nil, err
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
	for _, t := range append(slices.Clip(commands), files...) {
		if err := f.checkPlain(t); err != nil {
			return nil, err
		}
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

// checkSettings refuses a setting that both a store and a flag name, and those of all stores.
func (f *benchFlags) checkSettings() error {
	for _, name := range f.stores {
		store, settings, some := strings.Cut(name, ",")
		if store == "all" && some {
			return fmt.Errorf("--store %s: all has no settings; --driver and --sync go with each "+
				"store", name)
		}
		for setting := range strings.SplitSeq(settings, ",") {
			key, _, _ := strings.Cut(strings.TrimSpace(setting), "=")
			switch {
			case key == "driver" && len(f.drivers) > 0:
				return fmt.Errorf("--driver: %s names its own; leave one of them out", name)
			case key == "synchronous" && len(f.syncs) > 0:
				return fmt.Errorf("--sync: %s names its own; leave one of them out", name)
			}
		}
	}
	return nil
}

// checkPlain refuses the flags that set what only variants have.
func (f *benchFlags) checkPlain(t target) error {
	switch {
	case len(f.syncs) > 0:
		return fmt.Errorf("--sync goes with variants, and %s is none", t.name)
	case len(f.drivers) > 0:
		return fmt.Errorf("--driver goes with variants, and %s is none", t.name)
	}
	return nil
}

// checkDisk refuses a disk that is wrong for a store which has none, or not that one.
func (f *benchFlags) checkDisk(v sqlite.Variant) error {
	switch {
	case !f.config.Faults.OnDisk() || v.Disk:
		return nil
	case v.Memory:
		return fmt.Errorf("%v: %s keeps nothing on a disk; take another store, as wal,disk=on",
			f.config.Faults, v)
	}
	return fmt.Errorf("%v: the files of %s are the system's alone; open the store with disk=on, "+
		"as wal,disk=on", f.config.Faults, v)
}

// ofVariant returns a variant with each driver of --driver and each level of --sync. A mutant has
// no such settings.
func (f *benchFlags) ofVariant(t target) ([]bench.Subject, error) {
	v, err := sqlite.ParseVariant(t.name)
	if err != nil {
		return []bench.Subject{f.ofTarget(t)}, f.checkPlain(t)
	}
	if err := f.checkDisk(v); err != nil {
		return nil, err
	}
	drivers, syncs := f.drivers, f.syncs
	if len(drivers) == 0 {
		drivers = []string{v.Driver}
	}
	if len(syncs) == 0 {
		syncs = []string{v.Synchronous}
	}
	var subjects []bench.Subject
	for _, driver := range drivers {
		with := v
		if with.Driver = driver; with.Validate() != nil {
			return nil, fmt.Errorf("--driver %s: %w", driver, with.Validate())
		}
		for _, level := range syncs {
			if with.Synchronous = level; with.Validate() != nil {
				return nil, fmt.Errorf("--sync %s: %w", level, with.Validate())
			}
			s, err := f.ofSettings(with)
			if err != nil {
				return nil, err
			}
			subjects = append(subjects, s)
		}
	}
	return subjects, nil
}

// ofSettings takes out of the name of a variant what is a part of its own in the names of lines.
func (f *benchFlags) ofSettings(v sqlite.Variant) (bench.Subject, error) {
	base, err := sqlite.ParseVariant(v.Name)
	if err != nil {
		return bench.Subject{}, err
	}
	plain := v
	plain.Synchronous, plain.Driver = base.Synchronous, ""
	return bench.Subject{Store: plain.String(), Driver: cmp.Or(v.Driver, sqlite.DefaultDriver),
		Sync: v.Synchronous, SyncNamed: len(f.syncs) > 0, Open: v.Opener()}, nil
}

// called is the name of a store in a table: that of the default driver goes without saying.
func called(s bench.Subject) string {
	if s.Driver == "" || s.Driver == sqlite.DefaultDriver {
		return s.Store
	}
	return s.Store + ",driver=" + s.Driver
}

func (f *benchFlags) ofTarget(t target) bench.Subject {
	c := stress.Config{Clients: slices.Max(f.clients), Stall: callTimeout}
	return bench.Subject{Store: t.name, Driver: sqlite.DefaultDriver,
		Open: t.open(c, 0)}
}

// callTimeout is long after a call to a store in a child is given up.
const callTimeout = 30 * time.Second

// twice refuses a store that is named twice: its values would be taken for those of one.
func twice(subjects []bench.Subject) error {
	for i, s := range subjects {
		same := func(o bench.Subject) bool {
			return o.Store == s.Store && o.Sync == s.Sync && o.Driver == s.Driver
		}
		if slices.ContainsFunc(subjects[:i], same) {
			return fmt.Errorf("%s is named twice; name it once", s.Store)
		}
	}
	return nil
}
