package check_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/check"
)

// A sentence says by how much time an order was forced, as far as the stamps tell.
func TestSentencesSayByHowMuch(t *testing.T) {
	for _, c := range []struct {
		from, to int64
		want     string
		why      string
	}{
		{2, 3, "1ns before", "the least"},
		{1, 1000, "999ns before", "whole nanoseconds"},
		{1, 1001, "1.0us before", "tenths of what has one digit"},
		{1, 2499, "2.4us before", "rounded down: it was at least that much"},
		{1, 9_999, "9.9us before", "never up to the next"},
		{1, 28_900, "28us before", "none of what has two or more"},
		{1, 3_060_000, "3.0ms before", "tenths, not hundredths"},
		{1, 999_999_999, "999ms before", "just below the next unit"},
		{1, 61_000_000_000, "60s before", "no minutes"},
		{1000, 29_000, "returned before", "in a file without times events stand 1000 apart"},
		{1000, 29_001, "28us before", "this one has times"},
	} {
		h := parse(t, fmt.Sprintf("0 %d c2 get \"s\" \"k\" v1.0 ok\n"+
			"%d %d c1 upsert \"s\" \"k\" v1.0 ok", c.from, c.to, c.to))
		v, found := check.Explain(h, []int{0, 1})
		require.True(t, found)
		require.Contains(t, v.Sentence, c.want, c.why)
	}
}
