package verbs

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"memrace/store"
	"memrace/store/proc"
	"memrace/store/shared"
	"memrace/store/sqlite"
	"memrace/stress"
	"memrace/stress/fault"
	"memrace/stress/mutant"
)

const mutantPrefix = "mutant/"

// target is a store that can be named on the command line.
type target struct {
	name string
	// open returns what opens one of several instances of the store, which are counted from 0.
	open    func(c stress.Config, instance int) store.Opener
	profile string // the profile that suits it best; empty if any does
	flags   string // what names it on the command line
	// serve is what has memrace serve keep the store; nil if a child process keeps it anyhow.
	serve []string
	// volatile is true for a store that is known to keep nothing once it is closed.
	volatile bool
	// disk is the same store with files whose power can be cut; empty if there is none.
	disk string
}

// same opens every instance alike.
func same(open store.Opener) func(stress.Config, int) store.Opener {
	return func(stress.Config, int) store.Opener { return open }
}

// times returns the store that consists of n instances of t on one directory.
func (t target) times(n int) target {
	if n <= 1 {
		return t
	}
	one := t.open
	t.flags += " --instances " + strconv.Itoa(n)
	t.open = func(c stress.Config, _ int) store.Opener {
		return shared.Opener(n, func(i int) store.Opener {
			if c.Faults.Mortal() { // each of them on its own
				return fault.Opener(one(c, i))
			}
			return one(c, i)
		})
	}
	return t
}

// repeat is the command line that makes a run again, which names the store as it was named.
func (t target) repeat(c stress.Config) string {
	return strings.Replace(c.Command(), "--store "+stress.ShellWord(c.Store), t.flags, 1)
}

// findCommands returns the stores that child processes keep.
func findCommands(lines []string) ([]target, error) {
	var found []target
	for _, line := range lines {
		c, err := proc.ParseCommand(line)
		if err == nil {
			_, err = exec.LookPath(c.Argv[0])
		}
		if err != nil {
			return nil, fmt.Errorf("--cmd: %w", err)
		}
		found = append(found, target{name: line, open: child(c.Argv),
			flags: "--cmd " + stress.ShellWord(line)})
	}
	return found, nil
}

// findTargets returns the stores that the names stand for; "all" stands for every right variant,
// those aside that several instances cannot share.
func findTargets(names []string, instances int) ([]target, error) {
	if len(names) == 0 {
		return nil, nil
	}
	if err := sqlite.Ready(); err != nil {
		return nil, err
	}
	var found []target
	for _, name := range names {
		if name == "all" {
			found = append(found, variants(instances)...)
			continue
		}
		t, err := findTarget(name)
		if err != nil {
			return nil, err
		}
		found = append(found, t)
	}
	return found, nil
}

func variants(instances int) []target {
	var found []target
	for _, v := range sqlite.Variants() {
		if !v.Memory || instances <= 1 {
			found = append(found, variant(v))
		}
	}
	return found
}

func variant(v sqlite.Variant) target {
	t := target{name: v.String(), open: same(v.Opener()),
		flags: "--store " + stress.ShellWord(v.String()), serve: []string{"--store", v.String()}}
	t.volatile = v.Memory
	if v.Disk = true; v.Validate() == nil {
		t.disk = v.String()
	}
	return t
}

func findTarget(name string) (target, error) {
	if short, ok := strings.CutPrefix(name, mutantPrefix); ok {
		m, found := mutant.Find(short)
		if !found {
			return target{}, fmt.Errorf("--store %q: no such mutant; there are %s",
				name, strings.Join(mutantNames(), ", "))
		}
		return target{name: name, open: same(m.Open), profile: m.Profile,
			flags: "--store " + name, serve: []string{"--store", name}}, nil
	}
	short, _, _ := strings.Cut(name, ",")
	if _, err := sqlite.ParseVariant(short); err != nil {
		return target{}, fmt.Errorf("--store: %w; or all; or a mutant, as in %sstale-cache", err,
			mutantPrefix)
	}
	v, err := sqlite.ParseVariant(name)
	if err != nil {
		return target{}, fmt.Errorf("--store: %w", err)
	}
	return variant(v), nil
}

func mutantNames() []string {
	var names []string
	for _, m := range mutant.Mutants() {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}
