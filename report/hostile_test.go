package report_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/report"
	"memrace/stress"
	"memrace/stress/check"
	"memrace/stress/history"
)

// hostile are names that want to be more than text.
var hostile = []struct{ name, text, shown string }{
	{"script", "<script>alert(1)</script>", "<script>alert(1)</script>"},
	{"end of a title", "</title></svg><script>x</script>", "</title></svg><script>x</script>"},
	{"attribute", `" onload="alert(1)" x='`, `onload=`},
	{"image", "'><img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"},
	{"comment", "<!-- ]]> <![CDATA[", "<!-- ]]> <![CDATA["},
	{"style", "</style><style>*{display:none}", "</style><style>*{display:none}"},
	{"template", "{{.Runs}}", "{{.Runs}}"},
	{"entity", "&lt;&#0;&amp;", "&lt;&#0;&amp;"},
	{"quotes", `'"` + "`\\", "`"},
	{"NUL", "a\x00b", ""},
	{"no UTF-8", "\xff\xfe\xc3", ""},
	{"controls", "\x01\x1b[2J\r\n\t\x7f\u0085", ""},
	{"turns text round", "\u202eabc\u2066", ""},
	{"no characters", "\ufffe\uffff\u2028\ufdd0", ""},
	{"long", strings.Repeat("<b>&", 5000), ""},
	{"empty", "", ""},
}

// runNamed is a run that has the text wherever a text can be.
func runNamed(text string) report.Run {
	other := text + "2"
	h := &history.History{
		Meta:    []history.Meta{{Name: "store", Value: text}, {Name: text, Value: text}},
		Slots:   []history.Slot{{Session: text, Key: text}, {Session: other, Key: text}},
		Values:  []history.Value{0, history.ForeignValue(0)},
		Foreign: []string{text},
		Ops: []history.Op{
			{Call: 10, Return: 20, Client: 1, Value: 1, Kind: history.Upsert, Outcome: history.OK},
			{Call: 30, Return: 40, Client: 2, Value: 1, Kind: history.Get, Outcome: history.OK,
				Slot: 1},
		},
	}
	story := stress.Story{Ops: []int{0, 1}, Accused: 1, Anomaly: check.Anomaly(text),
		Property: check.Property(text)}
	story.Headline, story.Sentence = text, text
	return report.Run{
		Name: text, State: check.Violated, History: h, Evidence: text, Repeat: text, Trouble: text,
		Verdicts: []check.Verdict{{Property: check.Property(text), State: check.Violated,
			Reason: text, Notes: []string{text}}},
		Stories: []stress.Story{story},
	}
}

// The page of harmless names has the elements and attributes that every page has, whatever the
// names are.
func TestHostileNamesAreText(t *testing.T) {
	want := skeleton(t, pageOf(t, new(report.Page), runNamed("name"), runNamed("name")))
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			page := pageOf(t, new(report.Page), runNamed(c.text), runNamed(c.text))
			if c.text != "" { // what is empty is left out
				require.Equal(t, want, skeleton(t, page))
			}
			require.True(t, utf8.ValidString(page))
			require.Equal(t, -1, strings.IndexFunc(page, func(r rune) bool {
				return !unicode.IsPrint(r) && r != '\n' && r != '\t'
			}), "nothing invisible is on the page")
			var text strings.Builder
			for _, e := range parse(t, page) {
				text.WriteString(e.text)
			}
			require.Contains(t, text.String(), c.shown, "it can be read")
		})
	}
}

// The names of benchmarks, of files and of mutants are text as well. Blanks and slashes end a part
// of such a name. What a chart is called says which it is, and may take two lines.
func TestHostileBenchmarksAreText(t *testing.T) {
	page := func(text string) string {
		word := strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || r == '/' {
				return '_'
			}
			return r
		}, "x"+text)
		line := "Benchmark" + word + "/store=" + word + "/driver=" + word + "/sync=" + word
		var p report.Page
		for _, path := range []string{text + ".txt", text + ".log"} {
			require.NoError(t, p.AddBenchmarks([]byte("fs: "+word+"\nmachine: "+path[len(text):]+
				"\n\n"+line+"/clients=8 1 5 ops/sec 7 p50-ns/op 0.5 errors/op 0.5 "+
				word+"/op\n"), path))
		}
		require.NoError(t, p.AddMutants(mutantsHead+word+" "+word+" "+word+
			" 6 isolation 1/1 1/1 -\n", text))
		return pageOf(t, &p)
	}
	chart := regexp.MustCompile(`aria-label=.*|^text class=title$`)
	bones := func(page string) (list []string) {
		for _, element := range skeleton(t, page) {
			list = append(list, chart.ReplaceAllString(element, ""))
		}
		return slices.DeleteFunc(list, func(element string) bool { return element == "" })
	}
	want := bones(page("name"))
	for _, c := range hostile {
		if c.name == "long" {
			continue // it is elided, and so is what tells one from another
		}
		t.Run(c.name, func(t *testing.T) {
			require.Empty(t, cmp.Diff(want, bones(page(c.text))))
		})
	}
}

// skeleton is the page without its texts. Where labels and bars are is left out as well, and so
// are attributes that say so.
func skeleton(t *testing.T, page string) (elements []string) {
	t.Helper()
	for _, e := range parse(t, page) {
		item := e.name
		for _, name := range []string{"class", "href", "id", "content", "role", "aria-label"} {
			if value, is := e.attrs[name]; is && value != "inside" {
				item += " " + name + "=" + value
			}
			delete(e.attrs, name)
		}
		for name := range e.attrs {
			require.Contains(t, "charset http-equiv name lang viewBox width height d x y tabindex",
				name)
		}
		elements = append(elements, item)
	}
	return elements
}

// The page asks for nothing from elsewhere and runs nothing.
func TestPageStandsAlone(t *testing.T) {
	page := pageOf(t, new(report.Page), runNamed("name"))
	for _, e := range parse(t, page) {
		require.NotContains(t, []string{"script", "link", "img", "iframe", "object", "use", "image",
			"form", "base"}, e.name)
		require.NotContains(t, e.text, "@import")
		require.NotContains(t, e.text, "url(")
	}
	require.Contains(t, page, "default-src 'none'")
	require.Contains(t, page, "prefers-color-scheme: dark")
}

// Names of any length make a page that a browser opens at once.
func TestLongLinesAreShortened(t *testing.T) {
	run := runNamed(strings.Repeat("x", 1<<20))
	run.History.Meta, run.Verdicts, run.Trouble = nil, nil, ""
	run.Name, run.Evidence, run.Repeat = "", "", ""
	run.Stories[0].Headline, run.Stories[0].Sentence, run.Stories[0].Property = "", "", ""
	var b bytes.Buffer
	var page report.Page
	page.Add(run)
	require.NoError(t, page.Write(&b))
	require.Less(t, b.Len(), 64<<10)
	require.Contains(t, b.String(), "# shortened from 3145")
}
