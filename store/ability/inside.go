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
	// First returns one of them.
	First() store.Store
}

// Find returns the first of s, what it was made of by Limit, the first of Many, and so on, that is
// a T.
func Find[T any](s store.Store) (T, bool) {
	for s != nil {
		if t, ok := s.(T); ok {
			return t, true
		}
		if m, ok := s.(Many); ok {
			s = m.First()
			continue
		}
		s, _ = Inside(s)
	}
	var none T
	return none, false
}
