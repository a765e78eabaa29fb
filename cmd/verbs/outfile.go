package verbs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// outFile is a file that is written as a whole or not at all, and over no other unless that was
// asked for.
type outFile struct {
	flag  string // that names it, for what is said of it
	file  string
	force bool
}

// check refuses a file that cannot be written, before anything is run.
func (t *outFile) check() error {
	info, err := os.Stat(filepath.Dir(t.file))
	if err != nil {
		return fmt.Errorf("--%s %s: %w; name a file in a directory that exists", t.flag, t.file,
			err)
	}
	if !info.IsDir() {
		return fmt.Errorf("--%s %s: %s is no directory", t.flag, t.file, filepath.Dir(t.file))
	}
	info, err = os.Lstat(t.file)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return fmt.Errorf("--%s %s: %w", t.flag, t.file, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("--%s %s: it is no file; name another", t.flag, t.file)
	case !t.force:
		return t.exists()
	}
	f, err := t.create()
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// isOneOf reports whether one of the files would be written over.
func (t *outFile) isOneOf(files []string) bool {
	own, err := os.Stat(t.file)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(files, func(file string) bool {
		info, err := os.Stat(file)
		return err == nil && os.SameFile(own, info)
	})
}

func (t *outFile) exists() error {
	return fmt.Errorf("--%s %s: the file exists; name another, or add --force", t.flag, t.file)
}

// save writes the file under a temporary name and renames it, so that under its own name there is
// never half of it. What came to be there since check is not replaced either.
func (t *outFile) save(content content) error {
	part, err := t.part(content)
	if err != nil {
		return err
	}
	if err := t.rename(part); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return nil
}

// part writes what is to be in the file under a temporary name, which it returns.
func (t *outFile) part(content content) (path string, err error) {
	f, err := t.create()
	if err != nil {
		return "", err
	}
	if err := errors.Join(content(f), f.Close()); err != nil {
		return "", errors.Join(runError{fmt.Errorf("--%s %s: %w", t.flag, t.file, err)},
			os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// create makes the file under its temporary name, beside its place.
func (t *outFile) create() (*os.File, error) {
	temporary := fmt.Sprintf(".%s.%d", filepath.Base(t.file), os.Getpid())
	f, err := os.OpenFile(filepath.Join(filepath.Dir(t.file), temporary),
		os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, fmt.Errorf("--%s %s: %w; name a file that can be written", t.flag, t.file, err)
	}
	return f, nil
}

func (t *outFile) rename(from string) error {
	if t.force {
		return os.Rename(from, t.file)
	}
	claim, err := os.OpenFile(t.file, os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return t.exists()
	} else if err != nil {
		return fmt.Errorf("--%s %s: %w", t.flag, t.file, err)
	}
	if err := errors.Join(claim.Close(), os.Rename(from, t.file)); err != nil {
		return errors.Join(err, os.Remove(t.file))
	}
	return nil
}
