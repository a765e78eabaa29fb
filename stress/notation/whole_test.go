package notation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/notation"
)

func TestCallsOnWholeSessions(t *testing.T) {
	requireGolden(t, []goldenCase{
		{"list", `{:process 0 :type :invoke :f :list :session "s" :value ["k0" "k1" "k2"]}
{:process 1 :type :invoke :f :get :session "s" :key "k0"}
{:process 0 :type :ok :f :list :session "s" :value [["k1" v1.1] ["new" "x"] ["k1" v1.2] ["k2" nil]]}
{:process 1 :type :ok :f :get :session "s" :key "k0" :value v1.3}`, []string{
			`0 2000 c0 list "s" "k1" v1.1 ok`,
			`0 2000 c0 list "s" "new" "x" ok`,
			`0 2000 c0 list "s" "k1" v1.2 ok`,
			`0 2000 c0 list "s" "k2" - ok`,
			`0 2000 c0 list "s" "k0" - ok`,
			`1000 3000 c1 get "s" "k0" v1.3 ok`,
		}, "a key that was asked for and is not in the answer was not there"},
		{"list of nothing", `{:process 0 :type :invoke :f :list :session "s" :value (1 {:hex "ff"})}
{:process 0 :type :ok :f :list :value []}`, []string{
			`0 1000 c0 list "s" "1" - ok`, `0 1000 c0 list "s" x"ff" - ok`,
		}, "keys are spelled as elsewhere, and the return need not repeat the session"},
		{"failures", `{:process 0 :type :invoke :f :list :session "s" :value ["a" "b"]}
{:process 0 :type :fail :f :list :session "s" :value :busy}
{:process 0 :type :invoke :f :clear :session "s" :value ["a" "b"]}
{:process 0 :type :info :f :clear :session "s" :value ["a" "b"] :error :timeout}
{:process 0 :type :invoke :f :items :session "s"}
{:process 0 :type :info :f :items :session "s" :value [v1.1]}
{:process 0 :type :invoke :f :clear :session "s" :value ["a" "a"]}`, []string{
			`0 1000 c0 list "s" "a" - not-applied busy`,
			`0 1000 c0 list "s" "b" - not-applied busy`,
			`2000 - c0 clear "s" "a" - unknown other`,
			`2000 - c0 clear "s" "b" - unknown other`,
			`4000 - c1 items "s" "" - unknown`,
			`6000 - c2 clear "s" "a" - unknown`,
			`6000 - c2 clear "s" "a" - unknown`,
		}, "what is not ok has found nothing"},
		{"clear", `{:process 0 :type :invoke :f :clear :session "s" :value ["a" "b"]}
{:process 0 :type :ok :f :clear :value nil}`, []string{
			`0 1000 c0 clear "s" "a" - ok`, `0 1000 c0 clear "s" "b" - ok`,
		}, "the return need not repeat the keys"},
		{"items", `{:process 0 :type :invoke :f :add :session "s" :value v0.1}
{:process 0 :type :ok :f :add :session "s" :value v0.1}
{:process 0 :type :invoke :f :add :session "s" :value ""}
{:process 1 :type :invoke :f :items :session "s" :value nil}
{:process 1 :type :ok :f :items :session "s" :value [v0.1 "" 7]}
{:process 1 :type :invoke :f :items :session "" :client :final}
{:process 1 :type :ok :f :items :session "" :value []}`, []string{
			`0 1000 c0 add "s" "" v0.1 ok`,
			`2000 - c0 add "s" "" "" unknown`,
			`3000 4000 c1 items "s" "" v0.1 ok`,
			`3000 4000 c1 items "s" "" "" ok`,
			`3000 4000 c1 items "s" "" "7" ok`,
			`5000 6000 final items "" "" - ok`,
		}, "an empty text is an item"},
	})
}

