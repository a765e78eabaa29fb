package verbs

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows on a terminal how far the runs are; elsewhere it is silent.
type progress struct {
	bar   *progressbar.ProgressBar
	begun bool
}

func newProgress(w io.Writer, runs int) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	return &progress{bar: progressbar.NewOptions(runs,
		progressbar.OptionSetWriter(f), progressbar.OptionClearOnFinish(),
		progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true),
		progressbar.OptionFullWidth())}
}

// next says which run comes now, which ends the one before. What cannot be drawn on the terminal
// is not worth ending the runs for.
func (p *progress) next(what string) {
	if p.bar == nil {
		return
	}
	if p.begun {
		_ = p.bar.Add(1)
	}
	p.begun = true
	p.bar.Describe(what)
}

func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
