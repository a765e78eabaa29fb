package check_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// breakage is a way to break a rule of the check, by one replacement in its source. The tests of
// this package must notice it.
type breakage struct{ name, file, from, to string }

// broken are the rules for slots and lists, each broken once.
var broken = []breakage{
	{"what lies within a zone is let pass", "sweep.go",
		"case due < s.clip:", "case false && due < s.clip:"},
	{"clusters within a zone are let pass", "sweep.go",
		"case cl.f < s.clip:", "case false && cl.f < s.clip:"},
	{"zones that overlap are let pass", "zones.go",
		"n > 0 && c.clusters[number].f < c.clusters[c.zones[n-1]].s",
		"n > 0 && c.clusters[number].f < c.clusters[c.zones[n-1]].f"},
	{"zones that touch are accused", "zones.go",
		"c.clusters[number].f < c.clusters[c.zones[n-1]].s",
		"c.clusters[number].f <= c.clusters[c.zones[n-1]].s"},
	{"a point is a zone", "zones.go",
		"return c.f < c.s }", "return c.f <= c.s }"},
	{"the delete that is due last is used first", "due.go",
		"a[i].due < a[(i-1)/2].due", "a[i].due > a[(i-1)/2].due"},
	{"the heap is not mended after a delete is used", "due.go",
		"if a[child].due < a[least].due {", "if false && a[child].due < a[least].due {"},
	{"unknown deletes are used first", "placing.go",
		"case len(s.deletes) > 0:", "case len(s.deletes) > 0 && n == 0:"},
	{"clusters that wait are not placed before a delete", "placing.go",
		"|| len(s.clusters) > 0 {\n\t\ts.arise()", "|| false {\n\t\ts.arise()"},
	{"what is due has precedence over what is released", "sweep.go",
		"release <= due", "release < due"},
	{"deletes due within a zone wait until after it", "placing.go",
		"for s.deletes.due() < zone.s {", "for s.deletes.due() < zone.f {"},
	{"misses due within a zone wait until after it", "placing.go",
		"if s.missDue < zone.s {", "if s.missDue < zone.f {"},
	{"what is due as a zone ends has to come before it", "placing.go",
		"for s.deletes.due() < zone.s {", "for s.deletes.due() <= zone.s {"},
	{"misses due as a zone ends have to come before it", "placing.go",
		"if s.missDue < zone.s {", "if s.missDue <= zone.s {"},
	{"a slot is taken for another", "index.go",
		"x.near[next[op.Slot]] = *op", "x.near[i] = *op"},
	{"a slot starts with a value", "sweep.go",
		"clip: -never, zone: -1,", "present: true, clip: -never, zone: -1,"},
	{"a zone leaves nothing behind", "sweep.go",
		"s.present, s.clip, s.zone = true,", "s.present, s.clip, s.zone = false,"},
	{"a delete leaves the value", "placing.go",
		"s.present = false\n", ""},
	{"a read before its write is let pass", "zones.go",
		"case c.clusters[what].f < c.op(c.clusters[what].write).Call:", "case false:"},
	{"a read that touches its write is accused", "zones.go",
		"c.clusters[what].f < c.op(c.clusters[what].write).Call",
		"c.clusters[what].f <= c.op(c.clusters[what].write).Call"},
	{"unknown operations end when their call fails", "zones.go",
		"if op.Outcome == history.Unknown {", "if false {"},
	{"writes that were not applied count", "zones.go",
		"case op.Outcome == history.NotApplied:", "case false:"},
	{"reads after the workload count as operations", "zones.go",
		"return c.Numbered() || s == withReopened", "return true || s == withReopened"},
	{"repeated values are not noticed", "zones.go",
		"c.what[i] = unclear\n\t\tc.unclear = true", "c.what[i] = unclear"},
	{"what came earlier in a block may come later in time", "blocks.go",
		"case f < latest:", "case false:"},
	{"what was taken may be seen after that", "blocks.go",
		"by >= 0 && returned(c.op(by)) < latest", "by < -1"},
	{"a value may be replaced twice", "blocks.go",
		"if old.consumer > 0 {", "if false {"},
	{"values may come from each other", "blocks.go",
		"chain.before > 0 && chain.head == 0", "chain.before < 0"},
	{"two updates may find nothing", "placing.go",
		"if s.present {\n\t\tif f := s.empty(s.makers", "if false {\n\t\tif f := s.empty(s.makers"},
	{"an update finds nothing although something is there", "sweep.go",
		"if s.present {\n\t\treturn s.empty(zone.write)",
		"if false {\n\t\treturn s.empty(zone.write)"},
	{"what is due waits for a zone that begins where nothing is", "sweep.go",
		"if s.clusterDue < zone.s {", "if false {"},
	{"what begins where nothing is waits for a zone", "placing.go",
		"for s.makers.due() < zone.s {", "for false {"},
	{"what begins where nothing is is not placed before a delete", "placing.go",
		"if !s.present && len(s.makers) > 0 || len(s.clusters) > 0 {",
		"if len(s.clusters) > 0 {"},
	{"what begins and ends where nothing is waits for a value", "sweep.go",
		"case c.made(number) && c.taken(number):", "case false:"},
	{"unknown updates count though nobody saw them", "blocks.go",
		"!c.wasSeen(c.what[l.by])", "false"},
	{"unknown updates never count", "blocks.go",
		"op.Outcome == history.Unknown && !c.wasSeen(c.what[l.by])",
		"op.Outcome == history.Unknown"},
	{"a write in a block may come after its reads", "blocks.go",
		"case f < c.op(c.clusters[number].write).Call:", "case false:"},
	{"a zone that ends in a take leaves its value", "sweep.go",
		"if c.taken(number) {", "if false {"},
	{"a block that ends in a take leaves its value", "sweep.go",
		"case c.taken(number):", "case false:"},
	{"a zone begins where nothing is, and something is placed before it", "sweep.go",
		"if c.made(number) {\n", "if false {\n"},
	{"what was not there may be anything", "machine.go",
		"return s, s != seen", "return s, true"},
	{"a take may be left out though reads found nothing", "units.go",
		"history.Take && mayExplain(op, misses, shown)", "history.Take && false"},
	{"what a search needs may be left out", "units.go",
		"return c.unclear && c.telling", "return false"},
	{"an update without its past is held to it", "explain.go",
		"*op = unseeing(*op)", "_ = op"},
	{"every delete may be left out", "units.go",
		"asked < never\n\t}", "false\n\t}"},
	{"a delete may be left out for what was shown too late", "units.go",
		"shown.leastFrom(deletion.Return+1) >= asked",
		"shown.leastFrom(deletion.Return+1) > asked"},
	{"a delete may be left out for what was shown before it", "units.go",
		"shown.leastFrom(deletion.Return+1)", "shown.leastFrom(deletion.Return)"},
	{"a call that was killed is one that failed", "progress.go",
		"op.Class == history.ClassExit && op.Call <= death", "death < -1"},
	{"a call that died later was killed", "progress.go",
		"op.Class == history.ClassExit && op.Call <= death",
		"op.Class == history.ClassExit && death >= -1"},
	{"a store that was hurt is to blame", "progress.go", `return faults != ""`, "return false"},
	{"a store that waits is to blame", "progress.go",
		`return strings.Contains(faults, "hold write lock") ||`, "return"},
	{"whoever was killed may hang", "progress.go",
		`return strings.Contains(faults, "hold write lock") ||`, `return faults != "" ||`},
	{"a panic is to be blamed on what was done", "progress.go",
		"return false\n}\n\n// failures are", "return true\n}\n\n// failures are"},
	{"a call that was given up is one that failed", "progress.go",
		"op.Class == history.ClassCanceled ||", "false ||"},
	{"a call that could not be asked is one that failed", "progress.go",
		"op.Class == history.ClassProtocol ||", "false ||"},
	{"nothing need be answered", "progress.go", "case !answered(tried):", "case false:"},
	{"reads that find nothing are enough", "blind.go", "return failed && written",
		"return failed && written && false"},
	{"no read may fail", "blind.go", "case !ok && op.Kind.Reads():", "case op.Kind.Reads():"},
	{"one value is not enough to see", "blind.go", "\t\t\treturn false\n", ""},
	{"most slots may be unread in the end", "final.go", "case failed > succeeded[i]:",
		"case false:"},
	{"an item may come twice", "listload.go",
		"met.at > 0 && met.read == number && c", "false && c"},
	{"lists may disagree", "lists.go",
		"if item.add != longest[n].add {", "if false && item.add != longest[n].add {"},
	{"an acknowledged item need not be in a list", "lists.go",
		"c.x.h.Ops[call.op].Outcome == history.OK\n",
		"false && c.x.h.Ops[call.op].Outcome == history.OK\n"},
	{"an add that nobody saw took effect", "lists.go",
		"c.x.h.Ops[call.op].Outcome == history.OK\n",
		"true || c.x.h.Ops[call.op].Outcome == history.OK\n"},
	{"a list may lack its last item", "lists.go",
		"return 2*c.reads[call.read].size() + 1, true",
		"return 2*c.reads[call.read].size() + 2, true"},
	{"a list may have an item before it is added", "lists.go",
		"return 2*c.reads[call.read].size() + 1, true", "return 2*c.reads[call.read].size(), true"},
	{"adds may come in any order", "lists.go",
		"return 2 * c.places[call.add], true", "return 2, true"},
	{"calls on a list that touch are in order", "lists.go",
		"c.returned(byReturn[0]) < called;", "c.returned(byReturn[0]) <= called;"},
	{"of what came before only the first counts", "lists.go",
		"placed && p > lastPosition {", "placed && last < 0 {"},
	{"a list is as long as the first that was read", "listload.go",
		"c.reads[r].size() > c.reads[c.longest].size()", "false"},
	{"items that others accuse are of the list", "listload.go",
		"c.accused++\n\t\treturn\n", "c.accused++\n"},
	{"an item that was added twice is the first of them", "lists.go",
		"if c.twice >= 0 {", "if false {"},
	{"lists that were not read are empty", "listload.go",
		"op.Outcome != history.OK || !until", "!until"},
	{"lists read after the workload count as operations", "listload.go",
		"|| !until.includes(op.Client)", ""},
	{"what goes on may begin elsewhere", "listload.go",
		"c.x.h.Continues(i) && c.isLast(i)", "c.x.h.Continues(i)"},
	{"a part of a list is all of it", "listload.go",
		"for h.Continues(i) {", "for false {"},
	{"each operation on a list is a call", "listload.go",
		"case c.x.h.Continues(i) && c.isLast(i):", "case false:"},
	{"what a part of a history did not add nobody did", "explain.go",
		"case written && isItem(&h.Ops[ops[i]]):", "case false:"},
	{"a list is the slot of its name", "index.go",
		"return op.Kind == history.Add || op.Kind == history.Items }",
		"return op.Kind == history.Items }"},
	{"deletes elsewhere are forgotten", "explain.go",
		"!among(ops, d)", "false"},
	{"writes elsewhere are forgotten", "explain.go",
		"!among(ops, w)", "false"},
}

