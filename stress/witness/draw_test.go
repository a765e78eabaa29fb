package witness_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"memrace/stress/history"
	"memrace/stress/witness"
)

var update = flag.Bool("update", false, "write what is drawn into testdata")

// Each file of testdata begins with why it is there; then come a history and its story.
func TestTell(t *testing.T) {
	tests := []struct {
		name, file string
		c          witness.Case
		width      int
	}{
		{"stale read", "stale-read", witness.Case{Anomaly: "stale read", Sentence: "c3 read " +
			"v1.4, which c1 wrote, although c2's overwrite v2.7 had returned before c3 asked"}, 0},
		{"cross-session leak", "leak", witness.Case{Anomaly: "cross-session leak", Slot: 1,
			Sentence: `c3 read in session "bob" what c1 had written to session "alice"`}, 0},
		{"value gone", "gone", witness.Case{Anomaly: "value gone without a delete", Sentence: "" +
			"c4 found nothing, although c3 had read v1.4 before and no delete was under way"}, 0},
		{"unknown outcomes", "open-end", witness.Case{Anomaly: "not linearizable"}, 0},
		{"touching", "touching", witness.Case{Anomaly: "not linearizable"}, 0},
		{"points", "points", witness.Case{Anomaly: "lost write", Slot: witness.NoSlot}, 100},
		{"panels", "panels", witness.Case{Anomaly: "lost update", Sentence: "so long " +
			"a sentence that it takes more than one line, and " +
			"anaveryveryverylongwordthatfitsnowhereatall"}, 50},
		{"whole calls", "whole-calls", witness.Case{Anomaly: "read skew"}, 120},
		{"list", "list", witness.Case{Anomaly: "lost item", Sentence: "c3's list ends with v1.4 " +
			"and lacks v2.2, which c2 had added before c3 asked"}, 0},
		{"hostile", "hostile", witness.Case{Anomaly: "value from nowhere", Slot: 0,
			Sentence: "c3 read \x1b[31m\"" + strings.Repeat("a", 4096) + "\"\u009b0m\u202e"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden := filepath.Join("testdata", tt.file+".txtar")
			archive, err := txtar.ParseFile(golden)
			require.NoError(t, err)
			h := parse(t, string(archive.Files[0].Data))
			tt.c.Ops = everything(h)
			got := "\n" + witness.Tell(h, tt.c, tt.width).String()
			if *update {
				story := txtar.File{Name: "story", Data: []byte(got)}
				archive.Files = append(archive.Files[:1], story)
				require.NoError(t, os.WriteFile(golden, txtar.Format(archive), 0o666))
			}
			require.Len(t, archive.Files, 2, "no story in %s yet; run with -update", golden)
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("%s(-want +got, -update accepts it):\n%s", archive.Comment, diff)
			}
		})
	}
}

func parse(t *testing.T, text string) *history.History {
	t.Helper()
	h, err := history.ParseString(text)
	require.NoError(t, err)
	return h
}

func everything(h *history.History) []int {
	ops := make([]int, len(h.Ops))
	for i := range ops {
		ops[i] = i
	}
	return ops
}

func TestDrawChoosesOperations(t *testing.T) {
	h := parse(t, `0 10 c1 upsert "s" "k" v1.0 ok
		11 20 c2 upsert "s" "k" v2.0 ok
		30 40 c3 get "s" "other" - ok`)
	want := "c1    |--- upsert v1.0 ---|\ntime  +------ 10ns -------+\n"
	if diff := cmp.Diff(want, witness.Draw(h, []int{0, 0}, 0)); diff != "" {
		t.Errorf("only what is asked for, each once (-want +got):\n%s", diff)
	}
	require.Empty(t, witness.Draw(h, nil, 0), "nothing to draw")
}

func TestDrawListsMany(t *testing.T) {
	h := &history.History{Slots: make([]history.Slot, 1), Values: []history.Value{0}}
	for i := range int64(150) {
		h.Ops = append(h.Ops, history.Op{Call: 1000 * i, Return: 1000*i + 1500, Kind: history.Get,
			Client: history.Client(i % 2), Outcome: history.Outcome(i % 2)})
	}
	for n, want := range map[int]string{40: "|", 41: "", 150: "and 50 more\n"} {
		got := witness.Draw(h, everything(h)[:n], 0)
		require.Contains(t, got, want)
		require.Equal(t, n <= 40, strings.Contains(got, "|---"), "%d operations", n)
		if n > 40 {
			lines := strings.Split(got, "\n")
			require.Equal(t, "      0s to ...       c0      get: unknown", lines[0])
			require.Equal(t, "     1us to 2.5us     c1      get: nothing", lines[1])
		}
	}
	story := witness.Tell(h, witness.Case{Anomaly: "hang", Ops: everything(h)}, 0)
	require.Contains(t, story.String(), "# and 50 more\n")
}

// A return before the call cannot come from a file, but must not break the drawing.
func TestDrawBackwardOperation(t *testing.T) {
	h := &history.History{Slots: make([]history.Slot, 1), Values: []history.Value{0},
		Ops: []history.Op{{Call: 5, Return: 2, Kind: history.Delete, Outcome: history.OK}}}
	require.Equal(t, "c0    | delete\ntime  +\n", witness.Draw(h, []int{0}, 0))
}

func TestTellWithoutSlotOrOperations(t *testing.T) {
	s := witness.Tell(&history.History{}, witness.Case{Anomaly: "nothing succeeds",
		Sentence: "no upsert succeeded"}, 0)
	require.Equal(t, "nothing succeeds\n\n  no upsert succeeded\n", s.String())
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestStoryWrite(t *testing.T) {
	s := witness.Story{Headline: "hang"}
	var b strings.Builder
	require.NoError(t, s.Write(&b))
	require.Equal(t, s.String(), b.String())
	err := s.Write(brokenWriter{})
	require.ErrorIs(t, err, os.ErrClosed)
	require.ErrorContains(t, err, "write story: ")
}

// lanesOf returns the panels of a drawing, and of each the lines without the axis.
func lanesOf(drawing string) (panels [][]string, axes []string) {
	for _, text := range strings.Split(drawing, "\n\n") {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		isAxis := func(line string) bool { return strings.HasPrefix(line, "time ") }
		axis := slices.IndexFunc(lines, isAxis)
		panels, axes = append(panels, lines[:axis]), append(axes, lines[axis])
	}
	return panels, axes
}
