package disk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// slowSync is the one fault that has a duration.
const slowSync = "slow-sync"

// ParseFaults reads faults that stand side by side with commas between them:
//
//	write-error=17          the 17th write
//	full=17+                the 17th write and all after it
//	sync-error,p=0.01       each sync, with a probability of 0.01
//	lost-sync               each sync
//	slow-sync=20ms,p=0.1    each sync takes 20ms longer, with a probability of 0.1
//	seed=7                  where the choices of all of them start
//
// An empty text is no fault. An error quotes what is wrong and says what would be right.
func ParseFaults(text string) (Faults, error) {
	var f Faults
	if text == "" {
		return f, nil
	}
	if err := f.read(strings.Split(text, ",")); err != nil {
		return Faults{}, fmt.Errorf("faults %q: %w", text, err)
	}
	if err := f.Validate(); err != nil {
		return Faults{}, fmt.Errorf("faults %q: %w", text, err)
	}
	return f, nil
}

func (f *Faults) read(parts []string) error {
	seen := map[string]bool{}
	var last named // what a p belongs to
	for _, part := range parts {
		name, value, given := strings.Cut(part, "=")
		if name == "p" {
			if err := last.probability(value); err != nil {
				return err
			}
			last = named{}
			continue
		}
		if seen[name] {
			return fmt.Errorf("%s is set twice", name)
		}
		seen[name] = true
		var err error
		if last, err = f.one(name, value, given); err != nil {
			return err
		}
	}
	return nil
}

// one reads one fault, or the seed, and returns what a p behind it belongs to.
func (f *Faults) one(name, value string, given bool) (named, error) {
	if name == "seed" {
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return named{}, fmt.Errorf("seed: %q is not a whole number from 0 on", value)
		}
		f.Seed = seed
		return named{}, nil
	}
	all := f.strikes()
	i := slices.IndexFunc(all, func(n named) bool { return n.name == name })
	if i < 0 {
		return named{}, fmt.Errorf("no fault is called %q; there are %s, and seed=N",
			name, faultNames(all))
	}
	n := all[i]
	if name == slowSync {
		n.strike.P = 1
		return n, f.slow(value)
	}
	if !given {
		n.strike.P = 1
		return n, nil
	}
	return named{}, n.number(value)
}

func (f *Faults) slow(value string) error {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return fmt.Errorf("%s: %q is not a duration such as 20ms, up to %v",
			slowSync, value, maxSlowBy)
	}
	f.SlowBy = d
	return nil
}

func (n named) number(value string) error {
	digits, onward := strings.CutSuffix(value, "+")
	nth, err := strconv.Atoi(digits)
	if err != nil || nth < 1 {
		return fmt.Errorf("%s: %q is not the number of a call, from 1 on, such as 17, or 17+ for "+
			"all from there on", n.name, value)
	}
	n.strike.Nth, n.strike.Onward = nth, onward
	return nil
}

func (n named) probability(value string) error {
	if n.strike == nil {
		return fmt.Errorf("p=%s follows no fault that can have a probability; write it as in "+
			"write-error,p=0.01", value)
	}
	p, err := strconv.ParseFloat(value, 64)
	if err != nil || !(p > 0 && p <= 1) {
		return fmt.Errorf("%s: p=%q is not a number above 0 and up to 1", n.name, value)
	}
	n.strike.P = p
	return nil
}

func faultNames(all []named) string {
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = n.name
	}
	return strings.Join(names, ", ")
}
