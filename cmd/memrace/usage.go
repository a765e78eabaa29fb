package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// Errors of the flags' library, and what they mean in plain words.
var flagErrors = []struct {
	found *regexp.Regexp
	says  string
}{
	{regexp.MustCompile(`strconv\.\w+: parsing .*: invalid syntax`), "want a whole number"},
	{regexp.MustCompile(`strconv\.\w+: parsing .*: value out of range`), "the number is too large"},
	{regexp.MustCompile(`time: .*`), "want a time with its unit, as in 500ms, 2s or 1m"},
}

// flagError says in plain words what is wrong with a flag, and where the flags are listed.
func flagError(c *cobra.Command, err error) error {
	text := err.Error()
	for _, e := range flagErrors {
		text = e.found.ReplaceAllString(text, e.says)
	}
	if strings.HasPrefix(text, "unknown") {
		text += fmt.Sprintf("; %s --help lists the flags", c.CommandPath())
	}
	return errors.New(text)
}

// unknownCommand refuses what is no verb.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			verbs = append(verbs, sub.Name())
		}
	}
	return fmt.Errorf("unknown command %q; there are %s", args[0], strings.Join(verbs, ", "))
}

// paths refuses a command without any, and an empty one, which a shell makes of a variable that is
// not set.
func paths(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("no path is given; want %s", what)
		}
		for _, arg := range args {
			if arg == "" {
				return fmt.Errorf("a path is empty; want %s", what)
			}
		}
		return nil
	}
}

// sink is standard output. It remembers the first error, so that no report is lost in silence.
type sink struct {
	io.Writer
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if err != nil && s.err == nil {
		s.err = err
	}
	return n, err
}
