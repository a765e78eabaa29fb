package notation_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"memrace/stress/history"
)

// hostile are names and texts that a notation could take for something else.
var hostile = []string{
	"", "s", "k0", "nil", "v1.1", ":k", "\xff", `"`, "a\nb", `{:hex "00"}`, "[1]", "é\u202e",
}

// inHex spells one of them so that a line of memrace can have it.
func inHex(t *rapid.T, what string) string {
	return fmt.Sprintf("x\"%x\"", rapid.SampledFrom(hostile).Draw(t, what))
}

// randomLog draws what a client does, as lines of a history.
type randomLog struct {
	t      *rapid.T
	client history.Client
	now    int
	steps  *int
	lines  []string
}

var actsOf = map[bool][]string{
	true:  {"get", "list", "items"},
	false: {"upsert", "get", "update", "delete", "take", "list", "clear", "items", "add"},
}

var outcomes = []string{"ok", "ok", "not-applied", "unknown"}

// call draws one call, which may touch the one before.
func (l *randomLog) call() {
	final := l.client == history.Final
	act := rapid.SampledFrom(actsOf[final]).Draw(l.t, "act")
	outcome := rapid.SampledFrom(outcomes).Draw(l.t, "outcome")
	class := ""
	if outcome != "ok" {
		class = rapid.SampledFrom([]string{"", "busy", "other"}).Draw(l.t, "class")
	}
	l.now += rapid.IntRange(0, 2).Draw(l.t, "wait")
	call, ret := l.now, "-"
	if outcome != "unknown" {
		l.now += rapid.IntRange(0, 2).Draw(l.t, "work")
		ret = fmt.Sprint(l.now)
	}
	session := inHex(l.t, "session")
	for _, slot := range l.slots(act, outcome) {
		l.lines = append(l.lines, fmt.Sprintf("%d %s %v %s %s %s %s %s %s\n", call, ret, l.client,
			act, session, slot, l.value(act, outcome), outcome, class))
	}
	if outcome == "unknown" && !final {
		l.client += 10
	}
}

// slots draws a key for each line of a call.
func (l *randomLog) slots(act, outcome string) []string {
	n, key := 1, rapid.Just(`""`)
	switch {
	case act == "items" && outcome == "ok":
		n = rapid.IntRange(1, 4).Draw(l.t, "items")
	case act == "list" || act == "clear":
		n = rapid.IntRange(1, 4).Draw(l.t, "slots")
		fallthrough
	case act != "items" && act != "add":
		key = rapid.Custom(func(t *rapid.T) string { return inHex(t, "key") })
	}
	return rapid.SliceOfN(key, n, n).Draw(l.t, "keys")
}

// value draws what a line says of a value: what it wrote, or found, perhaps behind what it saw.
func (l *randomLog) value(act, outcome string) string {
	found := rapid.SampledFrom([]string{"-", "v9.1", "v9.2", inHex(l.t, "text")}).
		Draw(l.t, "found")
	*l.steps++
	written := fmt.Sprintf("v%d.%d", l.client, *l.steps)
	switch {
	case act == "update":
		return found + " " + written
	case act == "upsert" || act == "add":
		return rapid.SampledFrom([]string{written, inHex(l.t, "written")}).Draw(l.t, "write")
	case act == "delete" || act == "clear" || outcome != "ok":
		return "-"
	}
	return found
}

// TestRandomHistoriesSurviveEDN converts histories of calls of all kinds there and back.
func TestRandomHistoriesSurviveEDN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps, text := 0, "memrace-history 1\n"
		for _, client := range []history.Client{0, 1, 2, history.Final} {
			l := randomLog{t: t, client: client, steps: &steps}
			for range rapid.IntRange(0, 8).Draw(t, "calls") {
				l.call()
			}
			for _, line := range l.lines {
				text += line
			}
		}
		requireSurvivesEDN(t, read(t, text))
	})
}
