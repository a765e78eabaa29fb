package history_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
)

func TestCallsOnWholeSessions(t *testing.T) {
	h := parse(t, `
		1 9 c1 list "s1" "k1" v2.0 ok
		1 9 c1 list "s1" "k2" - ok
		1 9 c2 list "s1" "k1" - ok
		2 - c3 clear "s1" "k1" - unknown
		2 - c3 clear "s1" "k2" - unknown
		3 4 c4 items "s1" "" v4.0 ok
		3 4 c4 items "s1" "" v4.1 ok
		3 5 c5 add "s1" "" v5.0 ok
		3 4 c6 get "s1" "k1" - ok
		4 4 c6 get "s1" "k1" - ok`)
	var continues []bool
	for i := range h.Ops {
		continues = append(continues, h.Continues(i))
	}
	const no, yes = false, true
	require.Equal(t, []bool{no, yes, no, no, yes, no, yes, no, no, no}, continues)
	requireEqual(t, h, requireSurvivesFile(t, h), ignoreLines...)
}

func TestWholeCallsThatAreNone(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"key of a list", `1 2 c1 add "s" "k" v1.0 ok`,
			`history:1: add with the key "k"; want "", since a session has one list`},
		{"key of items", `1 2 c1 items "s" "k" - ok`,
			`history:1: items with the key "k"; want "", since a session has one list`},
		{"torn apart", `1 9 c1 list "s" "k" - ok
			1 9 c2 list "s" "k" - ok
			1 9 c1 list "s" "l" - ok`,
			`history:3: c1 is called at 1, although its list of line 1 returns at 9; ` +
				`want one call after the other`},
		{"two sessions", `1 9 c1 list "s" "k" - ok
			1 9 c1 list "t" "k" - ok`,
			`history:2: c1 is called at 1, although its list of line 1 returns at 9; ` +
				`want one call after the other`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := history.ParseString(tt.text)
			require.EqualError(t, err, tt.want)
		})
	}
}

func TestCountCountsCalls(t *testing.T) {
	r := history.NewRecorder(run, 0)
	r.CallWhole(1, history.Get, []uint32{0, 1, 2}, 1)
	require.Equal(t, 0, r.Count())
	r.FoundWhole(2, []history.Finding{{Slot: 0}, {Slot: 1}, {Slot: 2}, {Slot: 1}})
	require.Equal(t, 1, r.Count())
	r.CallWhole(1, history.Delete, []uint32{0, 1, 2}, 3)
	require.True(t, r.Seal(), "it is inside the store")
	require.False(t, r.Return(4, history.OK, 0), "it was given up")
	require.Equal(t, []string{
		`1 2 c1 list "s0" "k" - ok`,
		`1 2 c1 list "s1" "k" - ok`,
		`1 2 c1 list "s2" "k" - ok`,
		`1 2 c1 list "s1" "k" - ok`,
		`3 - c1 clear "s0" "k" - unknown`,
		`3 - c1 clear "s1" "k" - unknown`,
		`3 - c1 clear "s2" "k" - unknown`,
	}, lines(history.Merge(nil, slotNamed, r)))
}

func TestBegan(t *testing.T) {
	r := history.NewRecorder(run, 0)
	r.Call(1, history.Upsert, 0, history.TagValue(1, 0), 10)
	r.Began(12)
	r.Return(20, history.OK, history.ClassNone)
	r.CallWhole(1, history.Get, []uint32{0, 1}, 30)
	r.Began(35)
	r.FoundWhole(40, []history.Finding{{Slot: 0}, {Slot: 1}})
	r.Call(1, history.Get, 0, 0, 50)
	r.Found(60, "", false)
	r.Done()
	require.Equal(t, []string{
		`12 20 c1 upsert "s0" "k" v1.0 ok`,
		`35 40 c1 list "s0" "k" - ok`,
		`35 40 c1 list "s1" "k" - ok`,
		`50 60 c1 get "s0" "k" - ok`,
	}, lines(history.Merge(nil, slotNamed, r)))
}
