// Package report draws what runs and measurements came to as one HTML page that needs nothing else:
// no script, no font, no picture from elsewhere.
//
// It takes plain data: runs with their verdicts and stories, and what stands in files of
// benchmarks, of latencies and of mutants. It opens no store and no file, and it judges nothing:
// which state a run is in and which operation is accused is for the caller to say.
package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/history"
)

// Page collects what it is to show: runs, benchmarks and mutants. The zero Page has none.
type Page struct {
	// Missing is how many runs were asked for and not made.
	Missing int

	runs   []runView
	worst  check.State
	judged []judged

	benchmarks benchmarks
	mutants    *matrix
	missed     int // of the mutants: those that were not caught as often as is required
}

// Run is one run, judged.
type Run struct {
	// Name is what the run is called; empty: what its history calls the store.
	Name string
	// State is what the run comes to as a whole. Skipped is that of a run which was not made since
	// the store cannot do it; it does not count, unless there is no other.
	State check.State
	// History is what happened; nil if the run could not be made.
	History *history.History
	// Verdicts and Stories are what was found out. The operations of the stories are indices
	// into History.Ops.
	Verdicts []check.Verdict
	Stories  []stress.Story
	// Evidence is the file or directory that the history is kept in; empty if it was not kept.
	Evidence string
	// Repeat is the command that makes the run again; empty: what the history says of it.
	Repeat string
	// Trouble is why the run was not made or not finished; empty otherwise.
	Trouble string
}

var (
	//go:embed page.html
	pageHTML string
	//go:embed bench.html
	benchHTML string
	//go:embed chart.html
	chartHTML string
	//go:embed page.css
	pageCSS string
	//go:embed colors.css
	colorsCSS string
	//go:embed chart.css
	chartCSS string

	pageTemplate = template.Must(template.New("page").Parse(pageHTML + benchHTML + chartHTML))
)

// judged is a run of a store that was made.
type judged struct {
	store    string
	verdicts []check.Verdict
}

// Add takes in a run, to be shown after those before it. It draws what is to be drawn and keeps
// nothing of the history.
func (p *Page) Add(r Run) {
	p.worst = max(p.worst, r.State)
	v := newRunView(r, len(p.runs)+1)
	p.runs = append(p.runs, v)
	if r.History != nil {
		store := cmp.Or(r.History.MetaValue("store"), v.Name)
		p.judged = append(p.judged, judged{store, r.Verdicts})
	}
}

// Write writes the page. Whatever names and values are like, the page shows them as text: what
// is no printable character stands there as an escape.
func (p *Page) Write(w io.Writer) error {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p.view()); err != nil {
		return fmt.Errorf("draw the page: %w", err)
	}
	if _, err := io.WriteString(w, visible(b.String())); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}
