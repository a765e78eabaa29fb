package proc_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever is killed takes its child along, though that hangs and does not see the end of its input.
func TestChildEndsWithParent(t *testing.T) {
	near := exec.Command(os.Args[0])
	near.Env = append(os.Environ(), childVariable+"=keeper")
	said, err := near.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, near.Start())
	line, err := bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	pid := 0
	_, err = fmt.Sscanf(line, "left %d", &pid)
	require.NoError(t, err)
	require.NoError(t, near.Process.Kill())
	require.Error(t, near.Wait())
	gone(t, pid)
}
