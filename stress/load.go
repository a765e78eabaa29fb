package stress

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"memrace/stress/check"
	"memrace/stress/history"
	"memrace/stress/notation"
)

// Load reads the evidence that a run left: path is its directory, or a file with a history alone,
// in any format that is known and perhaps compressed by gzip.
// The error of a line that makes no sense is a *history.SyntaxError.
func Load(path string) (history.Evidence, error) { return LoadAs(path, notation.Auto) }

// LoadAs is Load for a history in a format that is known.
func LoadAs(path string, format notation.Format) (history.Evidence, error) {
	info, err := os.Stat(path)
	if err != nil {
		return history.Evidence{}, err
	}
	if !info.IsDir() {
		h, err := loadHistory(path, format)
		return history.Evidence{History: h}, err
	}
	file, err := HistoryIn(path)
	if err != nil {
		return history.Evidence{}, err
	}
	h, err := loadHistory(file, format)
	if err != nil {
		return history.Evidence{}, err
	}
	e := history.Evidence{History: h}
	e.Rows, e.Dumped, err = loadBeside(path, RowsFile, "rows", h, history.ReadRows)
	if err != nil {
		return e, err
	}
	e.Commits, e.Journaled, err = loadBeside(path, CommitsFile, "commits", h, history.ReadCommits)
	return e, err
}

// JepsenFile is the history in a directory that Jepsen left, whose history.txt is for people.
const JepsenFile = "history.edn"

// HistoryIn returns the file of the history in a directory: that of memrace or, where there is
// none, that of Jepsen. It returns an error if there is neither.
func HistoryIn(dir string) (string, error) {
	ours, theirs := filepath.Join(dir, HistoryFile), filepath.Join(dir, JepsenFile)
	is, err := isHistory(ours)
	if is || err != nil && !errors.Is(err, os.ErrNotExist) {
		return ours, err
	}
	switch _, jepsen := os.Stat(theirs); {
	case jepsen == nil:
		return theirs, nil
	case err == nil: // whoever reads it says what is wrong with it
		return ours, nil
	}
	return "", fmt.Errorf("%s is no directory of a run: it has no %s, nor Jepsen's %s",
		dir, HistoryFile, JepsenFile)
}

// isHistory reports whether a file begins as a history of memrace does.
func isHistory(path string) (bool, error) {
	const first = "memrace-history"
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head, err := bufio.NewReader(f).Peek(len(first))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return string(head) == first, err
}

// loadBeside reads what stands beside a history in the directory of a run: a list that the header
// of the history calls by the given name. If the file is missing, there is none.
func loadBeside[T any](
	dir, file, name string, h *history.History, read func(io.Reader, string) ([]T, error),
) (list []T, is bool, err error) {
	path := filepath.Join(dir, file)
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, whole(path, h, history.Meta{Name: name, Value: "no"})
	} else if err != nil {
		return nil, false, err
	}
	defer f.Close()
	list, err = read(f, path)
	if err == nil {
		err = whole(path, h, count(name, len(list)))
	}
	return list, true, err
}

// LoadVerdicts reads the verdicts that a run kept beside its history. There are none, and no
// error, where path is the file of a history alone or a directory without verdicts.
// The error of a line that makes no sense is a *history.SyntaxError.
func LoadVerdicts(path string) ([]check.Verdict, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return nil, err
	}
	f, err := os.Open(filepath.Join(path, VerdictsFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadVerdicts(f, f.Name())
}

// whole returns an error if a file has another number of something than the header of the history
// says.
func whole(file string, h *history.History, found history.Meta) error {
	said := h.MetaValue(found.Name)
	if said == "" || said == found.Value {
		return nil
	}
	return fmt.Errorf("%s: it has %s %s, and the header of the history says %s; the file was cut "+
		"off or changed (without that header line, what is left can be judged)",
		file, found.Value, found.Name, said)
}

func loadHistory(path string, format notation.Format) (*history.History, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h, err := notation.Read(f, path, format)
	if err != nil {
		return nil, err
	}
	return h, whole(path, h, count("operations", len(h.Ops)))
}

// Judge judges evidence that was kept and tells what is wrong, as Check does for a run of its own.
func Judge(ctx context.Context, e history.Evidence) ([]check.Verdict, []Story) {
	verdicts := check.Judge(ctx, e, check.Options{})
	return verdicts, tell(e.History, verdicts)
}
