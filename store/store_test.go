package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memrace/store"
)

func TestFieldTypeString(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   store.FieldType
		want string
		why  string
	}{
		{"zero value", 0, "null", "the zero Field is NULL"},
		{"text", store.Text, "text", ""},
		{"blob", store.Blob, "blob", ""},
		{"integer", store.Integer, "integer", ""},
		{"real", store.Real, "real", ""},
		{"no type", store.Real + 1, "unknown", "a number from elsewhere must not panic"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.in.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.why, diff)
			}
		})
	}
}

func TestTextFieldDiffersFromNull(t *testing.T) {
	if store.TextField("") == (store.Field{}) {
		t.Error("the empty text equals NULL")
	}
}
