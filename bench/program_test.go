package bench_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/bench"
	"memrace/stress/workload"
)

// script is a program that the shell runs in the turn's directory.
func script(text string) bench.Program {
	return bench.Program{Path: "sh", Args: func(dir string, _ bench.Load, _ bench.Config) []string {
		return []string{"-c", "cd \"$0\"; " + text, dir}
	}}
}

func TestProgram(t *testing.T) {
	const lines = `fs: ext4

BenchmarkMixed/mix=upsert:1,get:1/store=x-2	300	150 ops/sec	1 ns/op	0 errors/op
BenchmarkUpsert/mix=upsert:1,get:1/store=x-2	101	50 ops/sec	1 ns/op
BenchmarkGet/mix=upsert:1,get:1/store=x-2	199	100 ops/sec	1 ns/op	0 errors/op
`
	load := bench.Load{Mix: workload.Mix{Upsert: 1, Get: 1}, Clients: 3}
	config := quick()
	config.For = 2 * time.Second
	toFile := script("cat > lines.txt <<'END'\n" + lines + "END\necho no benchmark")
	toFile.File = "lines.txt"
	for name, program := range map[string]bench.Program{
		"output": script("cat <<'END'\n" + lines + "END"), "file": toFile,
	} {
		t.Run(name, func(t *testing.T) {
			turns, err := bench.Run(t.Context(), t.TempDir(),
				[]bench.Subject{{Store: "x", Play: program.Play}}, []bench.Load{load}, config, nil)
			require.NoError(t, err)
			var got [][2]int
			for _, k := range turns[0].Kinds {
				got = append(got, [2]int{k.OK, k.Done})
			}
			require.Empty(t, cmp.Diff([][2]int{{101, 100}, {199, 200}}, got))
			require.Equal(t, 150.0, turns[0].PerSecond())
			require.Equal(t, "x", turns[0].Subject.Store)
		})
	}
}

func TestAProgramThatGoesWrong(t *testing.T) {
	for _, tc := range []struct{ name, script, want, why string }{
		{"status", "echo no disk >&2; exit 3", "exit status 3: no disk", ""},
		{"nothing", "true", "it has 0 lines of kinds of operation, and the mix 1", ""},
		{"no benchmark", "echo BenchmarkUpsert x", "its output:1", ""},
		{"errors", "echo 'BenchmarkUpsert 5 5 ops/sec 0.1 errors/op'", "operations failed",
			"what fails is fast"},
		{"unit", "echo 'BenchmarkUpsert 5 5 ns/op'", "there is no ops/sec", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := script(tc.script).Play(t.Context(), t.TempDir(), upserts(1, 0), quick())
			require.ErrorContains(t, err, tc.want, tc.why)
		})
	}
}

// The C loop measures what it is told, and refuses what makes no sense.
func TestCLoop(t *testing.T) {
	path, err := filepath.Abs("../bin/cloop")
	require.NoError(t, err)
	if _, err := os.Stat(path); err != nil {
		t.Skip("there is no bin/cloop; make cloop builds it")
	}
	for _, mix := range []workload.Mix{{Upsert: 1}, {Upsert: 45, Get: 50, Delete: 5}} {
		turns, err := bench.Run(t.Context(), t.TempDir(), []bench.Subject{cLoop(path, "normal")},
			[]bench.Load{{Mix: mix, Clients: 64}}, unhurried(), nil)
		require.NoError(t, err)
		for _, k := range turns[0].Kinds {
			require.Positive(t, k.Done, k.Act.String())
		}
	}
	_, err = cLoop(path, "extra").Play(t.Context(), t.TempDir(), upserts(1, 0), quick())
	require.ErrorContains(t, err, "--sync extra: it is neither full nor normal")
	require.ErrorContains(t, err, "usage: cloop")
}
