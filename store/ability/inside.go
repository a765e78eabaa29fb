package ability

import (
	"reflect"

	"memrace/store"
)

// Inside returns the store that Limit made s of, and false if Limit did not. It is for what is no
// ability of a store, such as to kill it.
func Inside(s store.Store) (store.Store, bool) {
	for _, l := range lacking {
		if reflect.TypeOf(l) == reflect.TypeOf(s) {
			return reflect.ValueOf(s).FieldByName("Full").Interface().(store.Store), true
		}
	}
	return nil, false
}

// Many is a store that consists of several which are alike.
type Many interface {
	// All returns them; there is at least one.
	All() []store.Store
}

// Find returns the first of s, what it was made of by Limit, the first of Many, and so on, that is
// a T.
func Find[T any](s store.Store) (T, bool) {
	for s != nil {
		if t, ok := s.(T); ok {
			return t, true
		}
		if m, ok := s.(Many); ok {
			s = m.All()[0]
			continue
		}
		s, _ = Inside(s)
	}
	var none T
	return none, false
}

// FindAll returns what Find finds in each of those that a store consists of, or in itself.
func FindAll[T any](s store.Store) (found []T) {
	for s != nil {
		if t, ok := s.(T); ok {
			return []T{t}
		}
		if m, ok := s.(Many); ok {
			for _, one := range m.All() {
				found = append(found, FindAll[T](one)...)
			}
			return found
		}
		s, _ = Inside(s)
	}
	return nil
}
