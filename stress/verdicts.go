package stress

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"memrace/stress/check"
	"memrace/stress/history"
)

// noteIndent stands before a note, which belongs to the verdict above it.
const noteIndent = "                 "

// WriteVerdicts writes one line for each verdict: the property, its state, and why. The notes of
// a verdict follow, one on each line.
func WriteVerdicts(w io.Writer, verdicts []check.Verdict) error {
	for _, v := range verdicts {
		lines := append([]string{verdictLine(v)}, v.Notes...)
		if _, err := fmt.Fprintln(w, strings.Join(lines, "\n"+noteIndent)); err != nil {
			return err
		}
	}
	return nil
}

func verdictLine(v check.Verdict) string {
	line := fmt.Sprintf("%-16s %s", v.Property, v.State)
	if v.Reason != "" {
		line += ": " + v.Reason
	}
	if v.Count > 0 {
		line += ": " + strconv.Itoa(v.Count) + " found"
	}
	return line
}

// ReadVerdicts reads what WriteVerdicts wrote, which is all of a verdict but its violations. The
// name is that of the file and stands in the *history.SyntaxError for a line that is wrong.
// A file that an older memrace wrote may lack properties.
func ReadVerdicts(r io.Reader, name string) ([]check.Verdict, error) {
	var verdicts []check.Verdict
	lines, number := bufio.NewScanner(r), 0
	for lines.Scan() {
		number++
		var problem string
		if verdicts, problem = addLine(verdicts, lines.Text()); problem != "" {
			return nil, &history.SyntaxError{File: name, Line: number, Problem: problem}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read verdicts %s: line %d: %w", name, number+1, err)
	}
	if number == 0 {
		return nil, &history.SyntaxError{File: name, Line: 1, Problem: "there are no verdicts"}
	}
	return verdicts, nil
}

// addLine adds what a line says to the verdicts of the lines before, or returns what is wrong
// with it.
func addLine(verdicts []check.Verdict, line string) (_ []check.Verdict, problem string) {
	if note, is := strings.CutPrefix(line, noteIndent); is && note != "" && len(verdicts) > 0 {
		last := &verdicts[len(verdicts)-1]
		last.Notes = append(last.Notes, note)
		return verdicts, ""
	}
	v, ok := parseVerdict(line)
	same := func(other check.Verdict) bool { return other.Property == v.Property }
	switch known := slices.Contains(check.Properties(), v.Property); {
	case !known && len(verdicts) == 0:
		return nil, "these are no verdicts of memrace; " + wantVerdict + unneeded
	case !known:
		return nil, fmt.Sprintf("%q is no property of this memrace; the file may be of another%s",
			v.Property, unneeded)
	case !ok:
		return nil, wantVerdict + unneeded
	case slices.ContainsFunc(verdicts, same):
		return nil, fmt.Sprintf("there is a verdict on %s already", v.Property)
	}
	return append(verdicts, v), ""
}

const (
	wantVerdict = `want a property and its state, such as "final            holds", ` +
		`"final            violated: 2 found" or "final            skipped: " and why`
	unneeded = " (without the file, the run is judged all the same)"
)

// parseVerdict takes a line apart, as far as it can, and reports whether it is as it would be
// written.
func parseVerdict(line string) (v check.Verdict, ok bool) {
	property, rest, _ := strings.Cut(line, " ")
	state, why, _ := strings.Cut(strings.TrimLeft(rest, " "), ": ")
	v.Property = check.Property(property)
	for v.State < check.Violated && v.State.String() != state {
		v.State++
	}
	switch v.State {
	case check.Violated:
		v.Count, _ = strconv.Atoi(strings.TrimSuffix(why, " found"))
		ok = v.Count > 0
	case check.Holds:
		ok = true
	default:
		v.Reason, ok = why, why != ""
	}
	return v, ok && verdictLine(v) == line
}

// Change is a property whose verdict is not what it was.
type Change struct {
	Property check.Property `json:"property"`
	// Was is the state as it was; nil if there was no verdict on the property.
	Was *check.State `json:"was"`
	Is  check.State  `json:"is"`
}

// String returns the change as a sentence: "linearizability: was holds, is violated".
func (c Change) String() string {
	if c.Was == nil {
		return fmt.Sprintf("%s: was not judged by the memrace of then, is %s", c.Property, c.Is)
	}
	return fmt.Sprintf("%s: was %s, is %s", c.Property, *c.Was, c.Is)
}

// Changes returns the properties whose state is not what it was, in the order of the verdicts of
// today. Reasons, notes and counts do not matter.
func Changes(was, is []check.Verdict) []Change {
	var changes []Change
	for _, v := range is {
		c := Change{Property: v.Property, Is: v.State}
		at := slices.IndexFunc(was, func(w check.Verdict) bool { return w.Property == v.Property })
		if at >= 0 {
			c.Was = &was[at].State
		}
		if c.Was == nil || *c.Was != c.Is {
			changes = append(changes, c)
		}
	}
	return changes
}
