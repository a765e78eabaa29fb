//go:build !cgo

package sqlite_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store/sqlite"
)

func TestWithoutCgoOpenSaysWhatToDo(t *testing.T) {
	const want = "memory: memrace was built without cgo, which SQLite needs; build it again " +
		"with CGO_ENABLED=1 and a C compiler (Debian, Ubuntu: apt-get install gcc libc6-dev; " +
		"Fedora: dnf install gcc; macOS: xcode-select --install)"
	_, err := sqlite.Open(t.Context(), "", variant(t, "memory"))
	if diff := cmp.Diff("open "+want, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = sqlite.OpenPools(t.Context(), "", variant(t, "memory"))
	if diff := cmp.Diff("open pools of "+want, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	require.ErrorContains(t, sqlite.Ready(), "memrace was built without cgo")
	for _, v := range sqlite.Variants() {
		_, err := v.Opener()(t.Context(), t.TempDir())
		require.ErrorContains(t, err, "memrace was built without cgo", "%s", v)
		require.NotContains(t, err.Error(), "\n")
	}
}
