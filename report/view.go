package report

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/history"
)

// pageView is what the template sees of a page.
type pageView struct {
	CSS     template.CSS
	Title   string
	State   string
	Runs    []runView
	Missing string // empty if all runs were made

	Warnings []warning
	Files    []fileView
	Sections []section
	Verdicts *matrix
	Mutants  *matrix
	Contents []link
}

// link leads to a section.
type link struct{ ID, Name string }

// warning is what files differ in, and the line of each of the two.
type warning struct {
	Headline string
	Lines    []string
}

// runView is a run.
type runView struct {
	ID               int
	Name             string
	State, Trouble   string
	Facts, MoreFacts []history.Meta
	Verdicts         []verdictView
	Stories          []storyView
	Repeat, Evidence string
}

type verdictView struct {
	Property, Meaning, State string
	Why                      []string
}

type storyView struct {
	Property, Headline, Sentence string
	Others                       int
	Drawings                     []*drawing
	Notes                        []string // on the drawings
	Accused                      bool     // whether an operation is
	Lines                        []lineView
	// TooMany is how many operations there are if they are too many to be drawn.
	TooMany int
}

// lineView is a line of the history. Number is its number in the file; 0 if it is not known.
type lineView struct {
	Number  uint32
	Text    string
	Accused bool
}

func (p *Page) view() pageView {
	v := pageView{CSS: template.CSS(colorsCSS + pageCSS + chartCSS), Title: p.title(),
		State: p.worst.String(), Runs: p.runs, Sections: p.benchmarks.sections(),
		Verdicts: p.verdicts(), Mutants: p.mutants}
	for _, f := range p.benchmarks.files {
		v.Files = append(v.Files, newFileView(f))
	}
	for _, w := range p.Warnings() {
		headline, lines, _ := strings.Cut(w, "\n  ")
		v.Warnings = append(v.Warnings, warning{headline, strings.Split(lines, "\n  ")})
	}
	if p.Missing > 0 {
		v.Missing = count(p.Missing, "run") + " more had been asked for"
	}
	if p.unfinished() {
		v.State = max(p.worst, check.Undecided).String()
	}
	if len(p.runs) == 0 && p.shows() {
		v.State = "measured"
	}
	v.Contents = v.contents()
	return v
}

// shows reports whether there is something else than runs on the page.
func (p *Page) shows() bool { return len(p.benchmarks.files) > 0 || p.mutants != nil }

// contents are the sections of a page that has several.
func (v *pageView) contents() (links []link) {
	for _, s := range v.Sections {
		links = append(links, link{s.ID, s.Name})
	}
	for _, l := range []struct {
		link
		shown bool
	}{
		{link{"mutants", "Mutants"}, v.Mutants != nil},
		{link{"verdicts", "Verdicts"}, v.Verdicts != nil},
		{link{"runs", "Runs"}, len(v.Runs) > 0},
	} {
		if l.shown {
			links = append(links, l.link)
		}
	}
	if len(v.Files) > 0 {
		links = append([]link{{"machine", "What it was measured on"}}, links...)
	} else if v.Mutants == nil {
		return nil
	}
	return links
}

// unfinished is true if the page has less to show than it was to have.
func (p *Page) unfinished() bool { return p.Missing > 0 || p.worst == check.Skipped }

// title says how many runs are in each state, the worst first.
func (p *Page) title() string {
	states := map[string]int{}
	for _, r := range p.runs {
		states[r.State]++
	}
	all := strconv.Itoa(len(p.runs))
	if p.shows() { // or it might be so many of anything
		all = count(len(p.runs), "run")
	}
	var parts []string
	for _, s := range []check.State{check.Violated, check.Undecided, check.Holds,
		check.Skipped} {
		n := states[s.String()]
		switch {
		case n == 0:
		case n < len(p.runs):
			parts = append(parts, fmt.Sprintf("%d of %s %s", n, all, s))
		case s == check.Holds && !p.unfinished():
			parts = append(parts, "everything holds")
		default:
			parts = append(parts, fmt.Sprintf("%s: %s", count(n, "run"), s))
		}
	}
	if stores := newLineup(&p.benchmarks).labels; len(stores) > 0 {
		parts = append(parts, count(len(stores), "store")+" measured")
	}
	if p.mutants != nil {
		n := len(p.mutants.Rows)
		parts = append(parts, fmt.Sprintf("%d of %d mutants caught", n-p.missed, n))
	}
	if len(parts) == 0 {
		return "no run was made"
	}
	return strings.Join(parts, ", ")
}

func newRunView(r Run, id int) runView {
	v := runView{ID: id, Name: r.Name, State: r.State.String(), Trouble: r.Trouble,
		Evidence: r.Evidence, Repeat: r.Repeat}
	for _, verdict := range r.Verdicts {
		v.Verdicts = append(v.Verdicts, newVerdictView(verdict))
	}
	if r.History == nil {
		return v
	}
	if v.Name == "" {
		v.Name = r.History.MetaValue("store")
	}
	if v.Repeat == "" {
		v.Repeat = r.History.MetaValue("repeat")
	}
	v.Facts, v.MoreFacts = facts(r.History)
	for _, s := range r.Stories {
		v.Stories = append(v.Stories, newStoryView(r.History, s))
	}
	return v
}

// facts returns what was run: what everybody asks for, and whatever else the history says.
func facts(h *history.History) (first, more []history.Meta) {
	for _, name := range []string{"store", "profile", "seed", "clients"} {
		if value := h.MetaValue(name); value != "" {
			first = append(first, history.Meta{Name: name, Value: value})
		}
	}
	shown := len(first)
	first = append(first,
		history.Meta{Name: "operations", Value: fmt.Sprint(h.Calls())},
		history.Meta{Name: "slots", Value: fmt.Sprint(len(h.Slots))})
	for _, m := range h.Meta {
		if m.Name != "repeat" && !slices.Contains(first[:shown], m) {
			more = append(more, m)
		}
	}
	return first, more
}

func newVerdictView(v check.Verdict) verdictView {
	view := verdictView{Property: string(v.Property), Meaning: v.Property.Meaning(),
		State: v.State.String()}
	if v.Reason != "" {
		view.Why = append(view.Why, v.Reason)
	}
	if v.Count > 0 {
		view.Why = append(view.Why, fmt.Sprintf("%d found", v.Count))
	}
	view.Why = append(view.Why, v.Notes...)
	return view
}

func newStoryView(h *history.History, s stress.Story) storyView {
	v := storyView{Property: string(s.Property), Headline: s.Headline, Sentence: s.Sentence,
		Others: s.Others, Drawings: draw(h, s), Accused: s.Accused != stress.NoOp}
	if n := len(v.Drawings); n > 0 {
		v.Notes = v.Drawings[n-1].Notes // the narrowest needs the most
	}
	if len(s.Ops) > maxBars {
		v.TooMany = len(s.Ops)
	}
	for _, i := range s.Ops {
		line := lineView{Text: shortLine(h.Line(i)), Accused: i == s.Accused}
		if h.Lines != nil {
			line.Number = h.Lines[i]
		}
		v.Lines = append(v.Lines, line)
	}
	return v
}
