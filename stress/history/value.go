package history

// Value is a value of a history in eight bytes: a tag's client and step, or an index into
// History.Foreign. The zero Value is None's.
type Value uint64

const (
	foreignBit = 1 << 63
	// maxClient and maxStep are the highest numbers that a Value has room for.
	maxClient = 1<<31 - 1
	maxStep   = 1<<32 - 2
)

// TagValue returns the value that client wrote at the given step of its own.
// The client must be below 1<<31; step counts from 0 and must be below 1<<32 - 1.
func TagValue(client Client, step uint32) Value {
	return Value(client)<<32 | Value(step) + 1
}

// ForeignValue returns the value whose text stands in History.Foreign at index i.
func ForeignValue(i int) Value { return foreignBit | Value(i) }

// Tag returns the client that wrote v and the step at which it did. It reports false for the
// zero Value and for a foreign one.
func (v Value) Tag() (client Client, step uint32, ok bool) {
	if v == 0 || v&foreignBit != 0 {
		return 0, 0, false
	}
	return Client(v >> 32), uint32(v) - 1, true
}

// Foreign returns the index into History.Foreign at which the text of v stands. It reports
// false for the zero Value and for a tag.
func (v Value) Foreign() (i int, ok bool) {
	return int(v &^ foreignBit), v&foreignBit != 0
}
