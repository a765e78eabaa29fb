package report_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"memrace/report"
	"memrace/stress"
	"memrace/stress/history"
)

func TestScale(t *testing.T) {
	for _, c := range []struct {
		name   string
		stamps []int64
		want   []int
		long   []bool
		why    string
	}{
		{"real", []int64{0, 10, 20, 50}, []int{0, 200, 400, 1000}, []bool{false, false, false},
			"nothing is out of the ordinary: distances are real"},
		{"one stamp", []int64{7}, []int{0}, []bool{}, "there is no distance"},
		{"one stretch", []int64{7, 9}, []int{0, 1000}, []bool{false}, "it has all the room"},
		{"long gap", []int64{0, 10, 1e9, 1e9 + 10, 1e9 + 20}, []int{0, 303, 393, 697, 1000},
			[]bool{false, true, false, false}, "the others share what the gap leaves"},
		{"two long gaps", []int64{0, 10, 1e6, 1e6 + 10, 1e9}, []int{0, 410, 500, 910, 1000},
			[]bool{false, true, false, true}, "one does not hide that the other is long too"},
		{"equal gaps", []int64{0, 1, 4e6, 4e6 + 1, 8e6, 8e6 + 1}, []int{0, 273, 363, 637, 727,
			1000}, []bool{false, true, false, true, false}, "neither is an excuse for the other"},
		{"two sizes", []int64{0, 400, 405, 410, 415, 715}, []int{0, 551, 563, 575, 587, 1000},
			[]bool{false, false, false, false, false}, "short ones are lifted"},
		{"twelve times", []int64{0, 12, 13}, []int{0, 923, 1000}, []bool{false, false},
			"the other can be seen all the same"},
		{"short", []int64{0, 1, 500, 1000}, []int{0, 12, 506, 1000}, []bool{false, false, false},
			"they stay apart"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, long := report.NewScale(c.stamps, 0, 1000).Places()
			require.Equal(t, c.want, x, c.why)
			require.Equal(t, c.long, long, c.why)
		})
	}
}

// Two names that look alike once they are shortened are told apart.
func TestNamesThatLookAlike(t *testing.T) {
	long := func(middle string) string {
		return strings.Repeat("a", 50) + middle + strings.Repeat("z", 50)
	}
	h := &history.History{
		Slots:  []history.Slot{{Session: long("1"), Key: "k"}, {Session: long("2"), Key: "k"}},
		Values: []history.Value{0},
		Ops: []history.Op{{Return: 1, Kind: history.Delete, Outcome: history.OK},
			{Call: 2, Return: 3, Kind: history.Delete, Outcome: history.OK, Slot: 1}},
	}
	for _, d := range report.Draw(h, stress.Story{Ops: []int{0, 1}, Accused: stress.NoOp}) {
		bars := d.Rows[0].Bars
		require.NotEqual(t, bars[0].Label, bars[1].Label)
	}
}

// Whatever the operations: bars and labels stay within the drawing, those of one row do not
// overlap, and a bar that ended before another began ends left of it.
func TestDrawingsAreReadable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, ops := drawOps(t)
		story := stress.Story{Ops: ops, Accused: rapid.IntRange(-1, len(ops)-1).Draw(t, "accused")}
		for _, d := range report.Draw(h, story) {
			at := checkRows(t, d)
			require.Len(t, at, len(ops), "a bar for each operation")
			for i := range ops {
				for j := range ops {
					if h.Precedes(i, j) {
						require.LessOrEqual(t, at[i].End, at[j].X, "%d was over before %d", i, j)
					}
				}
			}
		}
	})
}

type box struct{ X, Y, End int }

