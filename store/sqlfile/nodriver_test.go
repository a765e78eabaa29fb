//go:build !cgo

package sqlfile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/store/sqlfile"
)

func TestParseWithoutADriver(t *testing.T) {
	_, err := sqlfile.Parse(strings.NewReader("-- name: upsert\nSELECT :value;\n"+
		"-- name: get\nSELECT 1;\n-- name: delete\nSELECT 1;\n"), "f.sql")
	require.ErrorContains(t, err, "memrace was built without cgo")
}