func TestCallsOnWholeSessionsInJSON(t *testing.T) {
	requireGolden(t, []goldenCase{
		{"each", `
{"process":0,"type":"invoke","f":"list","session":"s","value":["a","b"],"time":1}
{"process":0,"type":"ok","f":"list","session":"s","value":[["a","x"],["b",null]],"time":2}
{"process":0,"type":"invoke","f":"clear","session":"s","value":["a","b"],"time":3}
{"process":0,"type":"ok","f":"clear","session":"s","value":["a","b"],"time":4}
{"process":0,"type":"invoke","f":"add","session":"s","value":"i","time":5}
{"process":0,"type":"ok","f":"add","session":"s","value":"i","time":6}
{"process":0,"type":"invoke","f":"items","session":"s","value":null,"time":7}
{"process":0,"type":"ok","f":"items","session":"s","value":["i"],"time":8}`, []string{
			`1 2 c0 list "s" "a" "x" ok`, `1 2 c0 list "s" "b" - ok`,
			`3 4 c0 clear "s" "a" - ok`, `3 4 c0 clear "s" "b" - ok`,
			`5 6 c0 add "s" "" "i" ok`, `7 8 c0 items "s" "" "i" ok`,
		}, "the maps are those of EDN"},
	})
}

func TestLinesOfWholeCalls(t *testing.T) {
	h := read(t, `{:process 0 :type :invoke :f :read}
{:process 1 :type :invoke :f :list :session "s" :value ["a" "b"]}
{:process 2 :type :invoke :f :read}`)
	require.Equal(t, []uint32{1, 2, 2, 3}, h.Lines)
}

func TestWrittenFormOfWholeCalls(t *testing.T) {
	h := read(t, `memrace-history 1
1 2 c0 list "s" "k0" v1.1 ok
1 2 c0 list "s" "k1" - ok
3 4 c0 clear "s" "k0" - ok
3 4 c0 clear "s" x"ff" - ok
5 6 c0 items "s" "" - ok
7 8 c0 add "s" "" v0.1 ok
9 9 c0 items "s" "" v0.1 ok
9 9 c0 items "s" "" "x" ok
9 - c1 list "r" "k0" - unknown busy
9 - c1 list "r" "k1" - unknown busy
10 11 c1 items "r" "" - not-applied
`)
	var file strings.Builder
	require.NoError(t, notation.WriteEDN(&file, h))
	requireEqual(t, `0, :process 0, :type :invoke, :f :list, :value ["k0" "k1"], IN, :time 1}
1, :process 0, :type :ok, :f :list, :value [["k0" v1.1] ["k1" nil]], IN, :time 2}
2, :process 0, :type :invoke, :f :clear, :value ["k0" {:hex "ff"}], IN, :time 3}
3, :process 0, :type :ok, :f :clear, :value ["k0" {:hex "ff"}], IN, :time 4}
4, :process 0, :type :invoke, :f :items, :value nil, IN, :time 5}
5, :process 0, :type :ok, :f :items, :value [], IN, :time 6}
6, :process 0, :type :invoke, :f :add, :value v0.1, IN, :time 7}
7, :process 0, :type :ok, :f :add, :value v0.1, IN, :time 8}
8, :process 0, :type :invoke, :f :items, :value nil, IN, :time 9}
9, :process 1, :type :invoke, :f :list, :value ["k0" "k1"], :session "r", :time 9}
10, :process 1, :type :info, :f :list, :value ["k0" "k1"], :session "r", :time 9, :class :busy}
11, :process 0, :type :ok, :f :items, :value [v0.1 "x"], IN, :time 9}
12, :process 2, :type :invoke, :f :items, :value nil, :session "r", :client :c1, :time 10}
13, :process 2, :type :fail, :f :items, :value nil, :session "r", :client :c1, :time 11}
`, strings.NewReplacer(`:session "s"`, "IN", "{:index ", "").Replace(file.String()))
}

// TestCallsThatSeemOne has calls that differ in what the lines of one call have in common, or in
// what an event has once.
func TestCallsThatSeemOne(t *testing.T) {
	requireSurvivesEDN(t, read(t, `memrace-history 1
1 9 c1 list "s1" "k1" - not-applied
1 9 c1 list "s1" "k2" - not-applied busy
9 12 c1 get "s1" "k1" - ok
2 - c3 clear "s1" "k1" - unknown busy
2 - c3 clear "s1" "k1" - unknown locked
3 4 c4 list "s1" "k1" - ok
3 4 c5 list "s1" "k1" - ok
3 3 c6 list "s1" "k1" - ok
3 3 c6 list "s2" "k1" - ok
5 5 c4 list "s1" "k1" - ok
5 5 c4 items "s1" "" - ok
5 5 c4 items "s1" "" - ok
5 5 c4 items "s1" "" v7.1 ok
8 - c6 items "s1" "" - unknown
8 - c6 items "s1" "" - unknown
9 9 c6 list "s1" "k1" - ok
`))
}
