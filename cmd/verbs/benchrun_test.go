package verbs

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Who waits for long is told for what, and only then.
func TestWaitingIsSaid(t *testing.T) {
	for _, tc := range []struct {
		name     string
		commands []string
		waits    time.Duration
		want     string
	}{
		{"command", []string{"sleep 100"}, quiet, "memrace: waiting for the answer of sleep 100\n"},
		{"store", nil, quiet, "memrace: waiting for the stores to open\n"},
		{"at once", nil, quiet - 1, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said bytes.Buffer
				f := benchFlags{commands: tc.commands}
				timer := f.sayWaiting(&said)
				<-time.After(tc.waits)
				synctest.Wait()
				timer.Stop()
				<-time.After(quiet)
				require.Equal(t, tc.want, said.String())
			})
		})
	}
}
