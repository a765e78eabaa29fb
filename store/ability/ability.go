// Package ability says which optional methods a store has, and makes of a store that has all of
// them one that has only some, for stores that learn when they are opened what they can do: from a
// file, or from a child process. Whoever asks such a store by a type assertion gets the truth.
//
// It calls no method of a store.
package ability

import (
	"fmt"
	"reflect"
	"strings"

	"memrace/store"
)

// Full is a store with every optional method. What a limited one is not to have is never called.
type Full interface {
	store.Store
	store.Describer
	store.Lister
	store.Clearer
	store.Appender
	store.Updater
	store.Taker
	store.Dumper
}

// abilities are what a store may have or lack. The place of each is its bit in the names of the
// types in lacking.go.
var abilities = []struct {
	name string
	has  func(store.Store) bool
}{
	{"list", is[store.Lister]},
	{"clear", is[store.Clearer]},
	{"append", is[store.Appender]},
	{"update", is[store.Updater]},
	{"take", is[store.Taker]},
	{"dump", is[store.Dumper]},
}

func is[T any](s store.Store) bool {
	_, ok := s.(T)
	return ok
}

// Names returns the abilities that a store may have or lack: list, clear, append (with items),
// update, take, dump.
func Names() []string {
	names := make([]string, len(abilities))
	for i, a := range abilities {
		names[i] = a.name
	}
	return names
}

// Of returns the abilities of a store, in the order of Names.
func Of(s store.Store) []string {
	var names []string
	for _, a := range abilities {
		if a.has(s) {
			names = append(names, a.name)
		}
	}
	return names
}

// Limit returns a store with the methods that every Full has to have, and of the optional ones
// exactly those that are named, each by one of Names. The error names the one that is none of them.
func Limit(s Full, has ...string) (store.Store, error) {
	lacks := 1<<len(abilities) - 1
	for _, name := range has {
		bit, err := bitOf(name)
		if err != nil {
			return nil, err
		}
		lacks &^= bit
	}
	limited := reflect.New(reflect.TypeOf(lacking[lacks])).Elem()
	limited.FieldByName("Full").Set(reflect.ValueOf(s))
	return limited.Interface().(store.Store), nil
}

func bitOf(name string) (int, error) {
	for i, a := range abilities {
		if a.name == name {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("no ability is called %q; there are %s", name,
		strings.Join(Names(), ", "))
}
