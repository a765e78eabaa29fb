//go:build cgo

package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/sqlite"
)

// open opens a store in dir that is closed when the test ends.
func open(t testing.TB, dir, text string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), dir, variant(t, text))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// files returns the names in dir.
func files(t testing.TB, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	for i := range paths {
		paths[i] = filepath.Base(paths[i])
	}
	return paths
}

// eachVariant runs a test for every named variant.
func eachVariant(t *testing.T, test func(t *testing.T, v sqlite.Variant)) {
	for _, v := range sqlite.Variants() {
		v.Driver = driverName
		t.Run(v.Name, func(t *testing.T) { test(t, v) })
	}
}

func requireValue(t testing.TB, s store.Store, session, key, want string) {
	t.Helper()
	got, found, err := s.Get(t.Context(), session, key)
	require.NoError(t, err)
	require.True(t, found, "%q of %q", key, session)
	require.Equal(t, want, got)
}

func requireNothing(t testing.TB, s store.Store, session, key string) {
	t.Helper()
	got, found, err := s.Get(t.Context(), session, key)
	require.NoError(t, err)
	require.False(t, found, "%q of %q is %q", key, session, got)
}

func upsert(t testing.TB, s store.Store, session, key, value string) {
	t.Helper()
	_, err := s.Upsert(t.Context(), session, key, value)
	require.NoError(t, err)
}
