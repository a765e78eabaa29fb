package verbs

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"memrace/stress/check"
	"memrace/stress/fault"
)

// writeNotes says below the table what its cells cannot.
func (rep *report) writeNotes(out io.Writer) {
	for _, row := range rep.rows {
		if len(row.summary.Errors) > 0 {
			fmt.Fprintf(out, "%s: errors: %s\n", row.store, counts(row.summary.Errors))
		}
	}
	rep.writeLosses(out)
	said := map[string]bool{}
	for _, r := range rep.runs {
		for _, note := range r.allNotes() {
			if key := noteKey(note); !said[key] {
				fmt.Fprintln(out, note)
				said[key] = true
			}
		}
	}
	if len(rep.runs) > 0 {
		fmt.Fprintf(out, "seed %d; the same again: %s %s\n", rep.runs[0].Seed, program(),
			rep.again)
	}
}

// noteKey is what is the same of a note that several runs give rise to.
func noteKey(note string) string {
	note, _, _ = strings.Cut(note, `"`)
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, note)
}

// writeLosses says for each store what cuts of the power took.
func (rep *report) writeLosses(out io.Writer) {
	for _, row := range rep.rows {
		cuts, losing := 0, 0
		var worst check.Loss
		for _, r := range rep.runs {
			if r.Loss == nil || r.target != row.store {
				continue
			}
			cuts++
			if r.Loss.Writes+r.Loss.Items > 0 {
				losing++
			}
			if r.Loss.Writes+r.Loss.Items > worst.Writes+worst.Items {
				worst = *r.Loss
			}
		}
		switch {
		case cuts == 0:
		case losing == 0:
			fmt.Fprintf(out, "%s: the power was cut in %d of %d runs; nothing that was "+
				"acknowledged is gone\n", row.store, cuts, row.runs)
		default:
			fmt.Fprintf(out, "%s: the power was cut in %d of %d runs; %d lost something, the "+
				"worst of them %s\n", row.store, cuts, row.runs, losing, worst)
		}
	}
}

// events notes what was done to a store, how often, and how long it took. Each run has its own
// numbers, so each is said.
func (out *runReport) events(c fault.Faults, events []fault.Event) {
	var kinds []string
	took := map[string][]time.Duration{}
	for _, e := range events {
		if e.What == fault.Powerless { // which what was lost is said of
			continue
		}
		if took[e.What] == nil {
			kinds = append(kinds, e.What)
		}
		took[e.What] = append(took[e.What], e.Back)
	}
	kills := slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool {
		return !strings.HasPrefix(kind, fault.Killed)
	})
	if c.KillEvery != 0 && len(kills) == 0 && out.Error == "" {
		out.notes = append(out.notes, "killed 0 times: the run was over before")
	}
	if c.HoldEvery != 0 && took[fault.Locked] == nil && out.Error == "" {
		out.notes = append(out.notes, "locked against writing 0 times: the run was over before")
	}
	for _, kind := range kinds {
		back := took[kind]
		slices.Sort(back)
		median := back[len(back)/2]
		if slices.Contains(kills, kind) {
			out.Kills, out.Back = out.Kills+len(back), max(out.Back, int64(median))
		}
		out.notes = append(out.notes, happened(kind, len(back), median))
	}
}

// happened says that something was done to a store, how often, and how long it mostly took.
func happened(what string, n int, median time.Duration) string {
	text := fmt.Sprintf("%s %d times", what, n)
	if n == 1 {
		text = what + " once"
	}
	if median == 0 {
		return text
	}
	return fmt.Sprintf("%s, back after %s (median)", text, latencyCell(median))
}

// allNotes returns what is to be said of a run, whichever seed it had.
func (out *runReport) allNotes() []string {
	if out.skipped != "" {
		return []string{fmt.Sprintf("%s: %s skipped: %s", out.Store, out.Profile, out.skipped)}
	}
	var notes []string
	for _, p := range check.Properties() {
		if reason := out.Reasons[string(p)]; reason != "" {
			notes = append(notes, fmt.Sprintf("%s: %s %s: %s",
				out.Store, p, out.Verdicts[string(p)], reason))
		}
	}
	for _, n := range out.notes {
		notes = append(notes, out.Store+": "+n)
	}
	return notes
}

func counts(m map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%d %s", m[name], name))
	}
	return strings.Join(parts, ", ")
}

// shorten keeps the first line of an error's text, and not all of a long one.
func shorten(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if len(line) > 160 {
		line = line[:160] + "..."
	}
	return fmt.Sprintf("%q", line)
}
