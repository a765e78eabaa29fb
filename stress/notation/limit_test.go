package notation_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/notation"
)

// limit is for tests what 64 MiB are for files: more than is read at once.
const limit = 8 * notation.BufferSize

// endless never ends. It counts the bytes that were read of it.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	e.read += len(p)
	return len(p), nil
}

func TestFilesAreNotTakenInAsAWhole(t *testing.T) {
	for name, tt := range map[string]struct {
		format      notation.Format
		start, what string
	}{
		"text": {notation.EDN, `{"`, "map"},
		"word": {notation.EDN, `{`, "map"},
		"JSON": {notation.JSONLines, `{"`, "map"},
		"line": {notation.Log, `INFO`, "line"},
	} {
		t.Run(name, func(t *testing.T) {
			rest := new(endless)
			in := io.MultiReader(strings.NewReader(tt.start), rest)
			_, err := notation.ReadWithin(in, tt.format, limit)
			require.EqualError(t, err, fmt.Sprintf("f:1: a %s of over %d bytes; want at most "+
				"that many", tt.what, limit))
			require.LessOrEqual(t, rest.read, limit+2*notation.BufferSize)
		})
	}
}

// TestLongFilesAreRead reads more than one map or line may have, and more than half of that in one.
func TestLongFilesAreRead(t *testing.T) {
	note := `"` + strings.Repeat("n", limit*2/3) + `"`
	for format, line := range map[notation.Format]string{
		notation.EDN: "{:process :nemesis :note " + note + "}\n",
		notation.Log: "INFO  jepsen.util - :nemesis\t:info\t:note\t" + note + "\n",
	} {
		_, err := notation.ReadWithin(strings.NewReader(strings.Repeat(line, 3)), format, limit)
		require.NoError(t, err)
	}
}

func TestLinesOfALogHaveTheLimit(t *testing.T) {
	const start = "INFO  jepsen.util - 0\t:invoke\t:read\tnil ;"
	line := start + strings.Repeat("n", limit-len(start)-1) + "\n"
	h, err := notation.ReadWithin(strings.NewReader(line+line[:20]+"1"+line[21:]), notation.Log,
		limit)
	require.NoError(t, err)
	require.Len(t, h.Ops, 2)
	_, err = notation.ReadWithin(strings.NewReader(line+"n"+line), notation.Log, limit)
	require.ErrorContains(t, err, "f:2: a line of over")
}
