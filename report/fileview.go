package report

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"memrace/stress/history"
)

// fileView is what a file of benchmarks says of how it was measured.
type fileView struct {
	benchFile
	Facts, MoreFacts []history.Meta
}

// fileFacts are the settings of a file that everybody asks for.
var fileFacts = []string{"machine", "go", "sqlite-version", "fs", "fsync-p50-ns", "journal-mode",
	"synchronous", "turn", "race-detector"}

func newFileView(f benchFile) fileView {
	v := fileView{benchFile: f}
	for _, name := range fileFacts {
		if value := f.setting(name); value != "" {
			v.Facts = append(v.Facts, readable(name, value))
		}
	}
	for _, c := range f.settings {
		if !slices.Contains(fileFacts, c.Key) {
			v.MoreFacts = append(v.MoreFacts, history.Meta{Name: c.Key, Value: string(c.Value)})
		}
	}
	return v
}

// readable gives a setting that is in nanoseconds a unit that suits it.
func readable(name, value string) history.Meta {
	short, is := strings.CutSuffix(name, "-ns")
	if ns, err := strconv.ParseFloat(value, 64); is && err == nil {
		return history.Meta{Name: short, Value: human(ns)}
	}
	return history.Meta{Name: name, Value: value}
}

// setting returns what a header line of the file says, or "".
func (f benchFile) setting(name string) string {
	i := slices.IndexFunc(f.settings, func(c benchfmt.Config) bool { return c.Key == name })
	if i < 0 {
		return ""
	}
	return string(f.settings[i].Value)
}