// TestBrokenChecksAreNoticed breaks the rules one by one. It takes some seconds for each and so
// runs only if MEMRACE_BREAK is set; without, it looks whether the rules are still there.
func TestBrokenChecksAreNoticed(t *testing.T) {
	for _, b := range slices.Concat(broken, brokenSnapshots) {
		t.Run(b.name, func(t *testing.T) {
			source, err := os.ReadFile(b.file)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(source), b.from), "occurrences of %q", b.from)
			if os.Getenv("MEMRACE_BREAK") == "" {
				return
			}
			text, err := testWith(t, b.file, strings.Replace(string(source), b.from, b.to, 1))
			require.Error(t, err, "nothing noticed that %s", b.name)
			require.NotContains(t, text, "[build failed]")
			t.Log(firstFailure(text))
		})
	}
}

// testWith runs the tests of this package with another text for one of its files.
func testWith(t *testing.T, file, text string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	changed, overlay := filepath.Join(dir, file), filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(changed, []byte(text), 0o600))
	path, err := filepath.Abs(file)
	require.NoError(t, err)
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(overlay, list, 0o600))
	test := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-timeout=2m",
		"-overlay", overlay, "-rapid.nofailfile", "-run",
		"Oracle|Linearizability|FinalValue|Units|Slots|Snapshots|Progress|Stages", ".")
	test.Env = append(os.Environ(), "MEMRACE_BREAK=", "MEMRACE_ORACLE=20000")
	out, err := test.CombinedOutput()
	return string(out), err
}

func firstFailure(text string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "--- FAIL") {
			return strings.TrimSpace(line)
		}
	}
	return text
}
