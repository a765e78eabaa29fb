package notation_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
	"memrace/stress/notation"
)

// everyKind has each kind, outcome and client of memrace, and times that touch.
const everyKind = `memrace-history 1
seed: 42
note: "  \u202e \"quoted\" "
setting: a
setting: b

5 5 c0 get "s" "k" - ok
5 5 c0 upsert "s" "k" v0.1 ok
5 9 c0 get "s" "k" v0.1 ok
5 6 c1 delete "s" "k" - ok
6 9 c1 delete "s" "k" - not-applied busy
9 12 c1 update "s" "k" v0.1 v1.2 ok
9 13 c0 update "s" "k" - v0.3 ok
10 - c2 update "s" "k" - v2.0 unknown canceled
11 - c3 update "s" "k" v0.1 v3.0 unknown
12 14 c4 update "s" "k" - v4.0 not-applied locked
14 15 c4 update "s" "k" - v4.1 not-applied mismatch
15 16 c4 update "s" "k" v9.9 v4.2 not-applied mismatch
16 17 c4 update "s" "k" v9.9 v4.3 not-applied
17 18 c4 update "s" "k" - v4.4 not-applied
18 19 c4 take "s" "k" v1.2 ok
19 20 c4 take "s" "k" - not-applied readonly
20 - c4 get "s" "k" - unknown interrupted
21 - c4 take "s" "k" - unknown
22 23 c2147483647 append "" "" "a\u0000\"\\\n" ok
22 - c7 append "" "" x"ff00" unknown other
24 25 c8 upsert x"ff" "\u00e9\ud83d\ude00" "v1.2" ok
25 26 c8 upsert ":k" "nil" "nil" ok
26 27 c8 get ":k" "nil" "" ok
27 28 c8 upsert ":k" "nil" "{:hex \"00\"}" ok
40 50 final get "s" "k" - ok
41 49 final get ":k" "nil" "nil" ok
60 60 dump get "s" "k" - ok
60 60 dump get ":k" "nil" - not-applied ioerr
70 - reopen get "s" "k" - unknown corrupt
70 71 reopen get "s" "k" - ok
`

func requireSurvivesEDN(t require.TestingT, h *history.History) {
	var file bytes.Buffer
	require.NoError(t, notation.WriteEDN(&file, h))
	got, err := notation.Read(bytes.NewReader(file.Bytes()), "file", notation.EDN)
	require.NoError(t, err, "%s", &file)
	requireEqual(t, lines(h), lines(got))
	require.Equal(t, len(h.Meta), len(got.Meta))
	for i := range h.Meta {
		require.Equal(t, h.Meta[i], got.Meta[i])
	}
}

func TestEverythingSurvivesEDN(t *testing.T) {
	requireSurvivesEDN(t, read(t, everyKind))
}

func TestOrderOfWhatTouches(t *testing.T) {
	h := read(t, `memrace-history 1
1 5 c0 get "" "k" - ok
2 5 c1 get "" "k" - ok
5 7 c2 get "" "k" - ok
5 9 c1 get "" "k" - ok
`)
	var file strings.Builder
	require.NoError(t, notation.WriteEDN(&file, h))
	requireEqual(t, `{:index 0, :process 0, :type :invoke, :f :read, :value nil, AT, :time 1}
{:index 1, :process 1, :type :invoke, :f :read, :value nil, AT, :time 2}
{:index 2, :process 2, :type :invoke, :f :read, :value nil, AT, :time 5}
{:index 3, :process 0, :type :ok, :f :read, :value nil, AT, :time 5}
{:index 4, :process 1, :type :ok, :f :read, :value nil, AT, :time 5}
{:index 5, :process 1, :type :invoke, :f :read, :value nil, AT, :time 5}
{:index 6, :process 2, :type :ok, :f :read, :value nil, AT, :time 7}
{:index 7, :process 1, :type :ok, :f :read, :value nil, AT, :time 9}
`, strings.ReplaceAll(file.String(), `:session "", :key "k"`, "AT"))
}

