package check_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
	"pgregory.net/rapid"

	"memrace/stress/check"
	"memrace/stress/history"
)

// shapes are the kinds of small history that are compared with brute force.
var shapes = []shape{
	{least: 2, most: 7, span: 6, longest: 4, deletes: 0, faults: 30},
	{least: 2, most: 8, span: 8, longest: 5, deletes: 5, faults: 24},
	{least: 4, most: 10, span: 10, longest: 6, deletes: 6, faults: 24},
	{least: 5, most: 10, span: 5, longest: 3, deletes: 7, faults: 30},
	{least: 5, most: 10, span: 24, longest: 12, deletes: 5, faults: 24},
	{least: 2, most: 6, span: 8, longest: 5, deletes: 5, faults: 20, final: true},
	{least: 1, most: 4, span: 6, longest: 8, deletes: 3, faults: 30, final: true},
	{least: 3, most: 8, span: 12, longest: 12, deletes: 4, faults: 64},
	{least: 2, most: 8, span: 8, longest: 5, deletes: 4, faults: 20, repeats: true},
	{least: 7, most: 11, span: 20, longest: 8, deletes: 8, faults: 4, unknown: 3},
	{least: 2, most: 8, span: 8, longest: 5, updates: 7, faults: 12},
	{least: 3, most: 9, span: 12, longest: 6, updates: 8, faults: 6, unknown: 2, final: true},
	{least: 2, most: 8, span: 8, longest: 5, updates: 3, deletes: 2, takes: 3, faults: 10},
	{least: 3, most: 9, span: 12, longest: 6, deletes: 1, takes: 5, faults: 8, unknown: 1},
	{least: 3, most: 8, span: 10, longest: 6, updates: 5, takes: 3, faults: 6, final: true},
	{least: 4, most: 10, span: 14, longest: 8, updates: 7, deletes: 3, takes: 2, faults: 3},
	{least: 2, most: 8, span: 8, longest: 5, updates: 6, takes: 1, faults: 8, mismatches: true},
	{least: 2, most: 7, span: 8, longest: 5, updates: 4, takes: 2, faults: 8, repeats: true},
}

// oracleRuns is how many histories are compared: the usual number, or what MEMRACE_ORACLE says.
func oracleRuns(t *testing.T, usual int) int {
	text := os.Getenv("MEMRACE_ORACLE")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("MEMRACE_ORACLE is %q; it must be a number of histories", text)
	}
	return n
}

// TestOracleBruteForce compares verdicts on small random histories with those of an
// exhaustive search, and holds each accusation to what it claims: that the operations it names
// are wrong by themselves.
func TestOracleBruteForce(t *testing.T) {
	const seed = 1
	n := oracleRuns(t, 20_000)
	found := map[string]int{}
	for i := range n {
		random := randomSource{rand.New(rand.NewPCG(seed, uint64(i)))}
		h := makeHistory(random, shapes[i%len(shapes)])
		result, err := compareWithBruteForce(h)
		if err != nil {
			t.Fatalf("history %d: %v\n%s", i, err, lines(h))
		}
		found[result]++
		for _, trait := range traits {
			if slices.ContainsFunc(h.Ops, trait.has) {
				found[trait.name]++
			}
		}
	}
	t.Logf("%d histories compared with brute force: %v", n, found)
	for _, what := range []string{
		"legal", "illegal", "final illegal", "reopened illegal", "with deletes",
		"with unknown writes", "with unknown deletes", "with updates", "with takes",
		"with unknown updates", "with mismatches",
	} {
		if found[what] < n/200 {
			t.Errorf("only %d of %d histories are %s, which compares little", found[what], n, what)
		}
	}
}

// traits are what histories are counted by.
var traits = []struct {
	name string
	has  func(history.Op) bool
}{
	{"with deletes", func(op history.Op) bool { return op.Kind == history.Delete }},
	{"with unknown writes", func(op history.Op) bool {
		return op.Kind == history.Upsert && op.Outcome == history.Unknown
	}},
	{"with updates", func(op history.Op) bool { return op.Kind == history.Update }},
	{"with takes", func(op history.Op) bool { return op.Kind == history.Take }},
	{"with unknown updates", func(op history.Op) bool {
		return op.Kind == history.Update && op.Outcome == history.Unknown
	}},
	{"with mismatches", func(op history.Op) bool { return op.Class == history.ClassMismatch }},
	{"with unknown deletes", func(op history.Op) bool {
		return op.Kind == history.Delete && op.Outcome == history.Unknown
	}},
}

// FuzzSlot does the same with histories that a fuzzer chooses.
func FuzzSlot(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte("\x01\x04\x02\x03\x07\x05\x00\x09\x08\x01\x02\x03\x04\x05\x06\x07\x08\x09"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &byteSource{data}
		h := makeHistory(s, shapes[s.below(len(shapes))])
		if _, err := compareWithBruteForce(h); err != nil {
			t.Fatalf("%v\n%s", err, lines(h))
		}
	})
}

