package report_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/report"
)

// What README.md shows of a baseline is what its file of benchmarks comes to: the pictures and the
// table that are kept beside it, and the table in README.md itself.
func TestBaselinesAreDrawnFromTheirFiles(t *testing.T) {
	files, err := filepath.Glob("../results/baseline/*/bench.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files, "make baseline")
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	for _, file := range files {
		kept := func(name string) string {
			text, err := os.ReadFile(filepath.Join(filepath.Dir(file), name))
			require.NoError(t, err, "make pictures")
			return string(text)
		}
		var p report.Page
		require.NoError(t, p.AddBenchmarks([]byte(kept("bench.txt")), file))
		pictures, err := p.Pictures()
		require.NoError(t, err)
		for _, picture := range pictures {
			require.Empty(t, cmp.Diff(kept(picture.Name), string(picture.SVG)), "make pictures")
		}
		figures, err := p.Figures()
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(kept(report.FiguresName), figures), "make pictures")
		require.Contains(t, string(readme), figures, "README.md shows the table")
	}
}
