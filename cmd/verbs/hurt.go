package verbs

import (
	"fmt"
	"os"

	"memrace/store"
	"memrace/store/disk"
	"memrace/store/proc"
	"memrace/store/sqlite"
	"memrace/stress"
)

// executable returns the path of this program.
var executable = os.Executable

// mortal returns the stores as such that can be killed, each in a process of its own, if faults are
// to be done to them. Those that a command keeps are in one already.
func (f *stressFlags) mortal(targets []target) ([]target, error) {
	if f.config.Faults.Disk != (disk.Faults{}) {
		return onDisk(targets)
	}
	if f.config.Faults.None() {
		return targets, nil
	}
	flag := "--kill-every"
	if f.config.Faults.CutAfter != 0 {
		flag = "--cut-after"
	}
	if f.instances > 1 {
		return nil, fmt.Errorf("%s with --instances: of several instances none is hurt yet; leave "+
			"one of them out", flag)
	}
	self, err := executable()
	if err != nil {
		return nil, fmt.Errorf("%s: find this program: %w", flag, err)
	}
	for i, t := range targets {
		argv := append([]string{self, "serve"}, t.serve...)
		switch {
		case t.volatile:
			return nil, fmt.Errorf("%s: %s keeps nothing on disk, so that there is nothing to "+
				"come back to", flag, t.name)
		case f.config.Faults.CutAfter != 0 && t.disk == "":
			return nil, fmt.Errorf("--cut-after: the power of %s cannot be cut; name a store of "+
				"memrace that has a file, as in --store wal", t.name)
		case f.config.Faults.CutAfter != 0:
			argv = []string{self, "serve", "--store", t.disk}
		case len(t.serve) == 0:
			continue
		}
		targets[i].open = child(argv)
	}
	return targets, nil
}

// onDisk returns the stores with files that feel what is wrong with the disk.
func onDisk(targets []target) ([]target, error) {
	for i, t := range targets {
		if t.disk == "" {
			return nil, fmt.Errorf("--disk-faults: %s does not feel them; name a store of memrace "+
				"that has a file, as in --store wal", t.name)
		}
		v, err := sqlite.ParseVariant(t.disk)
		if err != nil {
			return nil, fmt.Errorf("--disk-faults: %w", err)
		}
		targets[i].open = same(v.Opener())
	}
	return targets, nil
}

// child opens stores in processes that run the command.
func child(argv []string) func(stress.Config, int) store.Opener {
	return func(config stress.Config, instance int) store.Opener {
		c := proc.Command{Argv: argv, Instance: instance, Threads: config.Clients,
			CallTimeout: config.Stall * 3 / 4}
		return c.Opener()
	}
}
