package fault

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memrace/store/disk"
)

// forms are what Parse reads.
const forms = "kill every 100ms; cut power at 300ms; hold write lock 200ms every 1s; " +
	"disk full at 3s for 1s; disk slow-sync=20ms,p=0.1"

// Parse reads faults as people say them, separated by semicolons:
//
//	kill every 100ms
//	cut power at 300ms
//	hold write lock 200ms every 1s
//	disk full at 3s for 1s
//	disk slow-sync=20ms,p=0.1
//
// What is wrong with a disk is said as disk.ParseFaults reads it. No text is no fault, and so is
// "none". An error quotes what is wrong and says what would be right.
func Parse(text string) (f Faults, err error) {
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ";") {
		words := strings.Fields(part)
		if len(words) == 0 || len(words) == 1 && words[0] == "none" {
			continue
		}
		if seen[words[0]] {
			return Faults{}, fmt.Errorf("%s is said twice; a run has one of each", words[0])
		}
		seen[words[0]] = true
		if err := f.read(words); err != nil {
			return Faults{}, fmt.Errorf("%q: %w", strings.Join(words, " "), err)
		}
	}
	if err := f.Validate(); err != nil {
		return Faults{}, err
	}
	return f, nil
}

// read reads one fault.
func (f *Faults) read(words []string) error {
	switch {
	case begins(words, "kill", "every"):
		return times(words[1:], clause{"every", &f.KillEvery})
	case begins(words, "cut", "power", "at"):
		return times(words[2:], clause{"at", &f.CutAt})
	case begins(words, "hold", "write", "lock"):
		return times(append([]string{"for"}, words[3:]...),
			clause{"for", &f.HoldFor}, clause{"every", &f.HoldEvery})
	case begins(words, "disk") && len(words) > 1:
		var err error
		if f.Disk, err = disk.ParseFaults(words[1]); err != nil {
			return err
		}
		if f.Disk.None() {
			return errors.New("it names no fault; write it like slow-sync=20ms,p=0.1")
		}
		return times(words[2:], clause{"at", &f.DiskAt}, clause{"for", &f.DiskFor})
	}
	return fmt.Errorf("no such fault; there are: %s", forms)
}

func begins(words []string, with ...string) bool {
	return len(words) >= len(with) && slices.Equal(words[:len(with)], with)
}

// clause is a word with a time behind it.
type clause struct {
	word string
	into *time.Duration
}

// times reads clauses, each of them once at most.
func times(words []string, known ...clause) error {
	for ; len(words) > 0; words = words[2:] {
		i := slices.IndexFunc(known, func(c clause) bool { return c.word == words[0] })
		switch {
		case i < 0:
			return fmt.Errorf("%q is not understood here; write it like: %s", words[0], forms)
		case len(words) == 1:
			return fmt.Errorf("a time is missing; write it like: %s", forms)
		case *known[i].into != 0:
			return fmt.Errorf("%q is said twice", words[0])
		}
		d, err := time.ParseDuration(words[1])
		if err != nil || d <= 0 {
			return fmt.Errorf("%q is not a time with its unit, such as 200ms or 1s", words[1])
		}
		*known[i].into = d
	}
	return nil
}

// String returns the faults as Parse reads them, or "none". The Seed is no part of it.
func (f Faults) String() string {
	var parts []string
	if f.KillEvery != 0 {
		parts = append(parts, fmt.Sprintf("kill every %v", f.KillEvery))
	}
	if f.CutAt != 0 {
		parts = append(parts, fmt.Sprintf("cut power at %v", f.CutAt))
	}
	if f.HoldFor != 0 {
		parts = append(parts, fmt.Sprintf("hold write lock %v every %v", f.HoldFor, f.HoldEvery))
	}
	if !f.Disk.None() {
		parts = append(parts, f.diskText())
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, "; ")
}

func (f Faults) diskText() string {
	text := "disk " + f.Disk.String()
	if f.DiskAt != 0 {
		text += fmt.Sprintf(" at %v", f.DiskAt)
	}
	if f.DiskFor != 0 {
		text += fmt.Sprintf(" for %v", f.DiskFor)
	}
	return text
}
