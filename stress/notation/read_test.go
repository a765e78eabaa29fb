package notation_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/stress/history"
	"memrace/stress/notation"
)

func read(t require.TestingT, text string) *history.History {
	h, err := notation.Read(strings.NewReader(text), "file", notation.Auto)
	require.NoError(t, err)
	return h
}

// lines returns the operations of a history in the notation of memrace.
func lines(h *history.History) []string {
	all := []string{}
	for i := range h.Ops {
		all = append(all, h.Line(i))
	}
	return all
}

func requireEqual(t require.TestingT, want, got any) {
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
		t.FailNow()
	}
}

// goldenCase is a text and the operations in it.
type goldenCase struct {
	name, text string
	want       []string
	why        string
}

func requireGolden(t *testing.T, tests []goldenCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := read(t, tt.text)
			if d := cmp.Diff(tt.want, lines(h)); d != "" {
				t.Fatalf("%s (-want +got)\n%s", tt.why, d)
			}
			require.Len(t, h.Lines, len(h.Ops))
		})
	}
}

func TestRegistersOfJepsen(t *testing.T) {
	requireGolden(t, []goldenCase{
		{"maps", `{:process 0, :type :invoke, :f :read, :value nil, :time 123, :index 0}
{:process :nemesis, :type :info, :f :start, :value {:n1 #{"n2" "n3"}}, :time 124}
{:process 1, :type :invoke, :f :write, :value 3, :time 125}
{:process 0, :type :ok, :f :read, :value nil, :time 130}
{:process 1, :type :ok, :f :write, :value 3, :time 140}`, []string{
			`123 130 c0 get "" "register" - ok`,
			`125 140 c1 upsert "" "register" "3" ok`,
		}, "the nemesis is no client; unknown keys mean nothing"},
		{"a vector without stamps", `; recorded by hand
[{:process 0 :type :invoke :f :cas :value [0 2]} {:process 1 :type :invoke :f :cas :value [nil 1]},
 {:process 0 :type :fail :f :cas :value [0 2]} #_{:no 1}
 {:process 1 :type :ok :f :cas :value [nil 1]} ]`, []string{
			`0 2000 c0 update "" "register" "0" "2" not-applied mismatch`,
			`1000 3000 c1 update "" "register" - "1" ok`,
		}, "events stand 1000 ns apart, and a cas that fails has found something else"},
		{"tuples and tags", `
#jepsen.history.Op{:process 4, :type :invoke, :f :write, :value [7 "a"]}
#jepsen.history.Op{:process 5, :type :invoke, :f :cas, :value #t/tuple [7 ["a" [1 2]]]}
{:process 5, :type :info, :f :cas, :value [7 ["a" [1 2]]], :error [:timeout "x"]}
{:process 4, :type :ok, :f :write, :value [7 "a"]}
{:process 9, :type :invoke, :f :read, :value [8 nil]}
{:process 9, :type :ok, :f :read, :value [8 {:b 1, :a #{2 1}}]}`, []string{
			`0 3000 c4 upsert "" "7" "a" ok`,
			`1000 - c5 update "" "7" "a" "[1 2]" unknown other`,
			`4000 5000 c9 get "" "8" "{:a #{1 2}, :b 1}" ok`,
		}, "a tag is skipped, and parts of maps and sets have no order"},
		{"failures", `{:process 0 :type :invoke :f :cas :value [1 2]}
{:process 0 :type :fail :f :cas :value [1 2] :error :busy}
{:process 0 :type :invoke :f :cas :value [1 2]}
{:process 0 :type :fail :f :cas :value :refused}
{:process 0 :type :invoke :f :read}
{:process 0 :type :fail :f :read :value :timed-out}
{:process 0 :type :invoke :f :write :value nil}
{:process 0 :type :ok :f :write}`, []string{
			`0 1000 c0 update "" "register" "1" "2" not-applied busy`,
			`2000 3000 c0 update "" "register" "1" "2" not-applied other`,
			`4000 5000 c0 get "" "register" - not-applied other`,
			`6000 7000 c0 delete "" "register" - ok`,
		}, "a cas that was refused says nothing of what was there; to write nil is to delete"},
		{"crashes", `{:process 0 :type :invoke :f :write :value 1}
{:process 0 :type :info :f :write :value 1}
{:process 0 :type :invoke :f :write :value 2}
{:process 0 :type :info :f :write :value 2}
{:process 0 :type :invoke :f :write :value 3}
{:process 1 :type :invoke :f :write :value 4}
{:process 1 :type :ok :f :write :value 4}`, []string{
			`0 - c0 upsert "" "register" "1" unknown`,
			`2000 - c2 upsert "" "register" "2" unknown`,
			`4000 - c3 upsert "" "register" "3" unknown`,
			`5000 6000 c1 upsert "" "register" "4" ok`,
		}, "a process that goes on is another client, whose number nobody else has"},
	})
}

