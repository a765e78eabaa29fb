package main

import (
	"fmt"
	"slices"
	"strings"

	"memrace/store"
	"memrace/store/sqlite"
	"memrace/stress/mutant"
)

const mutantPrefix = "mutant/"

// target is a store that can be named on the command line.
type target struct {
	name    string
	open    store.Opener
	profile string // the profile that suits it best; empty if any does
}

// findTargets returns the stores that the names stand for; no name at all, or "all", stands for
// every right variant.
func findTargets(names []string) ([]target, error) {
	if err := sqlite.Ready(); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = []string{"all"}
	}
	var found []target
	for _, name := range names {
		if name == "all" {
			for _, v := range sqlite.Variants() {
				found = append(found, target{name: v.Name, open: v.Opener()})
			}
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

func findTarget(name string) (target, error) {
	if short, ok := strings.CutPrefix(name, mutantPrefix); ok {
		m, found := mutant.Find(short)
		if !found {
			return target{}, fmt.Errorf("--store %q: no such mutant; there are %s",
				name, strings.Join(mutantNames(), ", "))
		}
		return target{name: name, open: m.Open, profile: m.Profile}, nil
	}
	v, err := sqlite.ParseVariant(name)
	if err != nil {
		return target{}, fmt.Errorf("--store: %w; or all; or a mutant, as in %sstale-cache", err,
			mutantPrefix)
	}
	return target{name: v.String(), open: v.Opener()}, nil
}

func mutantNames() []string {
	var names []string
	for _, m := range mutant.Mutants() {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}
