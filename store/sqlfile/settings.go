package sqlfile

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"memrace/store/script"
	"memrace/store/sqlite"
)

// settings are what the head of a file says.
type settings struct {
	file    string
	variant sqlite.Variant
	// pragmas are those that a Variant has no word for.
	pragmas []pragma
}

// pragma is a setting of each connection.
type pragma struct {
	name, value string
	line        int
}

// newSettings reads the head. What it does not say is as in SQLite itself, with one connection.
func newSettings(s *script.Script) (settings, error) {
	h := settings{file: s.Name}
	var err error
	if h.variant, err = sqlite.ParseVariant(
		"wal,journal=delete,synchronous=full,readers=0,busy=0s"); err != nil {
		return h, err
	}
	set := map[string]int{}
	// Whether there is a file decides what the others may be.
	isDatabase := func(x script.Setting) int {
		if x.Kind == "database" {
			return 0
		}
		return 1
	}
	ordered := slices.SortedStableFunc(slices.Values(s.Settings), func(a, b script.Setting) int {
		return isDatabase(a) - isDatabase(b)
	})
	for _, line := range ordered {
		for _, text := range split(line) {
			if err := h.set(line.Kind, text, line.Line, set); err != nil {
				return h, fmt.Errorf("%s:%d: -- %s: %w", s.Name, line.Line, line.Kind, err)
			}
		}
	}
	return h, nil
}

// split returns the settings of a line: a pool may have two in one.
func split(line script.Setting) []string {
	fields := strings.Fields(line.Text)
	if line.Kind == "pool" && len(fields) > 0 {
		return fields
	}
	return []string{line.Text}
}

// assignment is name=value, with or without blanks.
var assignment = regexp.MustCompile(`^(\w+)\s*=\s*(-?[\w.]+)$`)

func (h *settings) set(kind, text string, line int, set map[string]int) error {
	name, value := kind, text
	if kind != "database" {
		m := assignment.FindStringSubmatch(text)
		if m == nil {
			return fmt.Errorf("%q is no name=value; write it as in %s", text,
				map[string]string{"pragma": "-- pragma: journal_mode=wal",
					"pool": "-- pool: writers=1 readers=4"}[kind])
		}
		name, value = strings.ToLower(m[1]), strings.ToLower(m[2])
	}
	if first := set[name]; first != 0 {
		return fmt.Errorf("%s is set twice, first in line %d; leave one", name, first)
	}
	set[name] = line
	if err := h.apply(kind, name, value, line); err != nil {
		return err
	}
	if err := h.variant.Validate(); err != nil {
		return errors.New(inWords(err, h.variant))
	}
	return nil
}

// inWords says what is wrong with a variant in the words of a file, where the variant has no name.
func inWords(err error, v sqlite.Variant) string {
	text := strings.TrimPrefix(err.Error(), v.Name+": ")
	pragmas := map[string]string{"journal": "journal_mode", "busy": "busy_timeout"}
	for field, pragma := range pragmas {
		if rest, found := strings.CutPrefix(text, field+"="); found {
			return pragma + "=" + rest
		}
	}
	return text
}

func (h *settings) apply(kind, name, value string, line int) (err error) {
	switch kind + " " + name {
	case "database database":
		switch value {
		case "memory":
			h.variant, err = sqlite.ParseVariant("memory")
		case "file":
		default:
			err = fmt.Errorf("%q is neither file nor memory", value)
		}
	case "pool writers":
		h.variant.Writers, err = number(value)
	case "pool readers":
		h.variant.Readers, err = number(value)
	case "pragma journal_mode":
		h.variant.Journal = value
	case "pragma synchronous":
		h.variant.Synchronous = value
	case "pragma busy_timeout":
		var ms int
		ms, err = number(value)
		h.variant.BusyTimeout = time.Duration(ms) * time.Millisecond
	default:
		if kind == "pool" {
			return fmt.Errorf("no pool is called %s; there are writers and readers", name)
		}
		h.pragmas = append(h.pragmas, pragma{name, value, line})
	}
	return err
}

// number reads a whole number, small enough to be multiplied.
func number(text string) (int, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%s is no whole number up to 2147483647", text)
	}
	return int(n), nil
}