func TestWrittenForm(t *testing.T) {
	h := read(t, `memrace-history 1
seed: 42

1 3 c0 update "s" "k" - v0.0 not-applied
2 - c1 get "s" "k" - unknown
4 5 c1 get "s" "k" v7.1 ok
6 7 c1 update "s" "k" - v1.0 ok
8 9 final get "s" x"ff" "a\u007f" ok
9 9 c1 update "s" "k" - v1.1 not-applied mismatch
`)
	var file strings.Builder
	require.NoError(t, notation.WriteEDN(&file, h))
	requireEqual(t, `{:process :memrace, :type :info, :f :header, :value ["seed" "42"]}
{:index 0, :process 0, :type :invoke, :f :update, :value [nil v0.0], AT, :time 1}
{:index 1, :process 1, :type :invoke, :f :read, :value nil, AT, :time 2}
{:index 2, :process 1, :type :info, :f :read, :value nil, AT, :time 2}
{:index 3, :process 0, :type :fail, :f :update, :value [nil v0.0], AT, :time 3}
{:index 4, :process 2, :type :invoke, :f :read, :value nil, AT, :client :c1, :time 4}
{:index 5, :process 2, :type :ok, :f :read, :value v7.1, AT, :client :c1, :time 5}
{:index 6, :process 2, :type :invoke, :f :cas, :value [nil v1.0], AT, :client :c1, :time 6}
{:index 7, :process 2, :type :ok, :f :cas, :value [nil v1.0], AT, :client :c1, :time 7}
{:index 8, :process 3, :type :invoke, :f :read, :value nil, :session "s", `+
		`:key {:hex "ff"}, :client :final, :time 8}
{:index 9, :process 2, :type :invoke, :f :cas, :value [nil v1.1], AT, :client :c1, :time 9}
{:index 10, :process 3, :type :ok, :f :read, :value "a\u007f", :session "s", `+
		`:key {:hex "ff"}, :client :final, :time 9}
{:index 11, :process 2, :type :fail, :f :cas, :value [nil v1.1], AT, :client :c1, :time 9, `+
		`:class :mismatch}
`, strings.ReplaceAll(file.String(), `:session "s", :key "k"`, "AT"))
}

type fullDisk struct{}

var errFull = errors.New("disk is full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	err := notation.WriteEDN(fullDisk{}, read(t, everyKind))
	require.ErrorIs(t, err, errFull)
	require.EqualError(t, err, "write EDN: disk is full")
}

func FuzzRead(f *testing.F) {
	f.Add(everyKind)
	for _, text := range []string{
		call + back,
		"[{:process 0, :type :invoke, :f :cas, :value [1 [nil \"\\u00e9\"]], :time 9}\n" +
			"{:process 0, :type :fail, :f :cas, :value [1 [nil \"\\u00e9\"]], :time 10}]",
		"INFO  jepsen.util - 0\t:invoke\t:write\t3\nINFO  jepsen.util - 0\t:info\t:write\t:x",
		`{"process":0,"type":"invoke","f":"take","session":"s","key":"k","value":null}`,
		"{:process 1 :type :invoke :f :put :key \"k\" :value \"\"}\n#_a {:process :nemesis}",
		"#a{:process 1 :type :invoke :f :read :client :final :class :busy #{1 2} \\a}",
		`{:process 0 :type :invoke :f :list :session "s" :value ["a" "b"] :time 1}
{:process 1 :type :invoke :f :items :session "s" :time 1}
{:process 0 :type :ok :f :list :session "s" :value [["a" v1.1] ["c" nil]] :time 2}
{:process 1 :type :ok :f :items :session "s" :value [1 nil v1.1] :time 2}
{:process 1 :type :invoke :f :clear :session "s" :value ["a" "b"] :time 2}`,
		`memrace-history 1
1 2 c0 list "s" "a" v1.1 ok
1 2 c0 list "s" "b" - ok
2 - c0 items "s" "" - unknown
2 3 c0 add "s" "" v0.1 ok
3 3 final items "s" "" v0.1 ok
3 3 final items "s" "" v1.1 ok`,
		"{:process :memrace :f :header :value [\"a\" {:hex \"ff\"}]}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := notation.Read(strings.NewReader(text), "file", notation.Auto)
		if err != nil {
			return
		}
		var file bytes.Buffer
		require.NoError(t, history.Write(&file, h))
		got, err := history.Read(bytes.NewReader(file.Bytes()), "file")
		require.NoError(t, err)
		requireEqual(t, lines(h), lines(got))
		requireSurvivesEDN(t, h)
	})
}
