package verbs

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memrace/bench"
	"memrace/store/proc"
	"memrace/stress"
	"memrace/stress/check"
)

// report collects what came out of the runs of one command.
type report struct {
	ctx     context.Context // cancelled if the command was interrupted
	runs    []runReport
	rows    []*storeRow
	missing int    // runs that were not made because of an interrupt
	again   string // the arguments of a command that makes the same runs
}

// storeRow is a line of the table: all runs of one store.
type storeRow struct {
	store   string
	runs    int
	skipped int // of the runs: those that were not made, since the store cannot do them
	summary bench.Summary
	states  map[check.Property]check.State
	judged  map[check.Property]bool // those that a run had to do with
	trouble error                   // the first run that could not be made or finished
}

// runReport is one run as --json prints it. Times are in nanoseconds.
type runReport struct {
	Store     string            `json:"store"`
	Profile   string            `json:"profile"`
	Seed      uint64            `json:"seed"`
	State     string            `json:"state"`
	Verdicts  map[string]string `json:"verdicts,omitempty"`
	Reasons   map[string]string `json:"reasons,omitempty"`
	Ops       int               `json:"operations"`
	OK        int               `json:"ok"`
	PerSecond float64           `json:"ops_per_second"`
	P50       int64             `json:"p50_ns,omitempty"`
	P99       int64             `json:"p99_ns,omitempty"`
	Max       int64             `json:"max_ns,omitempty"`
	Errors    map[string]int    `json:"errors,omitempty"`
	Kills     int               `json:"kills,omitempty"`
	Back      int64             `json:"back_ns,omitempty"` // from a kill on, median
	Loss      *check.Loss       `json:"loss,omitempty"`    // where the power was cut
	Stories   []string          `json:"stories,omitempty"`
	Dir       string            `json:"dir,omitempty"`
	Command   string            `json:"command"`
	Error     string            `json:"error,omitempty"`

	target      string
	state       check.State
	interrupted bool
	skipped     string // why the run was not made; empty if it was
	notes       []string
}

// add takes in a run: its result, the error it ended with, or both.
func (rep *report) add(p planned, r *stress.Result, err error) {
	row := rep.row(p.target.name)
	row.runs++
	out := runReport{Store: p.config.Store, Profile: p.config.Profile, Seed: p.config.Seed,
		Command: command(p.config), target: p.target.name,
		state: check.Undecided}
	if err != nil {
		out.Error = err.Error()
		if row.trouble == nil {
			row.trouble = err
		}
	}
	if r != nil {
		out.fill(r)
		if r.Skipped != "" {
			row.skipped++
		}
		row.summary.Add(r.Evidence.History, r.Elapsed)
		for _, v := range r.Verdicts {
			row.judged[v.Property] = row.judged[v.Property] || r.Skipped == ""
			row.states[v.Property] = max(row.states[v.Property], v.State)
		}
	}
	out.State = out.state.String()
	rep.runs = append(rep.runs, out)
}

func (rep *report) row(name string) *storeRow {
	for _, row := range rep.rows {
		if row.store == name {
			return row
		}
	}
	row := &storeRow{store: name, states: map[check.Property]check.State{},
		judged: map[check.Property]bool{}}
	rep.rows = append(rep.rows, row)
	return row
}

