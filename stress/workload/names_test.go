package workload_test

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"memrace/stress/history"
	"memrace/stress/workload"
)

// careless says whether a store that is asked for one name takes another one for it.
type careless func(asked, kept string) bool

// by makes a careless store of one that changes names before it looks at them.
func by(change func(string) string) careless {
	return func(asked, kept string) bool { return change(asked) == change(kept) }
}

func glued(sep string) func(asked, kept history.Slot) bool {
	return func(a, b history.Slot) bool {
		return a.Session+sep+a.Key == b.Session+sep+b.Key
	}
}

func number(s string) string {
	if n, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return s
}

// like is SQL's LIKE: % is any text, _ any character (here: byte), and case does not matter.
func like(pattern, s string) bool {
	switch {
	case pattern == "":
		return s == ""
	case pattern[0] == '%':
		return like(pattern[1:], s) || s != "" && like(pattern, s[1:])
	case s == "":
		return false
	}
	p, c := asciiLower(rune(pattern[0])), asciiLower(rune(s[0]))
	return (p == '_' || p == c) && like(pattern[1:], s[1:])
}

func unescape(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}

// carelessNames are mistakes that a store makes with a session or a key alone.
var carelessNames = []struct {
	name string
	same careless
}{
	{"LIKE", like},
	{"LIKE with a % at the end", func(a, b string) bool { return like(a+"%", b) }},
	{"GLOB", func(a, b string) bool { ok, _ := path.Match(a, b); return ok }},
	{"prefix", func(a, b string) bool { return strings.HasPrefix(b, a) }},
	{"NOCASE", by(func(s string) string { return strings.Map(asciiLower, s) })},
	{"lower case", by(strings.ToLower)},
	{"upper case, sharp s", by(func(s string) string {
		return strings.ReplaceAll(strings.ToUpper(s), "\u00df", "SS")
	})},
	{"trim", by(strings.TrimSpace)},
	{"trim blanks on the right", by(func(s string) string { return strings.TrimRight(s, " ") })},
	{"numeric affinity", by(number)},
	{"leading zeros", by(func(s string) string { return strings.TrimLeft(s, "0") })},
	{"cut at NUL", by(func(s string) string { s, _, _ = strings.Cut(s, "\x00"); return s })},
	{"drop NUL", by(func(s string) string { return strings.ReplaceAll(s, "\x00", "") })},
	{"empty is any", func(a, b string) bool { return a == "" }},
	{"empty is NULL", by(func(s string) string { return strings.ReplaceAll(s, "NULL", "") })},
	{"repair UTF-8", by(func(s string) string { return strings.ToValidUTF8(s, "\ufffd") })},
	{"drop invalid UTF-8", by(func(s string) string { return strings.ToValidUTF8(s, "") })},
	{"compose", by(func(s string) string { return strings.ReplaceAll(s, "e\u0301", "\u00e9") })},
	{"compatibility", by(strings.NewReplacer("\ufb01", "fi", "\uff46", "f").Replace)},
	{"ASCII only", by(func(s string) string { return strings.Map(ascii, s) })},
	{"basic plane only", by(func(s string) string { return strings.Map(basic, s) })},
	{"drop the invisible", by(strings.NewReplacer("\u200b", "", "\u00ad", "").Replace)},
	{"double quotes in statements", by(func(s string) string {
		return strings.ReplaceAll(strings.ReplaceAll(s, "''", "'"), `""`, `"`)
	})},
	{"backslash escapes", by(func(s string) string { return strings.ReplaceAll(s, `\\`, `\`) })},
	{"condition in the text", func(a, b string) bool { return strings.Contains(a, "OR '1'='1") }},
	{"paths", by(path.Clean)},
	{"address escapes", by(unescape)},
	{"cut at 255 bytes", by(func(s string) string { return s[:min(len(s), 255)] })},
	{"cut at 4096 bytes", by(func(s string) string { return s[:min(len(s), 4096)] })},
	{"one name for all", func(a, b string) bool { return true }},
}

func asciiLower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

func ascii(r rune) rune {
	if r >= 0x80 {
		return '?'
	}
	return r
}

func basic(r rune) rune {
	if r >= 0x10000 {
		return '?'
	}
	return r
}

// The profile names has to give every careless store a victim: a slot that is read soon after
// another one was written that the store takes for it.
func TestNamesHaveVictims(t *testing.T) {
	same := make(map[string]func(asked, kept history.Slot) bool)
	for _, sep := range []string{
		"", ":", "/", "|", ".", "-", "_", "#", ",", " ", "\t", "\n", "::", "\x1f", "\x00",
	} {
		same["glued with "+strconv.Quote(sep)] = glued(sep)
	}
	for _, c := range carelessNames {
		same["session: "+c.name] = func(a, b history.Slot) bool {
			return a.Key == b.Key && c.same(a.Session, b.Session)
		}
		same["key: "+c.name] = func(a, b history.Slot) bool {
			return a.Session == b.Session && c.same(a.Key, b.Key)
		}
	}
	for seed := range uint64(5) {
		pairs := readAfterWrite(t, seed, 3000)
		for name, same := range same {
			require.True(t, slices.ContainsFunc(pairs, func(p pair) bool {
				return same(p.asked, p.kept)
			}), "seed %d: a store with the fault %s goes free", seed, name)
		}
		// A right store has no victims, or the above would prove nothing.
		require.False(t, slices.ContainsFunc(pairs, func(p pair) bool { return p.asked == p.kept }))
	}
}

// pair is a slot that was read, and another one that was written not long before.
type pair struct{ asked, kept history.Slot }

// readAfterWrite plays the profile names, the clients in turn, and returns for each read the
// other slots that the last 64 operations wrote.
func readAfterWrite(t *testing.T, seed uint64, ops int) []pair {
	plan := newPlan(t, workload.Spec{Profile: "names", Seed: seed})
	var clients []*workload.Steps
	for i := range plan.Spec().Clients {
		clients = append(clients, plan.Client(i))
	}
	pairs := make(map[pair]bool)
	var recent []workload.Step
	for i := range ops {
		step, _ := clients[i%len(clients)].Next()
		for _, w := range recent[max(0, len(recent)-64):] {
			if step.Kind == history.Get && w.Kind == history.Upsert && w.Slot != step.Slot {
				pairs[pair{plan.Slot(step.Slot), plan.Slot(w.Slot)}] = true
			}
		}
		recent = append(recent, step)
	}
	return slices.Collect(maps.Keys(pairs))
}
