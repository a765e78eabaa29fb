package verbs

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func says(text string) content {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func fails(w io.Writer) error {
	return errors.Join(says("half")(w), errors.New("no space left"))
}

// TestNewFile: whatever goes wrong with the log, the file is there, and no log of another one; and
// whatever goes wrong with the file, what was there before is there.
func TestNewFile(t *testing.T) {
	both := map[string]string{"x.txt": "file", "x.hlog": "log"}
	for _, tc := range []struct {
		name      string
		before    map[string]string
		force     bool
		file, log content
		fails     bool
		want      map[string]string
		why       string
	}{
		{name: "new", file: says("file"), log: says("log"), want: both},
		{name: "no log", file: says("file"), log: fails, fails: true,
			want: map[string]string{"x.txt": "file"}, why: "the log is less than the file"},
		{name: "no file", file: fails, log: says("log"), fails: true},
		{name: "one is there", before: map[string]string{"x.txt": "old"},
			file: says("file"), log: says("log"), fails: true,
			want: map[string]string{"x.txt": "old"}, why: "it came after the check"},
		{name: "its log is there", before: map[string]string{"x.hlog": "old"},
			file: says("file"), log: says("log"), fails: true,
			want: map[string]string{"x.txt": "file", "x.hlog": "old"},
			why:  "nobody asked for it to be replaced"},
		{name: "replaced", before: map[string]string{"x.txt": "old", "x.hlog": "old log"},
			force: true, file: says("file"), log: says("log"), want: both},
		{name: "not replaced", before: map[string]string{"x.txt": "old", "x.hlog": "old log"},
			force: true, file: fails, log: says("log"), fails: true,
			want: map[string]string{"x.txt": "old", "x.hlog": "old log"},
			why:  "without a file there is no use for a log"},
		{name: "its log is not replaced", before: map[string]string{"x.txt": "old",
			"x.hlog": "old log"}, force: true, file: says("file"), log: fails, fails: true,
			want: map[string]string{"x.txt": "file"}, why: "the old log is of the old file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tc.before {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
			}
			n := newFile{path: filepath.Join(dir, "x.txt"), force: tc.force}
			err := n.write(tc.file, tc.log)
			require.Equal(t, tc.fails, err != nil, "%v", err)
			got := map[string]string{}
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			for _, e := range entries {
				text, err := os.ReadFile(filepath.Join(dir, e.Name()))
				require.NoError(t, err)
				got[e.Name()] = string(text)
			}
			if tc.want == nil {
				tc.want = map[string]string{}
			}
			require.Empty(t, cmp.Diff(tc.want, got), tc.why)
		})
	}
}
