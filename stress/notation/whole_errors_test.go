package notation_test

import "testing"

const (
	listCall  = `{:process 0 :type :invoke :f :list :session "s" :value ["a"]}` + "\n"
	clearCall = `{:process 0 :type :invoke :f :clear :session "s" :value ["a" "b"]}` + "\n"
	itemsCall = `{:process 0 :type :invoke :f :items :session "s"}` + "\n"
	wantKeys  = `; want the keys that the session may have, as in ["k0" "k1"]`
	wantPairs = `; want a key and a value for all that was there, as in [["k0" 1] ["k1" 2]]`
	wantItems = `; want a vector of the items, [] if there are none`
)

func TestErrorsOfCallsOnWholeSessions(t *testing.T) {
	requireSyntaxErrors(t, []syntaxCase{
		{"add of a set", "{:process 0 :type :invoke :f :add :value 1}",
			`1: add without :session; want the session that it is about`},
		{"list of a register", `{:process 0 :type :invoke :f :list :value ["a"]}`,
			`1: list without :session; want the session that it is about`},
		{"items of no session", `{:process 0 :type :invoke :f :items :key "a"}`,
			`1: items without :session; want the session that it is about`},
		{"add of nothing", `{:process 0 :type :invoke :f :add :session "s"}`,
			`1: an add of nothing; want the text that it adds`},
		{"item added twice", `{:process 0 :type :invoke :f :add :session "s" :value v0.1}` + "\n" +
			`{:process 1 :type :invoke :f :add :session "r" :value v0.1}`,
			`2: v0.1 was written in line 1 already; want ` +
				`a tag that is written only once, or a text`},
		{"list of one key",
			`{:process 0 :type :invoke :f :list :session "s" :key "k" :value ["k"]}`,
			`1: list of the key "k"; want :session and no :key`},
		{"add to a key", `{:process 0 :type :invoke :f :add :session "s" :key "" :value 1}`,
			`1: add of the key ""; want :session and no :key`},
		{"items of a key", `{:process 0 :type :invoke :f :items :session "s" :key "k"}`,
			`1: items of the key "k"; want :session and no :key`},
		{"no keys", `{:process 0 :type :invoke :f :clear :session "s" :value []}`,
			`1: the value of a clear is []` + wantKeys},
		{"keys missing", `{:process 0 :type :invoke :f :list :session "s"}`,
			`1: the value of a list is nil` + wantKeys},
		{"key that is nil", `{:process 0 :type :invoke :f :list :session "s" :value ["a" nil]}`,
			`1: the value of a list is ["a" nil]` + wantKeys},
		{"keys as a set", `{:process 0 :type :invoke :f :list :session "s" :value #{"a"}}`,
			`1: the value of a list is #{"a"}` + wantKeys},
		{"final that clears",
			`{:process 0 :type :invoke :f :clear :session "s" :value ["a"] :client :final}`,
			`1: clear by final, which only reads; want read, list or items`},
		{"client under way",
			`{:process 3 :type :invoke :f :clear :session "s" :value ["a" "b"] :client :c1}` +
				"\n{:process 1 :type :invoke :f :read}",
			`2: c1 is called, although its clear of line 1 is still under way; ` +
				`want one call after the other`},
	})
}

func TestErrorsOfReturnsForWholeSessions(t *testing.T) {
	requireSyntaxErrors(t, []syntaxCase{
		{"list without an answer", listCall + "{:process 0 :type :ok :f :list}",
			`2: the value of a list is nil` + wantPairs},
		{"list as a map", listCall + `{:process 0 :type :ok :f :list :value {"a" 1}}`,
			`2: the value of a list is {"a" 1}` + wantPairs},
		{"list of keys", listCall + `{:process 0 :type :ok :f :list :value [["a" 1] "b"]}`,
			`2: the value of a list is [["a" 1] "b"]` + wantPairs},
		{"list of no key", listCall + `{:process 0 :type :ok :f :list :value [[nil 1]]}`,
			`2: the value of a list is [[nil 1]]` + wantPairs},
		{"list of another session",
			listCall + `{:process 0 :type :ok :f :list :session "r" :value []}`,
			`2: process 0 returns for "r", but called list for "s" in line 1; ` +
				`want the same session and key`},
		{"other keys", clearCall + `{:process 0 :type :ok :f :clear :value ["b" "a"]}`,
			`2: clear returns with ["b" "a"], but was called with other keys in line 1; ` +
				`want the same`},
		{"number of keys", clearCall + `{:process 0 :type :ok :f :clear :value 2}`,
			`2: the value of a clear is 2` + wantKeys},
		{"items without an answer", itemsCall + `{:process 0 :type :ok :f :items}`,
			`2: the value of items is nil` + wantItems},
		{"items as a text", itemsCall + `{:process 0 :type :ok :f :items :value "a"}`,
			`2: the value of items is "a"` + wantItems},
		{"another item", `{:process 0 :type :invoke :f :add :session "s" :value 1}` + "\n" +
			`{:process 0 :type :ok :f :add :session "s" :value 2}`, `2: add returns with 2, but ` +
			`was called with another value in line 1; want the same`},
	})
}
