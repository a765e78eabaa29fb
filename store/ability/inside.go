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
