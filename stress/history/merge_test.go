package history_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"memrace/stress/history"
)

// call is one operation as a client plays it into a recorder.
type call struct {
	client    history.Client
	kind      history.Kind
	at, ret   int64
	step      uint32
	whole     []string // what is found in so many slots; nil for a call on one of them
	text      string
	otherwise history.Outcome
}

func (c call) play(r *history.Recorder) {
	if c.whole != nil {
		c.playWhole(r)
		return
	}
	var value history.Value
	if c.kind == history.Upsert || c.kind == history.Update {
		value = history.TagValue(c.client, c.step)
	}
	r.Call(c.client, c.kind, 1, value, c.at)
	if c.returnsValue() {
		r.Found(c.ret, c.text, c.text != "")
	} else {
		r.Return(c.ret, c.otherwise, history.ClassNone)
	}
}

func (c call) playWhole(r *history.Recorder) {
	slots := make([]uint32, len(c.whole))
	found := make([]history.Finding, len(c.whole))
	for i, text := range c.whole {
		slots[i] = uint32(i)
		found[i] = history.Finding{Slot: uint32(i), Text: text, Found: text != ""}
	}
	r.CallWhole(c.client, c.kind, slots, c.at)
	if c.kind != history.Get || c.otherwise != history.OK {
		r.Return(c.ret, c.otherwise, history.ClassNone)
		return
	}
	stray := history.Slot{Session: "s", Key: "stray" + c.text}
	r.FoundWhole(c.ret, append(found, history.Finding{Stray: &stray, Text: "x", Found: true}))
}

// returnsValue is true for each get, and for other kinds that read if they are to succeed.
func (c call) returnsValue() bool {
	reads := c.kind == history.Update || c.kind == history.Take
	return c.kind == history.Get || reads && c.otherwise == history.OK
}

// lines are the operations in the notation of the file, made without the code under test.
func (c call) lines() (lines []string) {
	if c.whole == nil {
		return []string{c.line()}
	}
	ret, verb := fmt.Sprint(c.ret), "clear"
	if c.kind == history.Get {
		verb = "list"
	}
	if c.otherwise == history.Unknown {
		ret = "-"
	}
	found := verb == "list" && c.otherwise == history.OK
	for i, text := range c.whole {
		value := "-"
		if found && text != "" {
			value = fmt.Sprintf("%q", text)
		}
		lines = append(lines, fmt.Sprintf(`%d %s c%d %s "s" "k%d" %s %v`, c.at, ret, c.client, verb,
			i, value, c.otherwise))
	}
	if found {
		lines = append(lines, fmt.Sprintf(`%d %s c%d list "s" %q "x" ok`, c.at, ret, c.client,
			"stray"+c.text))
	}
	return lines
}

// line is lines for a call on one slot.
func (c call) line() string {
	ret, value, outcome := fmt.Sprint(c.ret), "-", c.otherwise
	if c.returnsValue() {
		outcome = history.OK
		if c.text != "" {
			value = fmt.Sprintf("%q", c.text)
		}
	}
	switch c.kind {
	case history.Upsert:
		value = fmt.Sprintf("v%d.%d", c.client, c.step)
	case history.Update:
		value += fmt.Sprintf(" v%d.%d", c.client, c.step)
	}
	if outcome == history.Unknown {
		ret = "-"
	}
	return fmt.Sprintf(`%d %s c%d %v "s" "k1" %s %v`, c.at, ret, c.client, c.kind, value, outcome)
}

// drawLog draws the calls of one recorder, in the order of time. Each recorder has a hundred
// client numbers to itself.
func drawLog(t *rapid.T, recorder int) []call {
	var log []call
	now := int64(0)
	client := history.Client(recorder * 100)
	for range rapid.IntRange(0, 30).Draw(t, "calls") {
		now += rapid.Int64Range(0, 2).Draw(t, "wait")
		c := call{client: client, at: now, step: uint32(len(log))}
		c.kind = history.Kind(rapid.IntRange(0, 4).Draw(t, "kind"))
		c.otherwise = history.Outcome(rapid.IntRange(0, 2).Draw(t, "outcome"))
		c.text = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "text")
		if c.kind == history.Get || c.kind == history.Delete {
			texts := rapid.SampledFrom([]string{"", "a", "b"})
			c.whole = rapid.SampledFrom([][]string{nil, nil, {"a"},
				{texts.Draw(t, "first"), texts.Draw(t, "second")}}).Draw(t, "whole")
		}
		now += rapid.Int64Range(0, 2).Draw(t, "work")
		c.ret = now
		log = append(log, c)
		if (c.kind != history.Get || c.whole != nil) && c.otherwise == history.Unknown {
			client++
		}
	}
	return log
}

// TestMergeAgainstSort compares the merge with sorting all calls.
func TestMergeAgainstSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []call
		var recorders []*history.Recorder
		for i := range rapid.IntRange(0, 6).Draw(t, "recorders") {
			r := history.NewRecorder(run, 0)
			log := drawLog(t, i)
			for _, c := range log {
				c.play(r)
			}
			r.Done()
			all = append(all, log...)
			recorders = append(recorders, r)
		}
		slices.SortStableFunc(all, func(a, b call) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.client, b.client))
		})
		want := []string{}
		for _, c := range all {
			want = append(want, c.lines()...)
		}
		h := history.Merge(nil, keyNamed, recorders...)
		requireEqual(t, want, lines(h))
		requireTables(t, h)
		requireSurvivesFile(t, h)
	})
}

