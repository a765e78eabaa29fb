package notation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
	"memrace/stress/notation"
)

// syntaxCase is a text and the error that it gives, without the name of the file.
type syntaxCase struct{ name, text, want string }

func requireSyntaxErrors(t *testing.T, tests []syntaxCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := notation.Read(strings.NewReader(tt.text), "f", notation.Auto)
			requireEqual(t, "f:"+tt.want, fmt.Sprint(err))
			var syntax *history.SyntaxError
			require.ErrorAs(t, err, &syntax)
		})
	}
}

const (
	call = "{:process 0 :type :invoke :f :read}\n"
	back = "{:process 0 :type :ok :f :read}\n"
)

func TestErrorsOfCalls(t *testing.T) {
	requireSyntaxErrors(t, []syntaxCase{
		{"return without a call", back,
			`1: process 0 returns from read without a call; want :type :invoke before`},
		{"two returns", call + back + back,
			`3: process 0 returns from read without a call; want :type :invoke before`},
		{"two calls", call + call, `2: process 0 calls read, although its read of line 1 has not ` +
			`returned; want one call after the other`},
		{"another function", call + "{:process 0 :type :ok :f :write}",
			`2: process 0 returns from write, but called read in line 1; want the same`},
		{"another key", "{:process 0 :type :invoke :f :read :key 1}\n" +
			"{:process 0 :type :ok :f :read :key 2 :value 3}", `2: process 0 returns for 2, ` +
			`but called read for 1 in line 1; want the same session and key`},
		{"another value", "{:process 0 :type :invoke :f :write :value 1}\n" +
			"{:process 0 :type :ok :f :write :value 2}", `2: write returns with 2, but was ` +
			`called with another value in line 1; want the same`},
		{"another pair", "{:process 0 :type :invoke :f :cas :value [1 2]}\n" +
			"{:process 0 :type :ok :f :cas :value [2 2]}", `2: cas returns with [2 2], but was ` +
			`called with another value in line 1; want the same`},
		{"another key", "{:process 0 :type :invoke :f :read :value [1 nil]}\n" +
			"{:process 0 :type :ok :f :read :value [2 nil]}", `2: the value of an ok is [2 nil], ` +
			`but the call of line 1 has the key "1"; want [key value] with the same key`},
		{"tag written twice", "{:process 0 :type :invoke :f :write :value v1.0}\n" +
			"{:process 1 :type :invoke :f :cas :value [nil v1.0]}",
			`2: v1.0 was written in line 1 already; ` +
				`want a tag that is written only once, or a text`},
		{"client under way", "{:process 3 :type :invoke :f :read :client :c1}\n" +
			"{:process 1 :type :invoke :f :read}\n{:process 3 :type :ok :f :read}",
			`2: c1 is called, although its get of line 1 is still under way; ` +
				`want one call after the other`},
		{"client that crashed", "{:process 3 :type :invoke :f :write :value 1 :client :c1}\n" +
			"{:process 1 :type :invoke :f :read}",
			`2: c1 is called, although its upsert of line 1 is still under way; ` +
				`want one call after the other`},
		{"seen other than wanted", "{:process 0 :type :invoke :f :cas :value [nil 2]}\n" +
			"{:process 0 :type :ok :f :cas :value [1 2]}", `2: cas returns with [1 2], but was ` +
			`called with another value in line 1; want the same`},
		{"final that writes", "{:process 3 :type :invoke :f :write :value 1 :client :final}",
			`1: upsert by final, which only reads; want read, list or items`},
		{"client", "{:process 3 :type :invoke :f :read :client 1}",
			`1: unknown client ""; want c0 to c2147483647, final, dump or reopen`},
	})
}

const functions = `want read, write, cas, get, put, upsert, update, append, take, delete, ` +
	`list, clear, add or items`

func TestErrorsOfEvents(t *testing.T) {
	requireSyntaxErrors(t, []syntaxCase{
		{"function", "{:process 0 :type :invoke :f :txn}", `1: unknown :f :txn; ` + functions},
		{"no function", "{:process 0 :type :invoke}", `1: unknown :f nil; ` +
			functions},
		{"type", "{:process 0 :type :sleep :f :read}",
			`1: unknown :type :sleep; want invoke, ok, fail or info`},
		{"process", `{:process "a" :type :ok :f :read}`, `1: the process is "a"; want a number ` +
			`from 0 to 2147483647, or a keyword such as :nemesis`},
		{"process out of range", `{:process 2147483648 :type :ok :f :read}`, `1: the process is ` +
			`2147483648; want a number from 0 to 2147483647, or a keyword such as :nemesis`},
		{"pair", "{:process 0 :type :invoke :f :cas :value 3}",
			`1: the value of a cas is 3; want [old new], the new one not nil`},
		{"new value", "{:process 0 :type :invoke :f :cas :value [3 nil]}",
			`1: the value of a cas is [3 nil]; want [old new], the new one not nil`},
		{"append", `{:process 0 :type :invoke :f :append :key "k" :value ""}`,
			`1: an append of nothing; want the text that it adds`},
		{"time", "{:process 0 :type :invoke :f :read :time 1.5}",
			`1: the time is 1.5; want nanoseconds, 0 to 9223372036854775806`},
		{"time that goes back", "{:process 0 :type :invoke :f :read :time 9}\n" +
			"{:process 0 :type :ok :f :read :time 8}",
			`2: the time is 8, before the 9 of the event before; want events in the order ` +
				`of time: sorted, if one clock gave all stamps, or without :time, if they stand ` +
				`in the order in which they were`},
		{"time missing", "{:process 0 :type :invoke :f :read :time 9}\n" + back,
			`2: a map without :time, other than in line 1; want a stamp everywhere or nowhere`},
		{"time too much", call + "{:process 0 :type :ok :f :read :time 9}",
			`2: a map with :time, other than in line 1; want a stamp everywhere or nowhere`},
		{"tuple missing", "{:process 0 :type :invoke :f :read :value [1 nil]}\n" +
			"{:process 1 :type :invoke :f :write :value 3}", `2: the value of a write is 3, ` +
			`other than in line 1; want [key value] everywhere or nowhere`},
		{"tuple too much", call + "{:process 1 :type :invoke :f :read :value [1 nil]}",
			`2: the value of a read is [1 nil], other than in line 1; ` +
				`want [key value] everywhere or nowhere`},
		{"header", `{:process :memrace :type :info :f :header :value ["A" "b"]}`,
			`1: the header ["A" "b"]; want [name value], the name of a-z, 0-9, '-', '_' and '.'`},
	})
}

