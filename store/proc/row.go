package proc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"memrace/store"
)

// row is a store.Row as a line carries it. UpdatedAt is in nanoseconds since 1970; 0 is none.
type row struct {
	Session   field `json:"session"`
	Key       field `json:"key"`
	Value     field `json:"value"`
	UpdatedAt int64 `json:"updated_at,omitzero"`
}

func newRow(r store.Row) row {
	out := row{Session: field(r.Session), Key: field(r.Key), Value: field(r.Value)}
	if !r.UpdatedAt.IsZero() {
		out.UpdatedAt = r.UpdatedAt.UnixNano()
	}
	return out
}

func (r row) kept() store.Row {
	out := store.Row{
		Session: store.Field(r.Session), Key: store.Field(r.Key), Value: store.Field(r.Value),
	}
	if r.UpdatedAt != 0 {
		out.UpdatedAt = time.Unix(0, r.UpdatedAt)
	}
	return out
}

// field is a store.Field as a line carries it: text as a string, numbers as numbers, NULL as null,
// and a blob as an object with its bytes in base64.
type field store.Field

type blob struct {
	Blob []byte `json:"blob"`
}

// MarshalJSON implements json.Marshaler.
func (f field) MarshalJSON() ([]byte, error) {
	switch f.Type {
	case store.Null:
		return []byte("null"), nil
	case store.Text:
		return json.Marshal(f.Text)
	case store.Blob:
		return json.Marshal(blob{[]byte(f.Text)})
	}
	return []byte(f.Text), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *field) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	switch data[0] {
	case 'n':
		*f = field{}
		return nil
	case '"':
		f.Type = store.Text
		return json.Unmarshal(data, &f.Text)
	case '{':
		var b blob
		f.Type = store.Blob
		err := json.Unmarshal(data, &b)
		f.Text = string(b.Blob)
		return err
	case 't', 'f', '[':
		return fmt.Errorf("%s is no text, number, null or blob", data)
	}
	f.Type, f.Text = store.Integer, string(data)
	if strings.ContainsAny(f.Text, ".eE") {
		f.Type = store.Real
	}
	return nil
}
