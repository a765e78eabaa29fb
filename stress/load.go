package stress

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"memrace/stress/check"
	"memrace/stress/history"
)

// Load reads the evidence that a run left: path is its directory, or a file with a history alone.
// The error of a line that makes no sense is a *history.SyntaxError.
func Load(path string) (history.Evidence, error) {
	info, err := os.Stat(path)
	if err != nil {
		return history.Evidence{}, err
	}
	if !info.IsDir() {
		h, err := loadHistory(path)
		return history.Evidence{History: h}, err
	}
	file := filepath.Join(path, HistoryFile)
	h, err := loadHistory(file)
	if errors.Is(err, os.ErrNotExist) {
		return history.Evidence{}, fmt.Errorf("%s is no directory of a run: it has no %s",
			path, HistoryFile)
	} else if err != nil {
		return history.Evidence{}, err
	}
	e := history.Evidence{History: h}
	f, err := os.Open(filepath.Join(path, RowsFile))
	if errors.Is(err, os.ErrNotExist) {
		return e, nil
	} else if err != nil {
		return e, err
	}
	defer f.Close()
	e.Rows, err = history.ReadRows(f, f.Name())
	e.Dumped = true
	return e, err
}

func loadHistory(path string) (*history.History, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return history.Read(f, path)
}

// Judge judges evidence that was kept and tells what is wrong, as Check does for a run of its own.
func Judge(ctx context.Context, e history.Evidence) ([]check.Verdict, []Story) {
	verdicts := check.Judge(ctx, e, check.Options{})
	return verdicts, tell(e.History, verdicts)
}