func checkRows(t *rapid.T, d *report.Drawing) map[int]box {
	at := map[int]box{}
	top := 0
	for _, r := range d.Rows {
		end := 0
		var labels []box
		for _, b := range r.Bars {
			require.GreaterOrEqual(t, b.X, end, "bars of a row")
			end = b.X + b.Width
			require.LessOrEqual(t, end, d.Width)
			label := box{b.LabelX, b.LabelY, b.LabelX + report.TextWidth(b.Label)}
			require.GreaterOrEqual(t, label.X, 0)
			require.LessOrEqual(t, label.End, d.Width, b.Label)
			require.Greater(t, label.Y, top, "labels stand below the row above")
			for _, other := range labels {
				if other.Y == label.Y {
					require.True(t, other.End <= label.X || label.End <= other.X)
				}
			}
			labels = append(labels, label)
			at[b.Call()] = box{X: b.X, Y: b.Y, End: end}
		}
		top = r.Bars[0].Y + r.Bars[0].Height
	}
	require.Less(t, top, d.AxisY)
	return at
}

// wholeCalls has calls of several operations each.
const wholeCalls = `10 50 c1 list "s" "k0" v2.0 ok
	10 50 c1 list "s" "k1" - ok
	20 60 c2 upsert "s" "k0" v2.0 ok
	70 90 c1 items "s" "" v3.0 ok
	70 90 c1 items "s" "" v3.1 ok
	70 90 c1 items "s" "" v3.2 ok
	80 99 c3 clear "s" "k0" - ok
	80 99 c3 clear "s" "k1" - ok`

// A call on a whole session is one bar that says what it found, as far as that is in the story.
func TestWholeCallsAreOneBarEach(t *testing.T) {
	h, err := history.ParseString(wholeCalls)
	require.NoError(t, err)
	for _, d := range report.Draw(h, stress.Story{Ops: []int{0, 1, 2, 4, 6, 7}, Accused: 4}) {
		var labels, texts []string
		for _, r := range d.Rows {
			for _, b := range r.Bars {
				labels, texts = append(labels, b.Label), append(texts, b.Line)
			}
		}
		require.Len(t, d.Rows, 3, "a row for each client")
		require.Equal(t, []string{
			`list "s": "k0" v2.0, "k1" -`, `✗ items "s": ... v3.1 ...`, `upsert "s" "k0" v2.0`,
			`clear "s"`,
		}, labels)
		require.Equal(t, h.Line(0)+"\n"+h.Line(1), texts[0], "all lines of the call")
		require.Len(t, d.Arrows, 4, "an arrow leads from call to call, not from line to line")
	}
}

// However many operations calls are, the drawing has the bars and rows of calls of one operation.
func TestWholeCallsTakeTheRoomOfOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		single, ops := drawOps(t)
		several, some := &history.History{Values: single.Values}, []int{}
		single.Slots = nil
		for i := range single.Ops {
			op := single.Ops[i]
			op.Slot, op.Whole = uint32(i), true
			slot := history.Slot{Session: "s" + strings.Repeat("x", i), Key: "k"}
			single.Slots, several.Slots = append(single.Slots, slot), append(several.Slots, slot)
			single.Ops[i] = op
			for n := range rapid.IntRange(1, 4).Draw(t, "lines") {
				if n == 0 || rapid.Bool().Draw(t, "given") {
					some = append(some, len(several.Ops))
				}
				several.Ops = append(several.Ops, op)
			}
		}
		want := report.Draw(single, stress.Story{Ops: ops, Accused: stress.NoOp})
		got := report.Draw(several, stress.Story{Ops: some, Accused: stress.NoOp})
		for i := range want {
			checkRows(t, got[i])
			require.Equal(t, places(want[i]), places(got[i]))
			require.Equal(t, len(want[i].Arrows), len(got[i].Arrows))
		}
	})
}

// places are where the bars of a drawing begin and end, row by row.
func places(d *report.Drawing) (rows [][]int) {
	for _, r := range d.Rows {
		var row []int
		for _, b := range r.Bars {
			row = append(row, b.Call(), b.X, b.X+b.Width)
		}
		rows = append(rows, row)
	}
	return rows
}