func keyNamed(i uint32) history.Slot {
	return history.Slot{Session: "s", Key: fmt.Sprintf("k%d", i)}
}

// requireTables checks that each value stands in the tables once and is named by an operation.
func requireTables(t require.TestingT, h *history.History) {
	named := map[history.ValueID]bool{history.None: true}
	for _, op := range h.Ops {
		named[op.Value], named[op.Seen] = true, true
	}
	require.Len(t, named, len(h.Values))
	seen := map[history.Value]bool{}
	for _, v := range h.Values {
		require.False(t, seen[v], "%v stands twice", v)
		seen[v] = true
	}
	texts := map[string]bool{}
	for _, text := range h.Foreign {
		require.False(t, texts[text], "%q stands twice", text)
		texts[text] = true
	}
}

// An update that is OK, but returned nothing, is one that saw nothing.
func TestMergeOfUpdates(t *testing.T) {
	r := history.NewRecorder(run, 0)
	r.Call(1, history.Update, 0, history.TagValue(1, 0), 1)
	r.Return(2, history.OK, history.ClassNone)
	r.Call(1, history.Update, 0, history.TagValue(1, 1), 3)
	r.Return(4, history.NotApplied, history.ClassBusy)
	r.Call(1, history.Update, 0, history.TagValue(1, 2), 5)
	r.Found(6, "x", true)
	r.Done()
	require.Equal(t, []string{
		`1 2 c1 update "s0" "k" - v1.0 ok`,
		`3 4 c1 update "s0" "k" - v1.1 not-applied busy`,
		`5 6 c1 update "s0" "k" "x" v1.2 ok`,
	}, lines(history.Merge(nil, slotNamed, r)))
}

func TestMergeOfOneInstant(t *testing.T) {
	first, second := history.NewRecorder(run, 0), history.NewRecorder(run, 0)
	for _, c := range []history.Client{9, 2, 7} {
		first.Call(c, history.Delete, 0, 0, 5)
	}
	second.Call(4, history.Delete, 0, 0, 5)
	second.Call(3, history.Get, 0, 0, 5)
	second.Call(3, history.Delete, 0, 0, 5)
	first.Done()
	second.Done()
	require.Equal(t, []string{
		`5 - c2 delete "s0" "k" - unknown`,
		`5 - c3 get "s0" "k" - unknown`,
		`5 - c3 delete "s0" "k" - unknown`,
		`5 - c4 delete "s0" "k" - unknown`,
		`5 - c7 delete "s0" "k" - unknown`,
		`5 - c9 delete "s0" "k" - unknown`,
	}, lines(history.Merge(nil, slotNamed, first, second)))
}

// A run that uses few of a million slots is to have a small table, and the same one as its file.
func TestMergeNumbersSlotsAsTheyAreUsed(t *testing.T) {
	first, second := history.NewRecorder(run, 0), history.NewRecorder(run, 0)
	first.Call(1, history.Delete, 1<<20-1, 0, 5)
	first.Call(1, history.Delete, 7, 0, 9)
	second.Call(0, history.Delete, 7, 0, 6)
	second.Call(2, history.Delete, 3, 0, 6)
	first.Done()
	second.Done()
	var asked []uint32
	h := history.Merge(nil, func(i uint32) history.Slot {
		asked = append(asked, i)
		return slotNamed(i)
	}, first, second)
	require.Equal(t, []uint32{1<<20 - 1, 7, 3}, asked, "once for each, and for no other")
	require.Equal(t, []history.Slot{slotNamed(1<<20 - 1), slotNamed(7), slotNamed(3)}, h.Slots)
}

func TestMergeOfNothing(t *testing.T) {
	for _, h := range []*history.History{
		history.Merge(nil, slotNamed),
		history.Merge(nil, slotNamed, doneRecorder()),
	} {
		require.Empty(t, h.Ops)
		require.Empty(t, h.Slots)
		require.Equal(t, []history.Value{0}, h.Values)
	}
}

func doneRecorder() *history.Recorder {
	r := history.NewRecorder(run, 0)
	r.Done()
	return r
}

// manyOps has each client write and read back a value in turn; few values are foreign.
func manyOps(clients, perClient int) []*history.Recorder {
	var all []*history.Recorder
	for c := range history.Client(clients) {
		r := history.NewRecorder(run, perClient)
		for i := range perClient {
			at, slot := int64(i*100)+int64(c), uint32(i%64)
			if i%2 == 0 {
				r.Call(c, history.Upsert, slot, history.TagValue(c, uint32(i)), at)
				r.Return(at+90, history.OK, history.ClassNone)
				continue
			}
			r.Call(c, history.Get, slot, 0, at)
			r.Found(at+50, tagText(run, slot, (c+1)%history.Client(clients), uint32(i-1)), true)
		}
		r.Done()
		all = append(all, r)
	}
	return all
}

func BenchmarkMerge(b *testing.B) {
	for _, clients := range []int{1, 16, 256} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			recorders := manyOps(clients, 1<<20/clients)
			b.ReportAllocs()
			ops := 0
			for b.Loop() {
				ops += len(history.Merge(nil, slotNamed, recorders...).Ops)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(ops), "ns/record")
		})
	}
}
