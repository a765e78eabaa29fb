package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Program is a program that puts a load on a store of its own, measures it, and writes Go's
// benchmark format as Write does: a line for each kind of operation of the mix, in ops/sec.
type Program struct {
	// Path is where the program is.
	Path string
	// Args are its arguments for a turn in a directory that is empty.
	Args func(dir string, l Load, c Config) []string
	// File is the file in that directory which it writes; empty for the standard output.
	File string
}

// Play makes a turn, for Subject. Of the latencies it takes none over. An error is one of the
// program, which failed or whose operations did, or of what it wrote.
func (p Program) Play(ctx context.Context, dir string, l Load, c Config) (*Turn, error) {
	text, err := p.run(ctx, dir, p.Args(dir, l, c))
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", p.Path, err)
	}
	t := &Turn{Load: l, For: c.For, Kinds: newKinds(l.Mix)}
	if err := t.readProgram(bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("read what %s measured: %w", p.Path, err)
	}
	return t, nil
}

func (p Program) run(ctx context.Context, dir string, args []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, p.Path, args...)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(errOut.Bytes()))
	}
	if p.File == "" {
		return out, nil
	}
	return os.ReadFile(filepath.Join(dir, p.File))
}

// readProgram takes the kinds of operation of t over from a file of lines.
func (t *Turn) readProgram(r io.Reader) error {
	reader := benchfmt.NewReader(r, "its output")
	found := 0
	for reader.Scan() {
		switch line := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return line
		case *benchfmt.Result:
			took, err := t.readLine(line)
			if err != nil {
				return err
			}
			if took {
				found++
			}
		}
	}
	if found != len(t.Kinds) {
		return errors.Join(reader.Err(),
			fmt.Errorf("it has %d lines of kinds of operation, and the mix %d", found,
				len(t.Kinds)))
	}
	return reader.Err()
}

// readLine takes one kind of operation over, and reports whether the line is of one.
func (t *Turn) readLine(line *benchfmt.Result) (took bool, err error) {
	name := strings.ToLower(string(line.Name.Base()))
	i := slices.IndexFunc(t.Kinds, func(k *Kind) bool { return k.Act.String() == name })
	if i < 0 {
		return false, nil
	}
	perSecond, found := line.Value("ops/sec")
	if failed, _ := line.Value("errors/op"); failed > 0 || !found {
		return false, fmt.Errorf("%s: operations failed, or there is no ops/sec", line.Name)
	}
	t.Kinds[i].OK = line.Iters
	t.Kinds[i].Done = int(math.Round(perSecond * t.For.Seconds()))
	return true, nil
}
