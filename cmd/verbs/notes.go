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

// events notes how often a store was killed. Each run has its own number, so each is said.
func (out *runReport) events(c fault.Faults, events []fault.Event) {
	events = slices.DeleteFunc(slices.Clone(events), func(e fault.Event) bool {
		return e.What != fault.Killed
	})
	if len(events) == 0 {
		if c.KillEvery != 0 {
			out.notes = append(out.notes, "killed 0 times: the run was over before")
		}
		return
	}
	back := make([]time.Duration, len(events))
	for i, e := range events {
		back[i] = e.Back
	}
	slices.Sort(back)
	out.Kills, out.Back = len(events), int64(back[len(back)/2])
	times := "times"
	if len(events) == 1 {
		times = "time"
	}
	out.notes = append(out.notes, fmt.Sprintf("killed %d %s, back after %s (median)", len(events),
		times, latencyCell(back[len(back)/2])))
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
