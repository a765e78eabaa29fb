package verbs

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"memrace/stress/fault"
)

// faultFlags is what the command line says about faults. Those that people want most have flags of
// their own, whose value is a part of the text.
type faultFlags struct {
	set             *pflag.FlagSet
	texts           []string
	kill, cut, disk string
}

func (f *faultFlags) register(flags *pflag.FlagSet) {
	f.set = flags
	flags.StringArrayVar(&f.texts, "fault", nil,
		"`what` is done to the store meanwhile, as 'hold write lock 200ms every 1s'; may be "+
			"repeated (docs/faults.md)")
	flags.StringVar(&f.kill, "kill-every", "",
		"kill the store's process by SIGKILL after each such `time`, and start it again")
	flags.StringVar(&f.cut, "cut-after", "",
		"have the power fail after this `time`, and see what is left (Linux, stores of memrace)")
	flags.StringVar(&f.disk, "disk-faults", "",
		"`what` is wrong with the disk, as slow-sync=20ms,p=0.1 or full=500+ (docs/faults.md)")
}

// parse returns all faults together. An error begins with the flag that it is about.
func (f *faultFlags) parse() (fault.Faults, error) {
	var texts []string
	for _, flag := range []struct{ name, before, value string }{
		{"kill-every", "kill every ", f.kill}, {"cut-after", "cut power at ", f.cut},
		{"disk-faults", "disk ", f.disk},
	} {
		if !f.set.Changed(flag.name) {
			continue
		}
		if strings.Contains(flag.value, ";") {
			return fault.Faults{}, fmt.Errorf("--%s %q: it takes one value; several faults go "+
				"into --fault", flag.name, flag.value)
		}
		text := flag.before + flag.value
		if _, err := fault.Parse(text); err != nil {
			return fault.Faults{}, fmt.Errorf("--%s: %w", flag.name, err)
		}
		texts = append(texts, text)
	}
	for _, text := range f.texts {
		if one, err := fault.Parse(text); err == nil && one.None() {
			return fault.Faults{}, fmt.Errorf("--fault %q: it names no fault; leave the flag out, "+
				"or write it like 'kill every 100ms'", text)
		}
	}
	all, err := fault.Parse(strings.Join(append(texts, f.texts...), ";"))
	if err != nil {
		return fault.Faults{}, fmt.Errorf("--fault: %w", err)
	}
	return all, nil
}