func TestNumbersOfClientsAfterCrashes(t *testing.T) {
	crash := func(process string) string {
		return "{:process " + process + " :type :invoke :f :read}" +
			"{:process " + process + " :type :info :f :read}"
	}
	clients := func(text string) (all []string) {
		h := read(t, text)
		for _, op := range h.Ops {
			all = append(all, op.Client.String())
		}
		return all
	}
	require.Equal(t, []string{"c5", "c9", "c10", "c11"},
		clients(crash("5")+crash("9")+crash("5")+crash("9")), "above all that are used")
	require.Equal(t, []string{"c0", "c2147483647", "c1", "c2"},
		clients(crash("0")+crash("2147483647")+crash("0")+crash("0")), "the lowest ones there are")
}

func TestDetailsOfValues(t *testing.T) {
	requireGolden(t, []goldenCase{
		{"cas that fails with another value", `{:process 0 :type :invoke :f :cas :value [1 2]}
{:process 0 :type :fail :f :cas :value [3 2]}`, []string{
			`0 1000 c0 update "" "register" "1" "2" not-applied`,
		}, "nobody knows what it means"},
		{"delete that returns something", `{:process 0 :type :invoke :f :delete}
{:process 0 :type :ok :f :delete :value 1}`, []string{
			`0 1000 c0 delete "" "register" - ok`}, "it is not a write of nil"},
		{"failed tuple", `{:process 0 :type :invoke :f :write :value [3 1]}
{:process 0 :type :fail :f :write :value :closed}`, []string{
			`0 1000 c0 upsert "" "3" "1" not-applied closed`}, "the reason stands for the tuple"},
		{"pair in a register", `{:process 1 :type :invoke :f :read}
{:process 0 :type :invoke :f :write :value [3 1]}`, []string{
			`0 - c1 get "" "register" - unknown`,
			`1000 - c0 upsert "" "register" "[3 1]" unknown`}, "a pair may be a value"},
		{"what is no tag", `{:process 0 :type :invoke :f :append :value v0.1}
{:process 1 :type :invoke :f :append :value v0.1} {:process 2 :type :invoke :f :write :value v01.1}
{:process 3 :type :invoke :f :write :value v1.4294967295}`, []string{
			`0 - c0 append "" "register" v0.1 unknown`,
			`1000 - c1 append "" "register" v0.1 unknown`,
			`2000 - c2 upsert "" "register" "v01.1" unknown`,
			`3000 - c3 upsert "" "register" "v1.4294967295" unknown`,
		}, "tags have no needless zeros, and an append may repeat one"},
		{"empty text in JSON", `{"process": 0, "type": "invoke", "f": "put", "key": "k",
"value": ""}`, []string{`0 - c0 upsert "" "k" "" unknown`}, "JSON has null"},
	})
}

func TestValuesAndSlotsAreKeptOnce(t *testing.T) {
	h := read(t, strings.Repeat("{:process 0 :type :invoke :f :write :key 1 :value 4}\n"+
		"{:process 0 :type :ok :f :write :key 1 :value 4}\n", 3))
	require.Equal(t, []string{"4"}, h.Foreign)
	require.Len(t, h.Values, 2)
	require.Len(t, h.Slots, 1)
}

