//go:build !race

package notation_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/notation"
)

// TestBigMaps reads to the limit that files have, which takes long under the race detector.
func TestBigMaps(t *testing.T) {
	for format, want := range map[notation.Format]string{
		notation.EDN: "f:1: a map of over 67108864 bytes; want at most that many",
		notation.Log: "f:1: a line of over 67108864 bytes; want at most that many",
	} {
		in := io.MultiReader(strings.NewReader(`{"`), new(endless))
		_, err := notation.Read(in, "f", format)
		require.EqualError(t, err, want)
	}
	_, err := notation.Read(strings.NewReader(`{:process :nemesis :note "`+
		strings.Repeat("n", 60<<20)+`"}`), "f", notation.EDN)
	require.NoError(t, err)
}