// TestOracleProperty does the same with histories that are made smaller when they fail.
func TestOracleProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &byteSource{rapid.SliceOfN(rapid.Byte(), 1, 100).Draw(t, "choices")}
		h := makeHistory(s, shapes[s.below(len(shapes))])
		if _, err := compareWithBruteForce(h); err != nil {
			t.Fatalf("%v\n%s", err, lines(h))
		}
	})
}

// compareWithBruteForce returns what the history is, or an error if the verdicts are wrong.
func compareWithBruteForce(h *history.History) (string, error) {
	base := legal(part(h, func(op history.Op) bool { return op.Client.Numbered() }))
	final := legal(part(h, func(op history.Op) bool { return op.Client != history.Reopened }))
	all := legal(part(h, func(history.Op) bool { return true }))
	verdicts := verdictsOf(h)
	linear, last := verdicts[check.Linearizability], verdicts[check.FinalValue]
	if (linear.State == check.Violated) == base {
		return "", fmt.Errorf("linearizability is %v, brute force says %v", linear, base)
	}
	if (last.State == check.Violated) != (base && !all) {
		return "", fmt.Errorf("final is %v, brute force says %v %v", last, base, all)
	}
	for _, v := range verdicts {
		if strings.Contains(v.Reason, "bug") {
			return "", fmt.Errorf("%s", v.Reason)
		}
	}
	if err := checkProofs(h, linear, last); err != nil {
		return "", err
	}
	switch {
	case !base:
		return "illegal", nil
	case !final:
		return "final illegal", wantAnomaly(last, check.LostWrite)
	case !all:
		return "reopened illegal", wantAnomaly(last, check.LostAfterReopen)
	}
	return "legal", nil
}

func wantAnomaly(v check.Verdict, want check.Anomaly) error {
	if got := v.Violations[0].Anomaly; got != want {
		return fmt.Errorf("the anomaly is %q, want %q", got, want)
	}
	return nil
}

// checkProofs checks that what a violation rests on is wrong by itself, and is said to be so.
func checkProofs(h *history.History, verdicts ...check.Verdict) error {
	for _, verdict := range verdicts {
		for _, v := range verdict.Violations {
			if legal(pick(h, v.Ops)) || legal(pick(h, withDeletes(h, v.Ops))) {
				return fmt.Errorf("the proof %v of %q is no proof", v.Ops, v.Sentence)
			}
			if strings.Contains(v.Sentence, " 0ns") || strings.Contains(v.Sentence, " -") {
				return fmt.Errorf("%q says that one was not earlier than the other", v.Sentence)
			}
			again, found := check.Explain(h, v.Ops)
			if !found {
				return fmt.Errorf("Explain does not find the proof %v of %q", v.Ops, v.Sentence)
			}
			if again.Property != v.Property || again.Anomaly != v.Anomaly {
				return fmt.Errorf("Explain says %v, Judge said %v", again, v)
			}
		}
	}
	return nil
}

// withDeletes adds all deletes of the history to some operations.
func withDeletes(h *history.History, ops []int) []int {
	ops = slices.Clone(ops)
	for i, op := range h.Ops {
		deletes := op.Kind == history.Delete || op.Kind == history.Take
		if deletes && !slices.Contains(ops, i) {
			ops = append(ops, i)
		}
	}
	return ops
}

func verdictsOf(h *history.History) map[check.Property]check.Verdict {
	verdicts := map[check.Property]check.Verdict{}
	evidence := history.Evidence{History: h}
	for _, v := range check.Judge(context.Background(), evidence, check.Options{}) {
		verdicts[v.Property] = v
	}
	return verdicts
}

// lines returns the history in its notation.
func lines(h *history.History) string {
	var b strings.Builder
	for i := range h.Ops {
		b.WriteString(h.Line(i) + "\n")
	}
	return b.String()
}

// TestOraclePorcupine compares verdicts on longer histories with those of porcupine.
func TestOraclePorcupine(t *testing.T) {
	n := max(300, oracleRuns(t, 20_000)/100)
	found := map[porcupine.CheckResult]int{}
	for i := range n {
		random := randomSource{rand.New(rand.NewPCG(2, uint64(i)))}
		span := 60 + random.below(140)
		h := makeHistory(random, shape{
			least: 30, most: 120, span: span, longest: 1 + random.below(4),
			deletes: random.below(8), faults: random.below(3),
		})
		want := porcupine.CheckOperationsTimeout(model, porcupineOps(h), porcupineLimit)
		found[want]++
		got := verdictsOf(h)[check.Linearizability]
		// That a store which perhaps cannot be read is not judged is none of porcupine's business.
		undecided := got.State == check.Undecided && got.Reason != noValues
		if want != porcupine.Unknown && (undecided ||
			(got.State == check.Violated) != (want == porcupine.Illegal)) {
			t.Fatalf("history %d: the verdict is %v, porcupine says %v\n%s", i, got, want, lines(h))
		}
		if err := checkAgain(h, got); err != nil {
			t.Fatalf("history %d: %v\n%s", i, err, lines(h))
		}
	}
	t.Logf("%d histories compared with porcupine: %v", n, found)
	if found[porcupine.Ok] < n/10 || found[porcupine.Illegal] < n/10 {
		t.Errorf("%v compares little", found)
	}
}
