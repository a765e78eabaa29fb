package history_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"memrace/stress/history"
)

var ignoreLines = []cmp.Option{
	cmpopts.IgnoreFields(history.History{}, "Lines"), cmpopts.EquateEmpty(),
}

// requireSurvivesFile checks that h says the same after it was written and read.
func requireSurvivesFile(t require.TestingT, h *history.History) *history.History {
	var file bytes.Buffer
	require.NoError(t, history.Write(&file, h))
	got, err := history.Read(bytes.NewReader(file.Bytes()), "file")
	require.NoError(t, err)
	requireEqual(t, h.Meta, got.Meta, cmpopts.EquateEmpty())
	requireEqual(t, lines(h), lines(got))
	require.Len(t, got.Lines, len(got.Ops))
	return got
}

func FuzzRead(f *testing.F) {
	f.Add("memrace-history 1\nseed: 42\n\n1 2 c0 upsert \"s\" \"k\" v0.0 ok\n")
	f.Add("memrace-history 1\n5 6 c0 get \"\\u00e9\" x\"ff\" \"a\" ok\r\n" +
		"1 - c1 delete \"\" \"\" - unknown busy")
	f.Add("memrace-history 1\n1 2 final get \"s\" \"k\" \"\" ok # seen\n" +
		"1 2 dump get \"s\" \"k\" - not-applied")
	f.Add("memrace-history 1\n9 9 c2147483647 get \"s\" \"k\" v2147483647.4294967294 ok\n")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := history.Read(strings.NewReader(text), "file")
		if err != nil {
			return
		}
		requireTables(t, h)
		got := requireSurvivesFile(t, h)
		requireEqual(t, h, got, ignoreLines...)
		lenient, err := history.ParseString(text)
		require.NoError(t, err)
		requireEqual(t, h, lenient)
	})
}

func TestHostileTextsSurvive(t *testing.T) {
	texts := []string{
		"", " ", "\x00", "\"", `\`, "a\nb", "tab\t", "\r\n", "\x7f", "é", "e\u0301", "\u202eright",
		"\u2028", "\ufeff", "😀", "\U000e0001", "\ufffd", "\xff", "a\xc3", "\xed\xa0\x80",
		"-", "v1.2",
		"# no comment", "x\"ff\"", "null", strings.Repeat("long ", 50000),
	}
	h := &history.History{Values: make([]history.Value, 1)}
	for i, text := range texts {
		h.Slots = append(h.Slots, history.Slot{Session: text, Key: text + text})
		h.Foreign = append(h.Foreign, text)
		h.Values = append(h.Values, history.ForeignValue(i))
		h.Meta = append(h.Meta, history.Meta{Name: "note", Value: text})
		h.Ops = append(h.Ops, history.Op{
			Call: int64(i), Return: int64(i), Slot: uint32(i), Value: history.ValueID(i + 1),
			Outcome: history.OK,
		})
	}
	requireEqual(t, h, requireSurvivesFile(t, h), ignoreLines...)
}

func TestWrittenForm(t *testing.T) {
	h := parse(t, `
		seed: 42
		note: "  two\nlines"
		9 12 c1 get "s" "\u0041\u200b\ud83d\ude00" x"61" ok none # a comment
		5 - c0	upsert  "s" "A\u200b😀" "\/\b" unknown gremlin`)
	var file strings.Builder
	require.NoError(t, history.Write(&file, h))
	requireEqual(t, `memrace-history 1
seed: 42
note: "  two\nlines"

# call return client kind session key [seen] value outcome [class]
5 - c0 upsert "s" "A\u200b😀" "/\u0008" unknown other
9 12 c1 get "s" "A\u200b😀" "a" ok
`, file.String())
	require.Equal(t, []uint32{5, 4}, h.Lines)
	require.Len(t, h.Slots, 1, "one slot, however it is spelled")
}

func TestReadSortsAndNumbers(t *testing.T) {
	h := parse(t, `
		30 31 c0 get "s" "third" "c" ok
		20 21 c1 get "s" "second" "b" ok
		20 22 c2 get "s" "second" v9.9 ok
		10 11 c3 get "s" "first" - ok
		40 41 c4 get "s" "third" "b" ok`)
	get := func(call, ret int64, c history.Client, slot uint32, v history.ValueID) history.Op {
		return history.Op{Call: call, Return: ret, Client: c, Slot: slot, Value: v,
			Kind: history.Get, Outcome: history.OK}
	}
	requireEqual(t, &history.History{
		Ops: []history.Op{
			get(10, 11, 3, 0, 0), get(20, 21, 1, 1, 1), get(20, 22, 2, 1, 2),
			get(30, 31, 0, 2, 3), get(40, 41, 4, 2, 1),
		},
		Slots: []history.Slot{{"s", "first"}, {"s", "second"}, {"s", "third"}},
		Values: []history.Value{
			0, history.ForeignValue(0), history.TagValue(9, 9), history.ForeignValue(1),
		},
		Foreign: []string{"b", "c"},
		Lines:   []uint32{5, 3, 4, 2, 6},
	}, h)
}

func TestDOSFileAndMissingNewline(t *testing.T) {
	unix := "memrace-history 1\nseed: 42\n\n1 2 c0 upsert \"s\" \"k\" v0.0 ok\n"
	want, err := history.Read(strings.NewReader(unix), "file")
	require.NoError(t, err)
	for _, text := range []string{strings.ReplaceAll(unix, "\n", "\r\n"), strings.TrimSpace(unix)} {
		got, err := history.Read(strings.NewReader(text), "file")
		require.NoError(t, err)
		requireEqual(t, want, got)
	}
}

func BenchmarkWrite(b *testing.B) {
	h := history.Merge(nil, slotNamed, manyOps(16, 1<<16)...)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, history.Write(io.Discard, h))
	}
	b.ReportMetric(float64(b.N*len(h.Ops))/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkRead(b *testing.B) {
	h := history.Merge(nil, slotNamed, manyOps(16, 1<<16)...)
	var file bytes.Buffer
	require.NoError(b, history.Write(&file, h))
	b.SetBytes(int64(file.Len()))
	b.ReportAllocs()
	for b.Loop() {
		_, err := history.Read(bytes.NewReader(file.Bytes()), "file")
		require.NoError(b, err)
	}
	b.ReportMetric(float64(b.N*len(h.Ops))/b.Elapsed().Seconds(), "records/s")
}
