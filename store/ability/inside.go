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

// Find returns the first of s, what it was made of by Limit, and so on, that is a T.
func Find[T any](s store.Store) (T, bool) {
	for s != nil {
		if t, ok := s.(T); ok {
			return t, true
		}
		s, _ = Inside(s)
	}
	var none T
	return none, false
}
