package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/report"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/history"
)

var update = flag.Bool("update", false, "write the golden file anew")

// judge returns a history, judged.
func judge(t *testing.T, h *history.History) report.Run {
	t.Helper()
	verdicts, stories := stress.Judge(t.Context(), history.Evidence{History: h})
	return report.Run{History: h, State: stress.Worst(verdicts), Verdicts: verdicts,
		Stories: stories}
}

func read(t *testing.T, text string) *history.History {
	t.Helper()
	h, err := history.Read(strings.NewReader("memrace-history 1\n"+text), "test")
	require.NoError(t, err)
	return h
}

func pageOf(t *testing.T, p *report.Page, runs ...report.Run) string {
	t.Helper()
	for _, r := range runs {
		p.Add(r)
	}
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.String()
}

// element is an element of a page, with the text right in it.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

// parse reads a page as XML, which it is as well: every element is closed, and nothing in it is
// taken for what it is not.
func parse(t *testing.T, page string) (all []*element) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	var open []*element
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text += string(token)
			}
		}
	}
}

// with returns the elements that have all the classes.
func with(elements []*element, classes ...string) (found []*element) {
	for _, e := range elements {
		has := strings.Fields(e.attrs["class"])
		if !slices.ContainsFunc(classes, func(c string) bool { return !slices.Contains(has, c) }) {
			found = append(found, e)
		}
	}
	return found
}

var style = regexp.MustCompile(`(?s)<style>.*</style>`)

func TestGolden(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "history.txt"))
	require.NoError(t, err)
	h, err := history.Read(bytes.NewReader(text), "history.txt")
	require.NoError(t, err)
	run := judge(t, h)
	run.Name, run.Evidence = "testdata/history.txt", "testdata/history.txt"
	page := style.ReplaceAllString(pageOf(t, new(report.Page), run), "<style/>")
	parse(t, page)
	golden := filepath.Join("testdata", "history.html")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(page), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err, "go test ./report -update writes it")
	require.Empty(t, cmp.Diff(string(want), page))
}

const holds = `10 30 c1 upsert "s" "k" v1.0 ok
20 40 c2 get "s" "k" v1.0 ok
50 60 final get "s" "k" v1.0 ok
`

func TestPageSaysHowThingsStand(t *testing.T) {
	green := judge(t, read(t, holds))
	red := judge(t, read(t, "10 20 c1 upsert \"s\" \"k\" v1.0 ok\n30 40 c2 get \"s\" \"k\" - ok\n"))
	skipped := report.Run{State: check.Skipped, Trouble: "the store has no Update"}
	nothing := report.Run{Name: "x", State: check.Undecided, Trouble: "open the store: no"}
	require.Equal(t, check.Holds, green.State)
	require.Equal(t, check.Violated, red.State)
	for _, c := range []struct {
		name    string
		runs    []report.Run
		missing int
		want    string
		why     string
	}{
		{"holds", []report.Run{green}, 0, "everything holds", ""},
		{"all hold", []report.Run{green, green}, 0, "everything holds", ""},
		{"violated", []report.Run{red}, 0, "1 run: violated", ""},
		{"mixed", []report.Run{green, red, nothing}, 0,
			"1 of 3 violated, 1 of 3 undecided, 1 of 3 holds", "the worst first"},
		{"not made", []report.Run{nothing}, 0, "1 run: undecided", "it proves nothing"},
		{"missing", []report.Run{green}, 2, "1 run: holds", "it is not everything"},
		{"no run", nil, 0, "no run was made", "an empty page is not green"},
		{"skipped", []report.Run{skipped}, 0, "1 run: skipped", "nothing was judged"},
		{"some skipped", []report.Run{green, skipped}, 0, "1 of 2 holds, 1 of 2 skipped",
			"what was judged holds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := pageOf(t, &report.Page{Missing: c.missing}, c.runs...)
			parse(t, page)
			require.Contains(t, page, "<title>memrace: "+c.want+"</title>", c.why)
			isGreen := c.want == "everything holds" || c.name == "some skipped"
			require.Equal(t, isGreen, strings.Contains(page, "docs/checks.md"),
				"what a green run does not prove is said where it is green, and only there")
			if isGreen {
				require.NotContains(t, page, "<svg")
				require.Less(t, strings.Count(page, "\n"), 300, "it is short")
			}
		})
	}
	page := pageOf(t, &report.Page{Missing: 2}, nothing)
	require.Contains(t, page, "2 runs more had been asked for")
	require.Contains(t, page, "open the store: no")
}

// With more operations than anybody could look at, the lines alone are shown.
func TestTooManyOperationsAreNotDrawn(t *testing.T) {
	h := &history.History{Slots: []history.Slot{{Session: "s", Key: "k"}},
		Values: []history.Value{0}}
	story := stress.Story{Accused: stress.NoOp}
	for i := range 61 {
		h.Ops = append(h.Ops, history.Op{Call: int64(i), Kind: history.Delete})
		story.Ops = append(story.Ops, i)
	}
	run := report.Run{History: h, State: check.Violated, Stories: []stress.Story{story}}
	page := pageOf(t, new(report.Page), run)
	require.NotContains(t, page, "<svg")
	require.Contains(t, page, "61 operations are too many to be drawn")
	require.Equal(t, 61, strings.Count(page, "<li>"))
}
