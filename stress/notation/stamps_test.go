package notation_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/notation"
)

var stamp = regexp.MustCompile(` :time (\d+)`)

// byStamp sorts the lines of a file by their stamps.
func byStamp(t *testing.T, text string) string {
	at := func(line string) int {
		n, err := strconv.Atoi(stamp.FindStringSubmatch(line)[1])
		require.NoError(t, err)
		return n
	}
	return strings.Join(slices.SortedStableFunc(strings.Lines(text), func(a, b string) int {
		return at(a) - at(b)
	}), "")
}

// TestStampsThatGoBackCanBeReadInTwoWays has two files whose stamps go back, though each process
// has its own in order. To sort the one and to keep the order of the other is right; either rule
// for both would accuse a store that is right.
func TestStampsThatGoBackCanBeReadInTwoWays(t *testing.T) {
	for _, tt := range []struct{ name, text, sorted, asItStands, why string }{
		{"written down late", `{:process 0 :type :invoke :f :write :value 1 :time 0}
{:process 0 :type :ok :f :write :value 1 :time 10}
{:process 1 :type :invoke :f :read :time 5}
{:process 1 :type :ok :f :read :value nil :time 20}
`, "holds", "violated", "the read was called before the write returned"},
		{"two clocks", `{:process 0 :type :invoke :f :write :value 1 :time 10}
{:process 1 :type :invoke :f :read :time 20}
{:process 0 :type :ok :f :write :value 1 :time 15}
{:process 1 :type :ok :f :read :value nil :time 25}
`, "violated", "holds", "the clock of process 1 is ahead"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := notation.Read(strings.NewReader(tt.text), "f", notation.Auto)
			require.ErrorContains(t, err, "want events in the order of time: sorted, if")
			require.Equal(t, tt.sorted, linearizable(t, read(t, byStamp(t, tt.text))), tt.why)
			asItStands := stamp.ReplaceAllString(tt.text, "")
			require.Equal(t, tt.asItStands, linearizable(t, read(t, asItStands)), tt.why)
		})
	}
}