const aMap = `; want one map for each call and each return, and nothing else`

func TestErrorsOfForm(t *testing.T) {
	deep := strings.Repeat("[", 200)
	requireSyntaxErrors(t, []syntaxCase{
		{"text after a map", call + "{:process 0 :type :ok :f :read} hello",
			`2: hello stands where a map should be` + aMap},
		{"after the vector", "[" + call + "]" + back,
			`2: {:f :read, :process 0, :type :ok} stands where a map should be` + aMap},
		{"vector after a map", call + "[1]",
			`2: [1] stands where a map should be` + aMap},
		{"tag of no map", call + "#a 5",
			`2: 5 stands where a map should be; want one map for each call and each return`},
		{"key without a value", "{:process 0 :type}",
			`1: a map with a key that has no value; want keys and values in turns`},
		{"map that is cut off", call + "{:process 0, :ty",
			`2: '{' is never closed; want '}' (the file may be cut off)`},
		{"vector that is cut off", "[" + call,
			`1: '[' is never closed; want ']' (the file may be cut off)`},
		{"text that is cut off", `{:process 0 :type :invoke :f :read :value "a`,
			`1: a text has no closing quote; want one (the file may be cut off)`},
		{"other bracket", "{:process 0\n :value [1 2}",
			`2: '}' stands where the '[' of line 2 is to be closed; want ']'`},
		{"bracket too much", call + "}", `2: '}' closes nothing; want brackets in pairs`},
		{"depth", "{:process " + deep, `1: nested over 100 deep; want less`},
		{"depth of what is taken out", "#_ {:a " + strings.Repeat("#_", 200),
			`1: nested over 100 deep; want less`},
		{"escape", `{:value "\x41"}`, `1: unknown escape \x in a text; ` +
			`want one of \" \\ \/ \b \f \n \r \t \uXXXX`},
		{"hex of an escape", `{:value "\uzzzz"}`,
			`1: \u"zzzz" in a text; want four hex digits behind \u`},
		{"half a pair", `{:value "\ud83d"}`,
			`1: half a surrogate pair, \ud83d, in a text; want both halves`},
		{"colon", `{: 1}`,
			`1: a colon alone; want a keyword such as :ok, and no JSON in a file of EDN`},
		{"nothing behind a tag", call + "#inst",
			`2: nothing behind the tag #inst; want what it is about (the file may be cut off)`},
		{"nothing to take out", call + "#_",
			`2: nothing behind #_; want what it takes out (the file may be cut off)`},
		{"no process", `{:a 1}`, `1: the process is nil; ` +
			`want a number from 0 to 2147483647, or a keyword such as :nemesis`},
	})
}

func TestErrorsOfMixedFiles(t *testing.T) {
	log := "INFO  jepsen.util - 0\t:invoke\t:read\tnil\n"
	json := `{"process":0,"type":"invoke","f":"read"}` + "\n"
	requireSyntaxErrors(t, []syntaxCase{
		{"nothing", "", `1: this is no history; want "memrace-history 1" in line 1, or maps of ` +
			`EDN, JSON objects or log lines of Jepsen`},
		{"log in EDN", call + log, `2: INFO stands where a map should be` + aMap},
		{"JSON in EDN", call + `{"process" 0}`,
			`2: the key "process" in a file of edn; want one format in a file`},
		{"colons of JSON in EDN", call + json,
			`2: a colon alone; want a keyword such as :ok, and no JSON in a file of EDN`},
		{"EDN in JSON", json + call, `2: "process" is no JSON; want a text, a number, true, ` +
			`false, null, an array or an object`},
		{"comment in JSON", json + ";", `2: ';' stands where a value should be`},
		{"new line in JSON", json + "{\"process\":\"\n", `2: a text has no closing quote in its ` +
			`line; want one, and \n for a new line within a text`},
		{"EDN in log", log + call, `2: "{:process 0 :type :invoke :f :read}" is no line ` +
			`of a log; want INFO, jepsen.util and an operation, as in line 1`},
		{"log that is cut off", log + "INFO  jeps", `2: "INFO  jeps" is no line of a log; ` +
			`want INFO, jepsen.util and an operation, as in line 1`},
		{"no level in log", log + "hello " + log, `2: "hello INFO  jepsen.util - ` +
			`0\t:invoke\t:... is no line of a log; ` +
			`want INFO, jepsen.util and an operation, as in line 1`},
		{"operation that is cut off", log + "INFO  jepsen.util - 0\t:ok", `2: "0\t:ok" is no ` +
			`whole operation; want process, type, f and value (the file may be cut off)`},
		{"text behind an operation", log + "INFO  jepsen.util - 0\t:ok\t:read\tnil :a b",
			`2: b behind the operation; want nothing`},
	})
}
