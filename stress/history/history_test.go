package history_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/history"
)

func TestOpIsSmallAndFlat(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(history.Op{}), uintptr(40))
	op := reflect.TypeFor[history.Op]()
	for i := range op.NumField() {
		field := op.Field(i)
		switch field.Type.Kind() {
		case reflect.Int64, reflect.Uint32, reflect.Uint8, reflect.Bool:
		default:
			t.Errorf("field %s is of type %v; want a small number, so that millions of "+
				"operations give the garbage collector nothing to do", field.Name, field.Type)
		}
	}
}

// acts returns all that a client can do.
func acts() []history.Act {
	list := []history.Act{{Kind: history.Get, Whole: true}, {Kind: history.Delete, Whole: true}}
	for k := range history.Items {
		list = append(list, history.Act{Kind: k})
	}
	return append(list, history.Act{Kind: history.Items, Whole: true})
}

func TestNamesReadBack(t *testing.T) {
	for _, a := range acts() {
		got, err := history.ParseAct(a.String())
		require.NoError(t, err)
		require.Equal(t, a, got)
	}
	for _, o := range []history.Outcome{history.Unknown, history.OK, history.NotApplied} {
		got, err := history.ParseOutcome(o.String())
		require.NoError(t, err)
		require.Equal(t, o, got)
	}
	clients := []history.Client{0, 3, 1<<31 - 1, history.Final, history.Dumped, history.Reopened}
	for _, c := range clients {
		got, err := history.ParseClient(c.String())
		require.NoError(t, err)
		require.Equal(t, c, got)
	}
}

func TestNamesThatAreNone(t *testing.T) {
	for _, name := range []string{"", "put", "Get", "upsert "} {
		_, err := history.ParseAct(name)
		require.Error(t, err, "%q", name)
		_, err = history.ParseOutcome(name)
		require.Error(t, err, "%q", name)
	}
	for _, name := range []string{"", "c", "3", "c03", "c-1", "c+1", "c2147483648", "C3", "c3 "} {
		_, err := history.ParseClient(name)
		require.Error(t, err, "%q", name)
	}
	require.Equal(t, "kind(9)", history.Kind(9).String())
	require.Equal(t, "outcome(9)", history.Outcome(9).String())
}

func TestClasses(t *testing.T) {
	require.Len(t, history.Classes(), int(history.ClassOther)+1)
	for _, c := range history.Classes() {
		require.Equal(t, c, history.ClassNamed(c.String()))
	}
	require.Equal(t, history.ClassOther, history.ClassNamed("gremlin"))
	require.Equal(t, "other", history.Class(200).String())
	require.Equal(t, history.ClassBusySnapshot, history.ClassNamed("busy-snapshot"))
	require.Equal(t, history.ClassNone, history.ClassNamed("none"))
}

func TestValues(t *testing.T) {
	tests := []struct {
		name   string
		value  history.Value
		client history.Client
		step   uint32
		tag    bool
	}{
		{"none", 0, 0, 0, false},
		{"lowest", history.TagValue(0, 0), 0, 0, true},
		{"highest", history.TagValue(1<<31-1, 1<<32-2), 1<<31 - 1, 1<<32 - 2, true},
		{"foreign", history.ForeignValue(0), 0, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			client, step, ok := tt.value.Tag()
			require.Equal(t, tt.tag, ok)
			require.Equal(t, tt.client, client)
			require.Equal(t, tt.step, step)
		})
	}
	i, ok := history.ForeignValue(7).Foreign()
	require.True(t, ok)
	require.Equal(t, 7, i)
	_, ok = history.TagValue(1<<31-1, 1<<32-2).Foreign()
	require.False(t, ok, "the highest tag must not run into the foreign values")
}

func TestPrecedes(t *testing.T) {
	h := parse(t, `
		10 20 c0 upsert "s" "k" v0.0 ok
		20 30 c1 get "s" "k" - ok
		21 25 c2 get "s" "k" - not-applied busy
		22 - c3 upsert "s" "k" v3.0 unknown
		90 91 c4 get "s" "k" - ok`)
	tests := []struct {
		name string
		i, j int
		want bool
		why  string
	}{
		{"touching", 0, 1, false, "intervals are closed"},
		{"before", 0, 2, true, "returned at 20, called at 21"},
		{"after", 2, 0, false, ""},
		{"not applied", 2, 4, true, "it did return"},
		{"unknown", 3, 4, false, "it may still be under way"},
		{"itself", 0, 0, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, h.Precedes(tt.i, tt.j), tt.why)
		})
	}
}

func TestTextAndLine(t *testing.T) {
	long := `"0123456789012345678901234567890123456789€€"`
	line := `5 - c7 upsert "s\n" "" ` + long + ` unknown canceled`
	h := parse(t, "1 2 c3 get \"s\" \"k\" v3.17 ok\n3 4 c3 get \"s\" \"k\" - ok\n"+line+
		"\n6 7 c8 get \"s\" \"k\" x\"FF\" ok")
	require.Equal(t, "v3.17", h.Text(h.Ops[0].Value))
	require.Equal(t, "nothing", h.Text(h.Ops[1].Value))
	require.Equal(t, `"0123456789012345678901234567890123456789"... (46 bytes)`,
		h.Text(h.Ops[2].Value))
	require.Equal(t, `x"ff"`, h.Text(h.Ops[3].Value))
	require.Equal(t, line, h.Line(2))
	require.Equal(t, `6 7 c8 get "s" "k" x"ff" ok`, h.Line(3))
	client, step, ok := h.Tag(h.Ops[0].Value)
	require.True(t, ok)
	require.Equal(t, history.Client(3), client)
	require.Equal(t, uint32(17), step)
	_, _, ok = h.Tag(h.Ops[2].Value)
	require.False(t, ok)
}

func TestTextIsCutBetweenCharacters(t *testing.T) {
	h := parse(t, `1 2 c0 get "s" "k" "012345678901234567890123456789012345678€€" ok`)
	require.Equal(t, `"012345678901234567890123456789012345678"... (45 bytes)`,
		h.Text(h.Ops[0].Value))
}

func TestMetaValue(t *testing.T) {
	h := parse(t, "seed: 42\nnote: a\nnote: b\n")
	require.Equal(t, "42", h.MetaValue("seed"))
	require.Equal(t, "a", h.MetaValue("note"))
	require.Empty(t, h.MetaValue("store"))
}

func parse(t *testing.T, text string) *history.History {
	t.Helper()
	h, err := history.ParseString(text)
	require.NoError(t, err)
	return h
}

func requireEqual(t require.TestingT, want, got any, options ...cmp.Option) {
	if d := cmp.Diff(want, got, options...); d != "" {
		t.Errorf("(-want +got)\n%s", d)
		t.FailNow()
	}
}
