package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"memrace/stress"
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

// program is how this program was called, so that what it prints can be called again.
func program() string {
	if name := os.Args[0]; strings.ContainsRune(name, filepath.Separator) {
		return stress.ShellWord(name)
	}
	return "memrace"
}

// command is the command line that repeats a run.
func command(c stress.Config) string {
	return strings.Replace(c.Command(), "memrace", program(), 1)
}

// visible replaces what a terminal might obey.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}

// unlessInterrupted calls f, which may wait for a file that never comes, such as a pipe to which
// nobody writes, and gives up when ctx is cancelled.
func unlessInterrupted(ctx context.Context, what string, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return runError{fmt.Errorf("interrupted in %s", what)}
	}
}
