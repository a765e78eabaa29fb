package main

import (
	"errors"
	"fmt"
	"os"

	"memrace/store"
	"memrace/store/proc"
	"memrace/stress"
	"memrace/stress/fault"
)

// executable returns the path of this program.
var executable = os.Executable

// mortal returns the stores as such that can be killed, each in a process of its own, if faults are
// to be done to them. Those that a command keeps are in one already.
func (f *stressFlags) mortal(targets []target) ([]target, error) {
	if f.config.Faults == (fault.Faults{}) {
		return targets, nil
	}
	if f.instances > 1 {
		return nil, errors.New("--kill-every with --instances: of several instances none is " +
			"killed yet; leave one of them out")
	}
	self, err := executable()
	if err != nil {
		return nil, fmt.Errorf("--kill-every: find this program: %w", err)
	}
	for i, t := range targets {
		if len(t.serve) > 0 {
			targets[i].open = child(append([]string{self, "serve"}, t.serve...))
		}
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