func TestOtherNotations(t *testing.T) {
	requireGolden(t, []goldenCase{
		{"log", "INFO  jepsen.core - Running test\n" +
			"INFO  jepsen.util - 0\t:invoke\t:read\tnil\n\n" +
			"INFO  jepsen.util - 3   :invoke :cas    [1 4]\r\n" +
			"2015-03-01 10:00:00,123 INFO  jepsen.util - 3\t:info\t:cas\t:timed-out\n" +
			"INFO  jepsen.util - :nemesis\t:info\t:start\tnil\n" +
			"2021-03-01 10:00:00,1{UTC}\tINFO\t[jepsen node n1] jepsen.db: Setup\n" +
			"2021-03-01 10:00:00,1{UTC}\tINFO\t[jepsen worker 0] jepsen.util: " +
			"0\t:fail\t:read\tnil\t:locked\n", []string{
			`0 3000 c0 get "" "register" - not-applied locked`,
			`1000 - c3 update "" "register" "1" "4" unknown other`,
		}, "other loggers are skipped"},
		{"keys and values", `{:process 0, :type :invoke, :f :append, :key "0", :value "x 0 0 y"}
{:process 0, :type :ok, :f :append, :key "0", :value "x 0 0 y"}
{:process 0, :type :invoke, :f :get, :key "1", :value nil}
{:process 0, :type :ok, :f :get, :key "1", :value ""}
{:process 0, :type :invoke, :f :put, :key "1", :value ""}`, []string{
			`0 1000 c0 append "" "0" "x 0 0 y" ok`,
			`2000 3000 c0 get "" "1" - ok`,
			`4000 - c0 delete "" "1" - unknown`,
		}, "an empty text is nothing there"},
		{"JSON", `
{"process":0,"type":"invoke","f":"upsert","session":"s","key":"k","value":"\ud83d\ude00",
 "time":5}
{"process":1,"type":"invoke","f":"take","session":"s","key":"k","time":6}
{"process":"nemesis","type":"info","f":"kill","time":6}
{"process":0,"type":"fail","f":"upsert","session":"s","key":"k","error":"busy","time":7}
{"process":1,"type":"ok","f":"take","session":"s","key":"k","value":{"a":[1,null,true]},"time":8}
{"process":1,"type":"invoke","f":"get","session":"s","key":"k","value":null,"time":9}
{"process":1,"type":"ok","f":"get","session":"s","key":"k","value":"","time":10}`, []string{
			`5 7 c0 upsert "s" "k" "😀" not-applied busy`,
			`6 8 c1 take "s" "k" "{\"a\" [1 nil true]}" ok`,
			`9 10 c1 get "s" "k" "" ok`,
		}, "in JSON null is nothing there, and an empty text is one"},
		{"an array of JSON", `[
  {"process": 1, "type": "invoke", "f": "delete", "key": "k"},
  {"process": 1, "type": "ok", "f": "delete", "key": "k"}]`, []string{
			`0 1000 c1 delete "" "k" - ok`}, ""},
		{"memrace", "# mine\nmemrace-history 1\n1 2 c0 get \"s\" \"k\" - ok", []string{
			`1 2 c0 get "s" "k" - ok`}, ""},
		{"clients of memrace", `
{:process 0 :type :invoke :f :update :session "s" :key "k" :value [nil v0.1]}
{:process 0 :type :ok :f :update :session "s" :key "k" :value [v7.2 v0.1]}
{:process 1 :type :invoke :f :read :session "s" :key "k" :client :final}
{:process 2 :type :invoke :f :read :session "s" :key "k" :client "c0"}
{:process 1 :type :ok :f :read :session "s" :key "k" :value {:hex "ff00"}}`, []string{
			`0 1000 c0 update "s" "k" v7.2 v0.1 ok`,
			`2000 4000 final get "s" "k" x"ff00" ok`,
			`3000 - c0 get "s" "k" - unknown`,
		}, "symbols like v0.1 are tags"},
	})
}

func TestByteOrderMarkIsSkipped(t *testing.T) {
	const text = "{:process 0 :type :invoke :f :write :value 1}"
	require.Equal(t, read(t, text), read(t, "\ufeff"+text))
}

func TestLinesAreThoseOfCalls(t *testing.T) {
	h := read(t, "\n;\n{:process 0\n :type :invoke, :f :read}\n{:process 0 :type :ok :f :read}"+
		"{:process 0 :type :invoke :f :read}")
	require.Equal(t, []uint32{3, 5}, h.Lines)
}

func TestGzip(t *testing.T) {
	var file bytes.Buffer
	w := gzip.NewWriter(&file)
	_, err := io.WriteString(w, strings.Repeat(`{:process 0 :type :invoke :f :read}
{:process 0 :type :ok :f :read}`+"\n", 2000))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.Len(t, read(t, file.String()).Ops, 2000)
	_, err = notation.Read(bytes.NewReader(file.Bytes()[:file.Len()/2]), "f.gz", notation.Auto)
	var syntax *history.SyntaxError
	require.ErrorAs(t, err, &syntax)
	require.ErrorContains(t, err, "f.gz:")
	require.ErrorContains(t, err, "the compressed file is cut off; want the whole of it")
}

func TestErrorOfTheFile(t *testing.T) {
	broken := errors.New("disk is gone")
	for _, format := range []notation.Format{notation.EDN, notation.Log, notation.JSONLines} {
		_, err := notation.Read(iotest.ErrReader(broken), "f", format)
		require.ErrorIs(t, err, broken)
		require.EqualError(t, err, "read history f: line 1: disk is gone")
	}
}

func TestFormats(t *testing.T) {
	for _, f := range []notation.Format{
		notation.Auto, notation.Memrace, notation.EDN, notation.Log, notation.JSONLines,
	} {
		got, err := notation.ParseFormat(f.String())
		require.NoError(t, err)
		require.Equal(t, f, got)
	}
	_, err := notation.ParseFormat("xml")
	require.EqualError(t, err, `unknown format "xml"; want auto, memrace, edn, log or jsonl`)
	require.Equal(t, "format(9)", fmt.Sprint(notation.Format(9)))
	log := "INFO  jepsen.util - 0\t:invoke\t:read\tnil\n"
	_, err = notation.Read(strings.NewReader(log), "f", notation.EDN)
	require.Error(t, err, "what is said counts, not what it looks like")
	_, err = notation.Read(strings.NewReader(""), "f", notation.EDN)
	require.NoError(t, err)
}
