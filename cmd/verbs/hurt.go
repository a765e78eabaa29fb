package verbs

import (
	"fmt"
	"os"

	"memrace/store"
	"memrace/store/proc"
	"memrace/store/sqlite"
	"memrace/stress"
)

// executable returns the path of this program.
var executable = os.Executable

// hurtable returns the stores as such that the faults can be done to: each in a process of its own
// if it is killed or loses power, and with files that go through package disk if the disk is hurt.
func (f *stressFlags) hurtable(targets []target) ([]target, error) {
	faults := f.config.Faults
	if faults.None() {
		return targets, nil
	}
	if faults.CutAt != 0 && f.instances > 1 {
		return nil, fmt.Errorf("%v, with --instances %d: a cut is true only of files that nobody "+
			"else has open; leave one of them out", faults, f.instances)
	}
	for i, t := range targets {
		var err error
		switch {
		case t.volatile:
			err = fmt.Errorf("%v: %s keeps nothing on disk, so that there is nothing that could "+
				"be hurt", faults, t.name)
		case faults.OnDisk() && t.disk == "":
			err = fmt.Errorf("%v: what %s writes to disk is out of reach; name a store of memrace "+
				"that has a file, as in --store wal", faults, t.name)
		case faults.Mortal():
			targets[i].open, err = f.served(t)
		case faults.OnDisk():
			targets[i].open, err = onDisk(t)
		}
		if err != nil {
			return nil, err
		}
	}
	return targets, nil
}

// served opens a store in a process of its own. Those that a command keeps are in one already.
func (f *stressFlags) served(t target) (func(stress.Config, int) store.Opener, error) {
	self, err := executable()
	if err != nil {
		return nil, fmt.Errorf("%v: find this program: %w", f.config.Faults, err)
	}
	switch {
	case f.config.Faults.OnDisk():
		return child([]string{self, "serve", "--store", t.disk}), nil
	case len(t.serve) == 0:
		return t.open, nil
	}
	return child(append([]string{self, "serve"}, t.serve...)), nil
}

// onDisk opens the store with files that go through package disk.
func onDisk(t target) (func(stress.Config, int) store.Opener, error) {
	v, err := sqlite.ParseVariant(t.disk)
	if err != nil {
		return nil, err
	}
	return same(v.Opener()), nil
}

// child opens stores in processes that run the command.
func child(argv []string) func(stress.Config, int) store.Opener {
	return func(config stress.Config, instance int) store.Opener {
		c := proc.Command{Argv: argv, Instance: instance, Threads: config.Clients,
			CallTimeout: config.Stall * 3 / 4}
		return c.Opener()
	}
}