func (out *runReport) fill(r *stress.Result) {
	var s bench.Summary
	s.Add(r.Evidence.History, r.Elapsed)
	out.Ops, out.OK, out.PerSecond, out.Errors = s.Operations, s.OK, s.PerSecond(), s.Errors
	out.P50, out.P99, out.Max = int64(s.Latency(50)), int64(s.Latency(99)), int64(s.Latency(100))
	out.state, out.skipped, out.interrupted = r.State(), r.Skipped, r.Interrupted
	out.Verdicts, out.Reasons = map[string]string{}, map[string]string{}
	for _, v := range r.Verdicts {
		out.Verdicts[string(v.Property)] = v.State.String()
		if v.Reason != "" {
			out.Reasons[string(v.Property)] = v.Reason
		}
	}
	for _, s := range r.Stories {
		out.Stories = append(out.Stories, s.String())
	}
	if _, err := os.Stat(filepath.Join(r.Dir, stress.HistoryFile)); err == nil {
		out.Dir = r.Dir
	}
	if r.Config.Ops == 0 && out.Ops >= stress.MaxTimed {
		out.notes = append(out.notes, fmt.Sprintf("a run ended after %d operations, although its "+
			"time was not up; --ops allows more", out.Ops))
	}
	for _, s := range r.About.Settings {
		if s.Name == proc.PipeSetting {
			out.notes = append(out.notes, fmt.Sprintf(
				"the pipe to the child and back takes %s of each call", s.Value))
		}
	}
	for class, text := range r.FirstErrors {
		out.notes = append(out.notes, fmt.Sprintf("first %s error: %s", class, shorten(text)))
	}
	slices.Sort(out.notes)
	out.Loss = r.Verdict(check.FinalValue).Loss
	out.events(r.Config.Faults, r.Events)
	if f := r.Config.Faults; !f.Disk.None() && !f.Mortal() { // what a child's disk did, it knows
		out.notes = append(out.notes, fmt.Sprintf("faults of the disk struck %d times", r.Struck))
	}
}

// state is the worst state of all runs. Those that were not made since their stores cannot do them
// do not count, unless that is all of them.
func (rep *report) state() check.State {
	worst := check.Holds
	made := 0
	for _, r := range rep.runs {
		if r.skipped != "" {
			continue
		}
		made++
		worst = max(worst, r.state)
		if r.state == check.Skipped || r.Error != "" {
			worst = max(worst, check.Undecided)
		}
	}
	if rep.missing > 0 || made == 0 {
		worst = max(worst, check.Undecided)
	}
	return worst
}

// write prints the report and returns the exit status as an error.
func (rep *report) write(out, errOut io.Writer, asJSON bool) error {
	for _, r := range rep.runs {
		if r.Error != "" {
			fmt.Fprintf(errOut, "memrace: %s, profile %s: %s\n", r.Store, r.Profile,
				oneLine(fmt.Errorf("%s", r.Error)))
		}
	}
	if rep.ctx.Err() != nil {
		notMade := ""
		if rep.missing > 0 {
			notMade = fmt.Sprintf("%d of %d runs were not made, and ", rep.missing,
				rep.missing+len(rep.runs))
		}
		fmt.Fprintf(errOut, "memrace: interrupted; %sthe last one that was is cut "+
			"short\n", notMade)
	}
	if asJSON {
		if err := writeJSON(out, rep.runs); err != nil {
			return err
		}
		return statusOfState(rep.state())
	}
	rep.writeStories(out)
	fmt.Fprintln(out, rep.table())
	rep.writeNotes(out)
	return statusOfState(rep.state())
}

// maxStories is how many runs are told in full; the others have theirs in a file.
const maxStories = 3

func (rep *report) writeStories(out io.Writer) {
	told := 0
	for _, r := range rep.runs {
		if r.state == check.Holds || r.skipped != "" {
			continue
		}
		if told++; told > maxStories && len(r.Stories) == 0 {
			continue
		}
		if len(r.Stories) == 0 {
			fmt.Fprintf(out, "%s, profile %s, seed %d: %s\n", r.Store, r.Profile, r.Seed,
				r.plainState())
		} else if told <= maxStories {
			fmt.Fprintf(out, "%s, profile %s, seed %d\n\n%s\n", r.Store, r.Profile, r.Seed,
				strings.Join(r.Stories, "\n"))
		}
		if r.Dir != "" {
			fmt.Fprintf(out, "evidence: %s\n", r.Dir)
		}
		fmt.Fprintf(out, "repeat:   %s\n\n", r.Command)
	}
}

// plainState is the state of a run, and that it was cut short if that is all that is the matter.
func (out *runReport) plainState() string {
	if out.interrupted {
		return out.State + ", since it was cut short"
	}
	return out.State
}
