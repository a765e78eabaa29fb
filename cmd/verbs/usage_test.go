package verbs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that never comes does not keep an interrupt waiting.
func TestUnlessInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	never := make(chan struct{})
	err := unlessInterrupted(ctx, "reading a pipe", func() error {
		cancel()
		<-never
		return nil
	})
	close(never)
	require.EqualError(t, err, "interrupted in reading a pipe")
	require.Equal(t, statusUndecided, statusOf(err))
	wrong := errors.New("wrong")
	err = unlessInterrupted(t.Context(), "reading", func() error { return wrong })
	require.Equal(t, wrong, err)
}

// What stands in a file, or in the name of one, does not reach the terminal as a command to it.
func TestNothingATerminalObeysIsPrinted(t *testing.T) {
	t.Chdir(t.TempDir())
	const good = "memrace-history 1\n1 2 c1 upsert \"s\" \"k\" \"v\" ok\n" +
		"3 4 c2 get \"s\" \"k\" \"v\" ok\n"
	for name, text := range map[string]string{
		"call.edn":     "{:process 0 :type :invoke :f \x1bc}",
		"odd\x1bc.txt": good,
		"line.txt":     "memrace-history 1\n1 2 c1 \x1bc",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
		var out, errOut bytes.Buffer
		run(t.Context(), []string{"check", name}, &out, &errOut)
		require.NotContains(t, out.String()+errOut.String(), "\x1b", name)
		require.NotEmpty(t, out.String()+errOut.String(), name)
	}
	var out, errOut bytes.Buffer
	require.Equal(t, statusUsage, run(t.Context(), []string{"check", filepath.Join("no", "\x1bc")},
		&out, &errOut))
	require.NotContains(t, errOut.String(), "\x1b")
}

// failing is an output that takes nothing.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWhatCannotBePrintedIsSaid(t *testing.T) {
	var errOut bytes.Buffer
	require.Equal(t, statusUndecided, run(t.Context(), []string{"list"}, failing{}, &errOut))
	require.Equal(t, "memrace: write standard output: no space left\n", errOut.String())
}
