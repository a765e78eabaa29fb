package stress

import (
	"slices"
	"time"

	"memrace/store"
	"memrace/stress/check"
	"memrace/stress/fault"
	"memrace/stress/history"
)

// Result is what came out of one run.
type Result struct {
	// Config is the configuration of the run with all defaults filled in.
	Config Config
	// About is how the store described itself; zero for a store that cannot.
	About store.Description
	// Dir is the directory of the run.
	Dir string
	// Started is when the run began, Elapsed how long its workload took.
	Started time.Time
	Elapsed time.Duration
	// Skipped is why no run was made: the store cannot do what the workload consists of. Then every
	// verdict is check.Skipped for that reason, and the history is empty. Empty if a run was made.
	Skipped string
	// Interrupted is true if the run was cancelled before its end.
	Interrupted bool
	// Evidence is the history and the rows that the verdicts rest on.
	Evidence history.Evidence
	// Verdicts has one verdict for each property, in the order of check.Properties.
	Verdicts []check.Verdict
	// Stories tell one violation of each property that is violated, in the same order.
	Stories []Story
	// FirstErrors has the text of the first error of each class.
	FirstErrors map[history.Class]string
	// Goroutines is what every goroutine was doing when the run was given up because no client
	// got on; empty otherwise.
	Goroutines string
	// Events are what was done to the store, in the order of time.
	Events []fault.Event
	// Struck is how often faults of the disk struck, where Config.Faults has any.
	Struck int64
	// Trouble is why the store could not be read back, closed or opened again; nil otherwise.
	Trouble error
}

// State returns the worst state of all verdicts: Violated before Undecided before Holds.
// A property that was skipped does not count, unless all were. A run that was not finished is
// at best undecided.
func (r *Result) State() check.State {
	worst := Worst(r.Verdicts)
	if r.Trouble != nil || r.Interrupted {
		worst = max(worst, check.Undecided)
	}
	return worst
}

// Worst returns the worst state of the verdicts: Violated before Undecided before Holds before
// Skipped, which is also that of no verdict at all.
func Worst(verdicts []check.Verdict) check.State {
	worst := check.Skipped
	for _, v := range verdicts {
		worst = max(worst, v.State)
	}
	return worst
}

// skipped is the result of a run that was not made.
func (x *experiment) skipped(reason string) *Result {
	r := &Result{
		Config: x.config, About: x.about, Dir: x.dir, Started: x.started, Skipped: reason,
		Evidence: history.Evidence{History: &history.History{}},
	}
	for _, p := range check.Properties() {
		r.Verdicts = append(r.Verdicts,
			check.Verdict{Property: p, State: check.Skipped, Reason: reason})
	}
	return r
}

// Verdict returns what was found out about a property; its zero value if it was not judged.
func (r *Result) Verdict(p check.Property) check.Verdict {
	for _, v := range r.Verdicts {
		if v.Property == p {
			return v
		}
	}
	return check.Verdict{Property: p}
}

// Only leaves just the verdicts and stories of the given properties. If nothing in the history has
// to do with any of them, they are skipped.
func Only(properties []check.Property, verdicts []check.Verdict, stories []Story) (
	[]check.Verdict, []Story) {
	verdicts = slices.DeleteFunc(slices.Clone(verdicts), func(v check.Verdict) bool {
		return !slices.Contains(properties, v.Property)
	})
	stories = slices.DeleteFunc(slices.Clone(stories), func(s Story) bool {
		return !slices.Contains(properties, s.Property)
	})
	if len(verdicts) == 0 {
		for _, p := range properties {
			verdicts = append(verdicts, check.Verdict{Property: p, State: check.Skipped,
				Reason: "nothing in the history has to do with it"})
		}
	}
	return verdicts, stories
}
