package workload

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// family is a group of names that a careless store takes for each other. Sessions and keys both
// use all of them, so a family of two has four slots: twice the same key in two sessions, and
// two pairs that are the same text once session and key are glued with what the names hold.
type family struct {
	why   string
	names []string
}

// families returns the hostile names, those that are most often mistaken first, since a spec with
// few sessions and keys uses the first ones only.
func families() []family {
	long := strings.Repeat("long", 1024)
	return []family{
		{"glued with a colon: a:a and a is the same text as a and a:a", []string{"ada", "ada:ada"}},
		{"LIKE patterns", []string{"u_1", "ux1", "u%"}},
		{"prefixes of each other", []string{"user", "user1", "user10"}},
		{"case", []string{"Case", "case", "CASE"}},
		{"space at the ends", []string{"trim", " trim", "trim ", "trim\n"}},
		{"numbers by affinity", []string{"7", "007", "7.0", "+7"}},
		{"numbers by exponent", []string{"1000", "1e3"}},
		{"integers that one float stands for", []string{"9007199254740992", "9007199254740993"}},
		{"cut at NUL", []string{"nul", "nul\x00", "nul\x00a", "nul\x00b"}},
		{"empty, and texts for nothing", []string{"", "NULL", "null", "0"}},
		{"invalid UTF-8 and its replacement", []string{"bad\xff", "bad\xfe", "bad\ufffd", "bad"}},
		{"composed and decomposed", []string{"caf\u00e9", "cafe\u0301", "cafe"}},
		{"compatibility forms", []string{"\ufb01n", "fin", "\uff46in"}},
		{"case beyond ASCII", []string{"\u00c4rger", "\u00e4rger", "stra\u00dfe", "STRASSE"}},
		{"beyond the basic plane", []string{"\U0001f642", "\U0001f643", "\U0001f642\ufe0f"}},
		{"invisible characters", []string{"zw", "z\u200bw", "z\u00adw"}},
		{"quotes", []string{"o'neil", "o''neil", `o"neil`, `o""neil`}},
		{"backslashes", []string{`back\slash`, `back\\slash`}},
		{"statements", []string{"x' OR '1'='1", "x'; DROP TABLE memories; --", "?1", ":key"}},
		{"GLOB patterns", []string{"g*", "g?b", "g[ab]b", "gab"}},
		{"glued with nothing", []string{"a", "aa"}},
		{"glued with a slash", []string{"bo", "bo/bo"}},
		{"glued with a bar", []string{"cy", "cy|cy"}},
		{"glued with a dot", []string{"di", "di.di"}},
		{"glued with a dash", []string{"ed", "ed-ed"}},
		{"glued with an underscore", []string{"flo", "flo_flo"}},
		{"glued with a hash", []string{"gus", "gus#gus"}},
		{"glued with a comma", []string{"hal", "hal,hal"}},
		{"glued with a space", []string{"ivy", "ivy ivy"}},
		{"glued with a tab", []string{"jo", "jo\tjo"}},
		{"glued with a line end", []string{"kim", "kim\nkim"}},
		{"glued with two colons", []string{"lea", "lea::lea"}},
		{"glued with unit separator", []string{"max", "max\x1fmax"}},
		{"glued with NUL", []string{"ned", "ned\x00ned"}},
		{"paths", []string{"path", "./path", "path/", "path/../path", ".."}},
		{"escapes of addresses", []string{"e f", "e+f", "e%20f"}},
		{"long, and different only at the end", []string{long + "1", long + "2"}},
	}
}

// catalogue is families flattened: names in order, and where each family begins and ends.
type catalogue struct {
	names  []string
	bounds []int // bounds[f] is the first name of family f; one more for the end
}

var names = sync.OnceValue(func() catalogue {
	c := catalogue{bounds: []int{0}}
	for _, f := range families() {
		c.names = append(c.names, f.names...)
		c.bounds = append(c.bounds, len(c.names))
	}
	return c
})

func hostileCount() int { return len(names().names) }

// hostileName returns the n-th name. After the last of the list it goes round again with a mark
// that no name of the list ends in.
func hostileName(n int) string {
	list := names().names
	if n < len(list) {
		return list[n]
	}
	return list[n%len(list)] + "~" + strconv.Itoa(n/len(list))
}

// block is a rectangle of slots: one family of sessions and one of keys.
type block struct{ session, sessions, key, keys int }

// hostileBlocks pairs the families of the spec's sessions with those of its keys, the same with
// the same where there are as many of both, and puts them in an order that the seed chooses.
func hostileBlocks(s Spec) []block {
	sessions, keys := familyBounds(s.Sessions), familyBounds(s.Keys)
	blocks := make([]block, max(len(sessions), len(keys)))
	for i := range blocks {
		a, b := sessions[i%len(sessions)], keys[i%len(keys)]
		blocks[i] = block{a[0], a[1] - a[0], b[0], b[1] - b[0]}
	}
	rand.New(source(s.Seed, streamBlocks)).Shuffle(len(blocks), func(i, j int) {
		blocks[i], blocks[j] = blocks[j], blocks[i]
	})
	return slices.Clip(blocks)
}

// familyBounds returns where the families of the first n names begin and end; the last may be
// cut short.
func familyBounds(n int) [][2]int {
	c := names()
	var list [][2]int
	for lap := 0; lap < n; lap += len(c.names) {
		for f := range len(c.bounds) - 1 {
			from, to := lap+c.bounds[f], min(n, lap+c.bounds[f+1])
			if from < to {
				list = append(list, [2]int{from, to})
			}
		}
	}
	return list
}
