package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/check"
)

// TestReplay plays orders back: a write stands for itself and the reads of its value, which
// follow it in the order of their calls.
func TestReplay(t *testing.T) {
	h := parse(t, `1 2 c1 upsert "s" "k" v1.0 ok
		1 9 c2 delete "s" "k" - ok
		3 4 c3 get "s" "k" v1.0 ok
		5 6 c3 get "s" "k" - ok
		7 8 c4 upsert "s" "k" v4.0 not-applied busy
		7 - c5 delete "s" "k" - unknown
		7 - c6 get "s" "k" - unknown`)
	for _, c := range []struct {
		name  string
		order []int32
		want  string
		why   string
	}{
		{"right", []int32{0, 1, 3}, "", "write, its read, delete, miss"},
		{"with unknown delete", []int32{0, 1, 3, 5}, "", "it may have taken effect"},
		{"value does not fit", []int32{0, 3, 1}, "position 3: the value does not fit",
			"there is a value yet"},
		{"against the time", []int32{1, 3, 0}, "position 0 comes after one that was called later",
			"the write had returned before the miss was called"},
		{"twice", []int32{0, 1, 1, 3}, "position 1 comes twice", "a delete takes effect once"},
		{"write missing", []int32{1, 3}, "operation 0 is missing", "it was acknowledged"},
		{"miss missing", []int32{0, 1}, "operation 3 is missing", "it was acknowledged"},
		{"refused", []int32{0, 1, 3, 4}, "position 4 was not applied", "it has no effect"},
		{"unknown read", []int32{0, 1, 3, 6}, "position 6: the value does not fit",
			"nobody knows what it found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := check.Replay(h, c.order...); c.want == "" {
				require.NoError(t, err, c.why)
			} else {
				require.EqualError(t, err, c.want, c.why)
			}
		})
	}
}
