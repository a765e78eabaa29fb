package verbs

import (
	"errors"
	"fmt"
	"os"

	"memrace/store/sqlfile"
	"memrace/store/sqlite"
	"memrace/stress"
)

// findFiles returns the stores that files of SQL describe.
func findFiles(paths []string) ([]target, error) {
	var found []target
	for _, path := range paths {
		if err := sqlite.Ready(); err != nil {
			return nil, err
		}
		f, err := readSQLFile(path)
		if err != nil {
			return nil, err
		}
		found = append(found, target{name: path, open: same(f.Opener()),
			flags: "--sql " + stress.ShellWord(path), serve: []string{"--sql", path}})
	}
	return found, nil
}

// maxSQLFile is far more than anybody writes by hand, in bytes.
const maxSQLFile = 1 << 20

// readSQLFile reads a file of SQL. What is wrong with a line of it is said by file:line.
func readSQLFile(path string) (*sqlfile.File, error) {
	const remedy = "name a file such as docs/examples/sql/good.sql"
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--sql %q: %w; "+remedy, path, errors.Unwrap(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("--sql %q: it is no regular file; "+remedy, path)
	case info.Size() > maxSQLFile:
		return nil, fmt.Errorf("--sql %q: it has %d bytes; a store in SQL has %d at most", path,
			info.Size(), maxSQLFile)
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--sql: %w; "+remedy, err)
	}
	defer in.Close()
	return sqlfile.Parse(in, path)
}
